// The reproduction as one page: figures with their captions, the ledger of claims, the standing of every statement.
#pragma once

#include <string>
#include <vector>

#include "experiments/claims/claims.hpp"
#include "experiments/sweep/spec.hpp"
#include "experiments/tables/provenance.hpp"

namespace epsilary::drawing {

struct Shown {
  const experiments::Spec* spec;
  std::string image;               // the bytes of the picture
  std::string type;                // image/svg+xml or image/png
  std::vector<std::string> files;  // to download, beside the page
  std::string question;            // what neighbours are, and in which units the noise is, of every curve
};

struct Report {
  std::vector<Shown> figures;
  std::vector<experiments::Finding> findings;
  experiments::Provenance provenance;
};

// HTML that needs no network and no script.
std::string report_page(const Report& report);

}  // namespace epsilary::drawing

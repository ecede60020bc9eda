// list: what is in the house.
#include <algorithm>

#include "experiments/cli/command.hpp"

namespace epsilary::cli {
namespace {

const std::vector<std::string> kinds{"bounds", "figures", "params", "claims", "protocols"};

struct Request {
  std::string what = "bounds";
  epsilary::Filter filter;
};

epsilary::Table bounds(const Request& r) {
  epsilary::Filter filter = r.filter;
  if (r.what != "bounds") filter.word = r.what;
  const std::vector<epsilary::Statement> found = epsilary::statements(filter);
  if (found.empty())
    throw epsilary::Error(
        epsilary::Problem::usage,
        filter.word.empty() ? "no bound is all of these"
                            : "no bound has '" + filter.word + "' in its texts" + epsilary::did_you_mean(r.what, kinds),
        "see: epsilary list, or epsilary list --help");
  return table(found);
}

epsilary::Table table_of(const Request& r) {
  const epsilary::Filter& f = r.filter;
  const bool is_bounds = r.what == "bounds" || std::ranges::count(kinds, r.what) == 0;
  if (!is_bounds && !(f.protocol + f.paper + f.quantity).empty())
    throw epsilary::Error(epsilary::Problem::usage, "only bounds are listed by protocol, paper or quantity",
                          "for example: epsilary list --protocol shuffle");
  if (is_bounds) return bounds(r);
  if (r.what == "params") return table(epsilary::parameters());
  if (r.what == "figures") return table(epsilary::figures());
  return r.what == "claims" ? table(epsilary::claims()) : table(epsilary::protocols());
}

}  // namespace

Command list_command() {
  auto flags = std::make_shared<Flags>();
  auto request = std::make_shared<Request>();
  return {
      .name = "list",
      .description = "list bounds, figures, params, claims or protocols",
      .footer =
          "Examples:\n  epsilary list\n  epsilary list --protocol shuffle --quantity epsilon\n  epsilary list "
          "Gaussian\n  epsilary list params -f md",
      .flags = flags,
      .arguments =
          {{.name = "what",
            .help = "bounds (default), figures, params, claims or protocols; or a word that bounds have in their texts",
            .into = &request->what,
            .choices = kinds,
            .open = true},
           {"--protocol", "bounds about this protocol", &request->filter.protocol, {}, Completes::all_protocols},
           {"--paper", "bounds of this paper, as ids begin: balle2020", &request->filter.paper, {}, Completes::papers},
           {"--quantity",
            "bounds on this quantity: epsilon, delta, ...",
            &request->filter.quantity,
            {},
            Completes::quantities}},
      .run =
          [flags, request] {
            print(*flags, write(table_of(*request), format(*flags), flags->options.digits));
            return done;
          },
      .computes = false};
}

}  // namespace epsilary::cli

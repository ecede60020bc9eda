// list: what is in the house.
#include "experiments/cli/command.hpp"

namespace cli {
namespace {

struct Request {
  std::string what = "bounds";
  epsilary::Filter filter;
};

epsilary::Table table_of(const Request& r) {
  const epsilary::Filter& f = r.filter;
  if (r.what != "bounds" && !(f.protocol + f.paper + f.quantity + f.word).empty())
    throw epsilary::Error(epsilary::Problem::usage, "only bounds are listed by protocol, paper, quantity or word",
                          "for example: epsilary list --protocol shuffle");
  if (r.what == "params") return table(epsilary::parameters());
  if (r.what == "figures") return table(epsilary::figures());
  if (r.what == "claims") return table(epsilary::claims());
  if (r.what == "protocols") return table(epsilary::protocols());
  return table(epsilary::statements(f));
}

}  // namespace

Command list_command() {
  auto flags = std::make_shared<Flags>();
  auto request = std::make_shared<Request>();
  return {.name = "list",
          .description = "list bounds, figures, params, claims or protocols",
          .footer = "Examples:\n  epsilary list\n  epsilary list --protocol shuffle --quantity epsilon\n  epsilary list "
                    "--word Gaussian\n  epsilary list params -f md",
          .flags = flags,
          .arguments = {{"what",
                         "bounds (default), figures, params, claims or protocols",
                         &request->what,
                         {"bounds", "figures", "params", "claims", "protocols"}},
                        {"--protocol", "bounds about this protocol", &request->filter.protocol, {}, Completes::protocols},
                        {"--paper", "bounds of this paper, as ids begin: balle2020", &request->filter.paper, {},
                         Completes::papers},
                        {"--quantity", "bounds on this quantity: epsilon, delta, ...", &request->filter.quantity, {},
                         Completes::quantities},
                        {"--word", "bounds that have this word in their texts", &request->filter.word}},
          .run = [flags, request] {
            print(*flags, write(table_of(*request), format(*flags), flags->options.digits));
            return done;
          }};
}

}  // namespace cli

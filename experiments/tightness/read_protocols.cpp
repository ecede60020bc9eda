#include <fmt/format.h>

#include "experiments/sweep/toml_reader.hpp"
#include "experiments/tightness/tightness.hpp"

namespace epsilary::experiments {
namespace {

std::vector<bounds::Param> params(const Reader& in, std::string_view key) {
  std::vector<bounds::Param> out;
  if (!in.has(key)) return out;
  for (const std::string& name : in.texts(key)) {
    const auto param = bounds::param_named(name);
    if (!param) in.refuse(in.raw().get(key), fmt::format("unknown parameter '{}'", name));
    out.push_back(*param);
  }
  return out;
}

Slack step(const Reader& in, const Reader* words) {
  in.only({"from", "to", "replaced", "as"});
  if (in.has("replaced") == in.has("as")) in.refuse(nullptr, "a step has one of 'replaced' and 'as'");
  if (in.has("as") && !words) in.refuse(in.raw().get("as"), "there is no table 'words' to take it from");
  Slack out{in.text("from"), in.text("to"), in.has("as") ? words->text(in.text("as")) : in.text("replaced")};
  in.refuse_unknown_bound(out.looser, "from");
  in.refuse_unknown_bound(out.tighter, "to");
  return out;
}

}  // namespace

std::vector<Protocol> parse_protocols(std::string_view text, std::string_view file) {
  const toml::table root = parse_toml(text, file);
  const Reader in(root, file);
  in.only({"words", "protocol"});
  std::optional<Reader> words;
  if (in.has("words")) words.emplace(in.sub("words"));
  std::vector<Protocol> out;
  for (const Reader& one : in.tables("protocol")) {
    one.only({"name", "words", "example", "rises", "falls", "slow", "step"});
    Protocol protocol{one.text("name"), one.text("words"), one.text("example"), {}};
    protocol.rises = params(one, "rises");
    protocol.falls = params(one, "falls");
    if (one.has("slow")) protocol.slow = one.texts("slow");
    for (const std::string& id : protocol.slow) one.refuse_unknown_bound(id, "slow");
    for (const Reader& s : one.tables("step")) protocol.chain.push_back(step(s, words ? &*words : nullptr));
    out.push_back(std::move(protocol));
  }
  return out;
}

}  // namespace epsilary::experiments

#include "cli/render/proof_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/finding_names.h"
#include "cli/io/quote.h"

namespace pteproof {

std::vector<std::string> NamesOf(const proofs::Symbols& symbols) {
  std::vector<std::string> names;
  names.reserve(symbols.size());
  for (const proofs::Symbol& symbol : symbols) names.push_back(Quote(symbol.name));
  return names;
}

std::string GoalWords(const proofs::Clause& goal, std::span<const std::string> names) {
  std::string words;
  for (const proofs::Comparison& c : goal) {
    const std::string_view sign = c.relation == proofs::Relation::kLess        ? "<"
                                  : c.relation == proofs::Relation::kLessEqual ? "<="
                                                                               : "=";
    words += fmt::format("{}{} {} {}", words.empty() ? "" : " or ", c.left.ToText(names), sign,
                         c.right.ToText(names));
  }
  return words.empty() ? "nothing" : words;
}

std::string LoaderWords(PolicySet policies) {
  if (policies == PolicySet::All()) return "";
  std::vector<std::string_view> names;
  for (const Policy policy : kAllPolicies) {
    if (policies.Has(policy)) names.push_back(Name(policy));
  }
  return fmt::format("  [{}]", fmt::join(names, ", "));
}

std::string PlaceWords(const proofs::Obligation& obligation) {
  std::vector<std::string> parts;
  if (!obligation.method.empty()) parts.push_back("method " + Quote(obligation.method));
  if (obligation.instruction >= 0) {
    parts.push_back(fmt::format("instruction {}", obligation.instruction));
  }
  for (const int32_t v : obligation.values) parts.push_back(fmt::format("v{}", v));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string ModelWords(std::span<const proofs::ModelValue> model,
                       std::span<const std::string> names) {
  std::vector<std::string> parts;
  for (const proofs::ModelValue& value : model) {
    parts.push_back(fmt::format("{} {} {}", names[static_cast<size_t>(value.symbol)],
                                value.exact ? "=" : "beyond", value.value));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace pteproof

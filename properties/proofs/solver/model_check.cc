#include "properties/proofs/solver/model_check.h"

#include <algorithm>
#include <array>
#include <limits>

#include "properties/proofs/solver/concrete.h"

namespace pteproof::proofs {
namespace {

ModelValue Narrow(int32_t symbol, Wide value) {
  constexpr Wide kMost = std::numeric_limits<int64_t>::max();
  constexpr Wide kLeast = std::numeric_limits<int64_t>::min();
  const Wide near = std::clamp(value, kLeast, kMost);
  return {symbol, static_cast<int64_t>(near), near == value};
}

bool InRange(const Symbol& symbol, Wide value) {
  return value >= symbol.lo && (!symbol.hi || value <= *symbol.hi);
}

}  // namespace

std::optional<std::vector<ModelValue>> CheckedModel(
    const Query& query, std::span<const std::optional<int64_t>> values) {
  if (values.size() != query.mentioned.size()) return std::nullopt;
  std::vector<size_t> by_id(query.mentioned.size());
  for (size_t s = 0; s < by_id.size(); ++s) by_id[s] = s;
  std::ranges::sort(by_id, {}, [&](size_t s) { return query.mentioned[s].id; });
  std::vector<Wide> all(by_id.empty() ? 0
                                      : static_cast<size_t>(query.mentioned[by_id.back()].id) + 1);
  std::vector<ModelValue> model;
  for (const size_t s : by_id) {  // what definitions mention comes before them
    const QuerySymbol& mentioned = query.mentioned[s];
    const Symbol& symbol = (*query.symbols)[static_cast<size_t>(mentioned.id)];
    std::optional<Wide> value;
    if (mentioned.assumed.definition) {
      value = ValueOf(*symbol.definition, all);
    } else if (values[s]) {
      value = *values[s];
    }
    if (!value || (mentioned.assumed.range && !InRange(symbol, *value))) return std::nullopt;
    all[static_cast<size_t>(mentioned.id)] = *value;
    model.push_back(Narrow(mentioned.id, *value));
  }
  if (Holds(*query.goal, all) != false) return std::nullopt;
  return model;
}

bool FailsAtAGuess(const Query& query) {
  for (const int64_t guess : std::to_array<int64_t>({1 << 20, 0, -1})) {
    std::vector<std::optional<int64_t>> values;
    for (size_t s = 0; s < query.mentioned.size(); ++s) {
      values.emplace_back(guess + static_cast<int64_t>(s));
    }
    if (CheckedModel(query, values)) return true;
  }
  return false;
}

}  // namespace pteproof::proofs

#include "meaning/place_makes.h"

#include <algorithm>
#include <tuple>

namespace pteproof::meaning {

std::vector<PlaceMake> PlaceMakes::MakesOf(std::span<const int32_t> values) const {
  std::vector<PlaceMake> makes;
  for (const int32_t v : values) {
    const Role role = roles_.of[static_cast<size_t>(v)];
    const Usage& usage = roles_.usage[static_cast<size_t>(v)];
    if (role == Role::kInput || role == Role::kState) makes.push_back({-1, v});
    if (usage.leaves_place_unmade()) continue;
    for (const int32_t write : writes_.Of(v)) makes.push_back({write, v});
    if (usage.first_write >= 0 && writes_.Of(v).empty()) makes.push_back({usage.first_write, v});
  }
  std::ranges::sort(makes, {},
                    [](const PlaceMake& m) { return std::tuple(m.instruction, -m.value); });
  return makes;
}

std::span<const PlaceMake> PlaceMakes::Before(int32_t value, int32_t instruction) {
  const auto values = classes_.Of(value);
  const auto [known, fresh] = known_.try_emplace(values.front());
  if (fresh) known->second = MakesOf(values);
  const auto& makes = known->second;
  const auto end = std::ranges::lower_bound(makes, instruction, {}, &PlaceMake::instruction);
  return {makes.begin(), end};
}

}  // namespace pteproof::meaning

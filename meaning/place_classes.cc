#include "meaning/place_classes.h"

#include <algorithm>
#include <tuple>

namespace pteproof::meaning {

namespace {

auto ClassKey(const Method& method, const Roles& roles, int32_t v) {
  const Place& place = roles.place[static_cast<size_t>(v)];
  return std::tuple(place.bank, place.lo, place.hi, method.TensorOf(v)->dtype);
}

}  // namespace

PlaceClasses::PlaceClasses(const Method& method, const Roles& roles)
    : method_(method), roles_(roles) {
  for (size_t v = 0; v < roles.place.size(); ++v) {
    if (!roles.place[v].empty()) sorted_.push_back(static_cast<int32_t>(v));
  }
  const auto key = [&](int32_t v) { return ClassKey(method, roles, v); };
  std::ranges::stable_sort(sorted_, {}, key);
  for (size_t i = 0; i < sorted_.size(); ++i) {
    if (i > 0 && key(sorted_[i]) == key(sorted_[i - 1])) continue;
    wider_.things.push_back({roles.place[static_cast<size_t>(sorted_[i])], sorted_[i]});
  }
  wider_.Finish();
}

std::span<const int32_t> PlaceClasses::Of(int32_t value) const {
  if (roles_.place[static_cast<size_t>(value)].empty()) return {};
  const auto found =
      std::ranges::equal_range(sorted_, ClassKey(method_, roles_, value), {},
                               [&](int32_t v) { return ClassKey(method_, roles_, v); });
  return {found.begin(), found.end()};
}

std::span<const int32_t> PlaceClasses::StartingAt(uint32_t bank, uint64_t offset,
                                                  uint64_t limit) const {
  const auto key = [&](int32_t v) {
    const Place& place = roles_.place[static_cast<size_t>(v)];
    return std::tuple(place.bank, place.lo, place.hi);
  };
  const auto lo = std::ranges::lower_bound(sorted_, std::tuple(bank, offset, offset), {}, key);
  const auto hi = std::ranges::upper_bound(sorted_, std::tuple(bank, offset, limit), {}, key);
  return {lo, hi};
}

}  // namespace pteproof::meaning

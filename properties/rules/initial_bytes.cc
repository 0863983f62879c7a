#include "properties/rules/initial_bytes.h"

#include <algorithm>

namespace pteproof::checks {

bool LoadAlike(const Program& program, const Load& a, const Load& b) {
  if (a.initial == 0 || b.initial == 0) return false;
  if (a.place.bank != b.place.bank || a.place.lo != b.place.lo) return false;
  if (a.initial == b.initial) return true;
  const uint64_t common = std::min(a.place.hi, b.place.hi) - a.place.lo;
  // The data of the file may be longer than the tensor.
  const auto loaded = [&](uint32_t initial) {
    const Bytes stored = program.initial_values[initial];
    return stored.first(std::min<uint64_t>(stored.size(), common));
  };
  const Bytes one = loaded(a.initial);
  const Bytes other = loaded(b.initial);
  return one.size() == other.size() &&
         (one.data() == other.data() || std::ranges::equal(one, other));
}

}  // namespace pteproof::checks

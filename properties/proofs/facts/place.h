// Where a value lies by its own placement.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_PLACE_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_PLACE_H_

#include <compare>
#include <cstdint>

#include "pteproof/program.h"

namespace pteproof::proofs {

// Bytes [lo, hi) of a bank at the upper bounds of sizes; bank 0: no planned bytes.
struct Extent {
  uint32_t bank = 0;
  uint64_t lo = 0;
  uint64_t hi = 0;

  auto operator<=>(const Extent&) const = default;
  [[nodiscard]] bool empty() const { return bank == 0 || lo == hi; }
  [[nodiscard]] bool Covers(const Extent& other) const {
    return bank == other.bank && lo <= other.lo && other.hi <= hi;
  }
};

[[nodiscard]] inline Extent ExtentOf(const Method& method, int32_t v) {
  const Tensor* t = method.TensorOf(v);
  if (t == nullptr || !t->planned) return {};
  return {t->bank, t->offset, t->offset + t->nbytes};
}

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_PLACE_H_

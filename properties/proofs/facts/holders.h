// The bytes in which a name lies: a name that a move or an et_view made lies where its source lies,
// over all paths that lead to it. A kernel that writes such a name writes those bytes.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_HOLDERS_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_HOLDERS_H_

#include <cstdint>
#include <vector>

#include "properties/proofs/facts/vocabulary.h"

namespace pteproof::proofs {

class Holders {
 public:
  explicit Holders(const MethodMeaning& method) : flow_(method.flow()), handles_(flow_) {}
  Holders(const Holders&) = delete;
  Holders& operator=(const Holders&) = delete;

  // The values in whose bytes a name lies just before a point, ascending: the name itself if it is
  // not a handle, or if on some path no move has reached it yet. The end of a buffer lies in it.
  [[nodiscard]] std::vector<int32_t> Of(int32_t name, Point at) const {
    // At entry nothing has moved yet, though a jump back may lead there.
    if (at.instruction < 0 || flow_.EndOfState(name) >= 0) return {flow_.ValueOf(name)};
    std::vector<int32_t> holders;
    handles_.HoldersAt(name, at, holders);
    return holders;
  }

  // Whether two values have bytes in common, or may: they lie in one bank, or are one piece of the
  // caller's memory.
  [[nodiscard]] bool ShareMemory(int32_t a, int32_t b) const {
    const Tensor& one = *flow_.method.TensorOf(a);
    const Tensor& other = *flow_.method.TensorOf(b);
    if (one.nbytes == 0 || other.nbytes == 0) return false;
    if (!one.planned) return a == b && flow_.roles.of[static_cast<size_t>(a)] != Role::kConstant;
    return other.planned && one.bank == other.bank;
  }

 private:
  const MethodFlow flow_;
  const Handles handles_;
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_HOLDERS_H_

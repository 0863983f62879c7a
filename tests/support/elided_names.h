// Methods with values that no instruction makes, and that are easily taken for names of the wrong
// bytes.
#ifndef PTEPROOF_TESTS_SUPPORT_ELIDED_NAMES_H_
#define PTEPROOF_TESTS_SUPPORT_ELIDED_NAMES_H_

#include <cstdint>

#include "pteproof/program.h"

namespace pteproof {

struct ElidedView {
  Method method;
  int32_t base = 0;
  int32_t view = 0;
};

// The result of both branches takes the bytes of the base, of which the second branch has a view.
// `read_in_time`: before that branch writes them.
[[nodiscard]] ElidedView ViewInABranch(bool read_in_time);

enum class Elided : uint8_t { kView, kSlice, kConcatenation };

// In a loop, one branch makes a value in the bytes of the base and the other one reads a name of
// the base: in the round before, those bytes were the other value's. `in_time`: before the branch
// writes them itself.
[[nodiscard]] ElidedView NameInABranchOfALoop(Elided kind, bool in_time);

// As exporters up to 1.2 write it: `copy_` returns a value that has bytes of its own, and whose
// view is read. ExecuTorch makes that value a name of the operand's bytes. The base, which is dead,
// had its bytes before. `is_concatenation`: the view reaches over a second dead value too.
[[nodiscard]] ElidedView ViewOfAReturnedName(bool is_concatenation);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_ELIDED_NAMES_H_

// Reads one operator signature in PyTorch's schema notation. Knows the notation, no operator.
#ifndef PTEPROOF_REFERENCE_OP_SIGNATURE_H_
#define PTEPROOF_REFERENCE_OP_SIGNATURE_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "reference/op_schema.h"

namespace pteproof {

// Views into the text that was read.
struct Signature {
  std::string_view name;
  std::vector<ArgSchema> args;  // `access` as far as the notation tells; `elementwise` is never set
  ReturnSlot returns = ReturnSlot::kWritten;
  bool is_view = false;   // two arguments of one alias set, neither written
  bool in_place = false;  // an argument before the `*` is written
};

// Reads "ns::name.overload(Tensor self, *, Tensor(a!) out) -> Tensor(a!)". Nothing when the text is
// not of that form, or returns what a file's return slot cannot hold (a fresh tensor). Defaults are
// skipped. A written list is returned also by "-> ()", as exporters emit it.
//
// A return that shares its set with an argument that is not written is another name of its bytes:
//   ns::cut(Tensor(a) self, int at) -> Tensor(a)                  the slot becomes a name of self
//   ns::cut.out(Tensor(a) self, int at, *, Tensor(a) out) -> Tensor(a)
// In the second form the planner placed `out` in the bytes of `self`, and the kernel does nothing.
// Then the slot counts among the arguments.
[[nodiscard]] std::optional<Signature> ParseSignature(std::string_view text);

// Where a text that is not a signature stops to be one: bytes from its start, and what is wrong.
struct SignatureFault {
  size_t at = 0;
  std::string_view what;
};
[[nodiscard]] std::optional<Signature> ParseSignature(std::string_view text, SignatureFault& fault);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OP_SIGNATURE_H_

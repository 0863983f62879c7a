// Reads one operator signature in PyTorch's schema notation. Knows the notation, no operator.
#ifndef PTEPROOF_REFERENCE_OP_SIGNATURE_H_
#define PTEPROOF_REFERENCE_OP_SIGNATURE_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/result.h"
#include "reference/op_schema.h"

namespace pteproof {

// Views into the text that was read, but for the name of a return slot.
struct Signature {
  std::string_view name;
  std::vector<ArgSchema> args;  // `access` as far as the notation tells; `elementwise` is never set
  ReturnSlot returns = ReturnSlot::kWritten;
  bool is_view = false;   // the last argument is another name of `viewed`, neither is written
  size_t viewed = 0;      // position
  bool in_place = false;  // an argument before the `*` is written
};

struct SignatureFault {
  size_t at = 0;     // bytes from the text's start
  std::string what;  // what is wrong there, and what may stand there
};

// Reads "ns::name.overload(Tensor self, *, Tensor(a!) out) -> Tensor(a!)". Defaults are skipped. A
// written list is returned also by "-> ()", as exporters emit it.
//
// A set without `!` says that two names are one:
//
//     f(Tensor(a) self) -> Tensor(a)                      the slot is pointed at self's bytes
//     f(Tensor(a) self, *, Tensor(a) out) -> Tensor(a)    out holds what lies at its own place:
//                                                         self's bytes, or a part of them
//     f(Tensor(a)[] parts, *, Tensor(a) out) -> ...       likewise, one behind the other
//
// A result that is no argument ("-> Tensor") is memory in the return slot, which the call writes:
// the slot is the last of `args` then, by the name "return", and an out.
[[nodiscard]] Result<Signature, SignatureFault> ParseSignature(std::string_view text);

// The schema of a signature that was read from `text`. `args` are the signature's, at a place where
// they outlive the schema.
[[nodiscard]] OpSchema SchemaOf(const Signature& signature, std::string_view text,
                                std::span<const ArgSchema> args);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OP_SIGNATURE_H_

// The operator table's rows as people write them: a signature in PyTorch's notation and what that
// notation cannot say. A row makes an operator's effects known; CONTRIBUTING.md lists its other
// places. Look-ups and the parsed form are in op_schema.h.
#ifndef PTEPROOF_REFERENCE_OP_TABLE_H_
#define PTEPROOF_REFERENCE_OP_TABLE_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pteproof {

// One operator, or several that differ in their names alone: `ns::f{,_nhwc}.out(...)` is ns::f.out
// and ns::f_nhwc.out.
//
// `signature` has the namespace and, after a dot, the overload as a file stores them. `Tensor(a!)`
// before the `*` is updated in place, after it is an out argument that is overwritten; two
// arguments of one set without `!` are names of the same bytes afterwards; a return annotated like
// an argument is another name of it.
//
// `elementwise` names the operands whose element i is read only to write element i of the result.
// Only then may the result take such an operand's bytes. So a softmax, a normalisation over its own
// statistics or a reduction is not marked (every output reads many inputs), nor are movements that
// permute, spread or gather (element i goes elsewhere), nor a kernel that clears its result before
// it reads (tril), nor an operand that is read whole for every element (a scale). Copies that keep
// the linear order are marked. Element i means the same place in memory, hence a mark says nothing
// where operand and result differ in dim order.
//
// `access` has what the signature cannot express, blank-separated: "self=none" (only its sizes are
// asked for, or the kernel leaves it alone), "self=write" (overwritten although no out),
// "self=fill" (a part is), "scratch=scratch" (memory to work in: overwritten, and no result, though
// it stands among the operands), "src=lasting" (read until a call waits for the result).
struct OpRow {
  std::string_view signature;
  std::string_view elementwise = {};  // blank-separated names
  std::string_view access = {};
};

// One tensor, element by element; then several tensors or a scalar.
[[nodiscard]] std::span<const OpRow> UnaryRows();
[[nodiscard]] std::span<const OpRow> BinaryRows();
// Names ending in an underscore.
[[nodiscard]] std::span<const OpRow> InPlaceRows();
// Results made from sizes and numbers.
[[nodiscard]] std::span<const OpRow> CreateRows();
// Copies, views, indexing: elements move unchanged.
[[nodiscard]] std::span<const OpRow> MoveRows();
// Reductions, scans, sorts.
[[nodiscard]] std::span<const OpRow> ReduceRows();
// Products, convolutions, pools, norms, resampling.
[[nodiscard]] std::span<const OpRow> NetworkRows();
// Built into the runtime.
[[nodiscard]] std::span<const OpRow> PrimRows();
// quantized_decomposed::
[[nodiscard]] std::span<const OpRow> QuantizedRows();
// llama:: and other libraries of its own.
[[nodiscard]] std::span<const OpRow> CustomRows();
// cadence:: and cortex_m::
[[nodiscard]] std::span<const OpRow> CadenceRows();
[[nodiscard]] std::span<const OpRow> CortexMRows();
// Operators that only name bytes anew. Their kernels do nothing, and there are none here.
[[nodiscard]] std::span<const OpRow> AliasRows();

// The signatures of a row, one for each name.
[[nodiscard]] std::vector<std::string> SignaturesOf(const OpRow& row);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OP_TABLE_H_

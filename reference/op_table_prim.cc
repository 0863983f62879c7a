// Operators that are part of the runtime itself: arithmetic on sizes and counters, and control
// flow's helpers.
#include "reference/op_table.h"

namespace pteproof {
namespace {

constexpr OpRow kPrimRows[] = {
    // Their scalars are whatever the program computed last: integers, floats or bools.
    {"executorch_prim::add.Scalar(Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::sub.Scalar(Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::mul.Scalar(Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::floordiv.Scalar(Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::mod.Scalar(Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::truediv.Scalar(Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::eq.Scalar(Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::gt.Scalar(Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::lt.Scalar(Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::ge.Scalar(Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::le.Scalar(Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::sym_max.Scalar(Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::sym_min.Scalar(Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::neg.Scalar(Scalar a) -> Scalar"},
    {"executorch_prim::sym_float.Scalar(Scalar a) -> Scalar"},
    {"executorch_prim::sym_int.Scalar(Scalar a) -> Scalar"},
    {"executorch_prim::sym_not.Scalar(Scalar a) -> Scalar"},
    {"executorch_prim::ceil.Scalar(Scalar a) -> Scalar"},
    {"executorch_prim::round.Scalar(Scalar a) -> Scalar"},
    {"executorch_prim::trunc.Scalar(Scalar a) -> Scalar"},
    {"executorch_prim::sym_ite.Scalar(Scalar condition, Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::floordiv.int(Scalar a, Scalar b) -> Scalar"},
    {"executorch_prim::mod.int(Scalar a, Scalar b) -> Scalar"},
    // From a tensor.
    {"aten::sym_size.int(Tensor self, int dim) -> SymInt", "", "self=none"},
    {"aten::sym_numel(Tensor self) -> SymInt", "", "self=none"},
    {"aten::_local_scalar_dense(Tensor self) -> Scalar"},
    // No return slot.
    {"executorch_prim::et_copy_index.tensor(Tensor(a!) copy_to, Tensor copy_from, int index) -> ()",
     "", "copy_to=fill"},
    {"executorch_prim::et_view.default(Tensor(a) self, int[] size, Tensor(a) out) -> ()", "",
     "self=none out=none"},
};

}  // namespace

std::span<const OpRow> PrimRows() {
  return kPrimRows;
}

}  // namespace pteproof

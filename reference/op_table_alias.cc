// Operators that stand for a movement which the memory plan has made needless: parts lie at their
// places inside the whole, and the kernel does nothing.
#include "reference/op_table.h"

namespace pteproof {
namespace {

constexpr OpRow kAliasRows[] = {
    {"aten::_cat_nop.out(Tensor(a)[] tensors, int dim=0, *, Tensor(a) out) -> Tensor(a)"},
    {"aten::_slice_copy_nop.Tensor_out(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? "
     "end=None, SymInt step=1, *, Tensor(a) out) -> Tensor(a)"},
    {"aten::_select_copy_nop.int_out(Tensor(a) self, int dim, SymInt index, *, Tensor(a) out) -> "
     "Tensor(a)"},
    // Waits until a unit of its own has copied, into the same place.
    {"cadence::idma_wait.out(Tensor(a) src, int task_num=0, *, Tensor(a) out) -> Tensor(a)"},
};

}  // namespace

std::span<const OpRow> AliasRows() {
  return kAliasRows;
}

}  // namespace pteproof

// Operators whose results each read many elements: reductions, scans and sorts.
#include "reference/op_table.h"

namespace pteproof {
namespace {

constexpr OpRow kReduceRows[] = {
    {"aten::amax.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::amin.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::any.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::any.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::any.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::argmax.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::argmin.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::cumsum.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) "
     "max_indices) -> (Tensor(a!) values, Tensor(b!) indices)"},
    {"aten::max.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::mean.dtype_out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::mean.out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, Tensor(b!) "
     "min_indices) -> (Tensor(a!) values, Tensor(b!) indices)"},
    {"aten::min.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::prod.int_out(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::prod.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values, "
     "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)"},
    {"aten::sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? "
     "dtype=None, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::topk.values(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True, *, "
     "Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)"},
    {"aten::var.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
     "keepdim=False, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::var.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::var_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
     "bool keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
};

}  // namespace

std::span<const OpRow> ReduceRows() {
  return kReduceRows;
}

}  // namespace pteproof

// Operators that move elements without computing on them.
#include "reference/op_table.h"

namespace pteproof {
namespace {

constexpr OpRow kMoveRows[] = {
    // Of self only the sizes matter; each element of src is read for its own place.
    {"aten::copy.out(Tensor self, Tensor src, bool non_blocking=False, *, Tensor(a!) out) -> "
     "Tensor(a!)",
     "src", "self=none"},
    // Whole tensors.
    {"aten::as_strided_copy.out(Tensor self, SymInt[] size, SymInt[] stride, SymInt? "
     "storage_offset=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::constant_pad_nd.out(Tensor self, SymInt[] pad, Scalar value=0, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::diagonal_copy.out(Tensor self, int offset=0, int dim1=0, int dim2=1, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"aten::expand_copy.out(Tensor self, SymInt[] size, *, bool implicit=False, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::flip.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::narrow_copy.out(Tensor self, int dim, SymInt start, SymInt length, *, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"aten::permute_copy.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::pixel_shuffle.out(Tensor self, int upscale_factor, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::pixel_unshuffle.out(Tensor self, int downscale_factor, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::reflection_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::reflection_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::reflection_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::repeat.out(Tensor self, SymInt[] repeats, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::repeat_interleave.Tensor_out(Tensor repeats, *, SymInt? output_size=None, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"aten::replication_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::replication_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::replication_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::roll.out(Tensor self, SymInt[1] shifts, int[1] dims=[], *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::split_copy.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, Tensor(a!)[] out) "
     "-> ()"},
    {"aten::split_with_sizes_copy.out(Tensor self, SymInt[] split_sizes, int dim=0, *, "
     "Tensor(a!)[] out) -> ()"},
    {"aten::stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::t_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::transpose_copy.int_out(Tensor self, int dim0, int dim1, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::tril.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::unbind_copy.int_out(Tensor self, int dim=0, *, Tensor(a!)[] out) -> ()"},
    {"aten::unfold_copy.out(Tensor self, int dimension, int size, int step, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::view_as_real_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    // By index. What updates a part of self keeps the other elements where they are.
    {"aten::gather.out(Tensor self, int dim, Tensor index, *, bool sparse_grad=False, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"aten::index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::index_add.out(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1, "
     "Tensor(a!) out) -> Tensor(a!)",
     "self"},
    {"aten::index_copy.out(Tensor self, int dim, Tensor index, Tensor source, *, Tensor(a!) out) "
     "-> "
     "Tensor(a!)",
     "self"},
    {"aten::index_fill.int_Scalar_out(Tensor self, int dim, Tensor index, Scalar value, *, "
     "Tensor(a!) out) -> Tensor(a!)",
     "self"},
    {"aten::index_fill.int_Tensor_out(Tensor self, int dim, Tensor index, Tensor value, *, "
     "Tensor(a!) out) -> Tensor(a!)",
     "self"},
    {"aten::index_put.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, *, "
     "Tensor(a!) out) -> Tensor(a!)",
     "self"},
    {"aten::index_select.out(Tensor self, int dim, Tensor index, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::masked_scatter.out(Tensor self, Tensor mask, Tensor source, *, Tensor(a!) out) -> "
     "Tensor(a!)",
     "self"},
    {"aten::masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::scatter.src_out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> "
     "Tensor(a!)",
     "self"},
    {"aten::scatter.value_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) "
     "-> Tensor(a!)",
     "self"},
    {"aten::scatter_add.out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> "
     "Tensor(a!)",
     "self"},
    {"aten::select_copy.int_out(Tensor self, int dim, SymInt index, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::select_scatter.out(Tensor self, Tensor src, int dim, SymInt index, *, Tensor(a!) out) "
     "-> Tensor(a!)",
     "self"},
    {"aten::slice_copy.Tensor_out(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, "
     "SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::slice_scatter.out(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? "
     "end=None, SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)",
     "self"},
};

}  // namespace

std::span<const OpRow> MoveRows() {
  return kMoveRows;
}

}  // namespace pteproof

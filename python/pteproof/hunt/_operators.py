"""How the operators of Modules are written in PyTorch.

`{0}` is the first operand, `{dtype}` the element type of the first result. Of operators that name
bytes or copy them there are two forms.
"""

CALLS = {
    "aten::neg.out": "torch.neg({0})",
    "aten::relu.out": "torch.relu({0})",
    "aten::sigmoid.out": "torch.sigmoid({0})",
    "aten::abs.out": "torch.abs({0})",
    "aten::tanh.out": "torch.tanh({0})",
    "aten::exp.out": "torch.exp({0})",
    "aten::add.out": "{0} + {1}",
    "aten::mul.out": "{0} * {1}",
    "aten::sub.out": "{0} - {1}",
    "aten::maximum.out": "torch.maximum({0}, {1})",
    "aten::minimum.out": "torch.minimum({0}, {1})",
    "aten::mul.Scalar_out": "{0} * {1}",
    "aten::add.Scalar_out": "{0} + {1}",
    "aten::amax.out": "torch.amax({0}, {1}, {2})",
    "aten::amin.out": "torch.amin({0}, {1}, {2})",
    "aten::sum.IntList_out": "torch.sum({0}, {1}, {2})",
    "aten::max.dim_max": "torch.max({0}, {1}, {2})",
    "aten::min.dim_min": "torch.min({0}, {1}, {2})",
    "aten::_softmax.out": "torch.softmax({0}, {1})",
    "aten::mm.out": "torch.mm({0}, {1})",
    "aten::cat.out": "torch.cat({0}, {1})",
    "aten::_to_copy.out": "torch.ops.aten._to_copy({0}, dtype={dtype})",
    "aten::any.all_out": "torch.any({0})",
    "aten::full.out": "torch.full({0}, {1}, dtype={dtype})",
    "aten::lt.Scalar_out": "{0} < {1}",
    "aten::gt.Tensor_out": "{0} > {1}",
    "aten::clone.out": "{0}.clone()",
    "aten::slice_scatter.out": "torch.slice_scatter({0}, {1}, {2}, {3}, {4})",
    "aten::zeros.out": "torch.zeros({0}, dtype={dtype})",
}
# Their first operand is written, and is the result.
IN_PLACE = {
    "aten::add_.Tensor": "{0}.add_({1})",
    "aten::mul_.Tensor": "{0}.mul_({1})",
    "aten::copy_": "{0}.copy_({1})",
    "aten::masked_fill_.Scalar": "{0}.masked_fill_({1}, {2})",
    "aten::index_fill_.int_Scalar": "{0}.index_fill_({1}, {2}, {3})",
    "aten::index_copy_": "{0}.index_copy_({1}, {2}, {3})",
    "aten::index_add_": "{0}.index_add_({1}, {2}, {3}, alpha={4})",
    "aten::index_put_": "{0}.index_put_({1}, {2}, {3})",
    "aten::scatter_.value": "{0}.scatter_({1}, {2}, {3})",
    "aten::scatter_.src": "{0}.scatter_({1}, {2}, {3})",
    "aten::scatter_add_": "{0}.scatter_add_({1}, {2}, {3})",
}
# As a name of the operand's bytes, and as a copy.
VIEWS = {
    "aten::slice_copy.Tensor_out": (
        "torch.ops.aten.slice({0}, {1}, {2}, {3})",
        "torch.slice_copy({0}, {1}, {2}, {3})",
    ),
    "aten::select_copy.int_out": ("{0}.select({1}, {2})", "torch.select_copy({0}, {1}, {2})"),
    "aten::view_copy.out": ("{0}.view({1})", "torch.view_copy({0}, {1})"),
    "aten::transpose_copy.int_out": (
        "{0}.transpose({1}, {2})",
        "torch.transpose_copy({0}, {1}, {2})",
    ),
    "aten::unsqueeze_copy.out": ("{0}.unsqueeze({1})", "torch.unsqueeze_copy({0}, {1})"),
    "aten::t_copy.out": ("{0}.t()", "torch.t_copy({0})"),
}

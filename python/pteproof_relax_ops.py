"""The operators of Relax that have a counterpart in pteproof's table (docs/reference/operators.md).

OPERATORS: name -> function(emit, args, attrs, out) that appends the nodes of one call and returns
its value, or a tuple of values; None if this call has no counterpart (then it stays unknown under
its own name). args are values, tuples, sizes and numbers; out is the type of the result, or a tuple
of types.
"""

from pteproof_relax_text import Sizes, Tensor, Value

# Operators that take a constant tensor of one element as a number.
TAKE_NUMBERS = ("relax.full", "relax.full_like")

OPERATORS = {}

_ELEMENTWISE = {  # with the operands that follow those of Relax
    "abs": ("abs.out",),
    "acos": ("acos.out",),
    "acosh": ("acosh.out",),
    "asin": ("asin.out",),
    "asinh": ("asinh.out",),
    "atan": ("atan.out",),
    "atanh": ("atanh.out",),
    "bitwise_not": ("bitwise_not.out",),
    "ceil": ("ceil.out",),
    "cos": ("cos.out",),
    "cosh": ("cosh.out",),
    "erf": ("erf.out",),
    "exp": ("exp.out",),
    "floor": ("floor.out",),
    "isinf": ("isinf.out",),
    "isnan": ("isnan.out",),
    "log": ("log.out",),
    "logical_not": ("logical_not.out",),
    "negative": ("neg.out",),
    "round": ("round.out",),
    "rsqrt": ("rsqrt.out",),
    "sigmoid": ("sigmoid.out",),
    "sign": ("sign.out",),
    "sin": ("sin.out",),
    "sinh": ("sinh.out",),
    "sqrt": ("sqrt.out",),
    "square": ("pow.Tensor_Scalar_out", 2),
    "tan": ("tan.out",),
    "tanh": ("tanh.out",),
    "trunc": ("trunc.out",),
    "nn.relu": ("relu.out",),
    "nn.gelu": ("gelu.out", "none"),
    "nn.gelu_tanh": ("gelu.out", "tanh"),
    "add": ("add.out", 1),
    "atan2": ("atan2.out",),
    "bitwise_and": ("bitwise_and.Tensor_out",),
    "bitwise_or": ("bitwise_or.Tensor_out",),
    "bitwise_xor": ("bitwise_xor.Tensor_out",),
    "equal": ("eq.Tensor_out",),
    "floor_divide": ("floor_divide.out",),
    "floor_mod": ("remainder.Tensor_out",),
    "greater": ("gt.Tensor_out",),
    "greater_equal": ("ge.Tensor_out",),
    "left_shift": ("bitwise_left_shift.Tensor_out",),
    "less": ("lt.Tensor_out",),
    "less_equal": ("le.Tensor_out",),
    "logical_and": ("logical_and.out",),
    "logical_or": ("logical_or.out",),
    "logical_xor": ("logical_xor.out",),
    "maximum": ("maximum.out",),
    "minimum": ("minimum.out",),
    "mod": ("fmod.Tensor_out",),
    "multiply": ("mul.out",),
    "not_equal": ("ne.Tensor_out",),
    "power": ("pow.Tensor_Tensor_out",),
    "right_shift": ("bitwise_right_shift.Tensor_out",),
    "subtract": ("sub.out", 1),
    "where": ("where.self_out",),
}


def _elementwise(name, *more):
    return lambda emit, args, attrs, out: emit.one(f"aten::{name}", [*args, *more], out)


OPERATORS.update({f"relax.{n}": _elementwise(*made) for n, made in _ELEMENTWISE.items()})
ELEMENTWISE = frozenset(OPERATORS)


def _operator(*names):
    def register(function):
        OPERATORS.update({f"relax.{name}": function for name in names})
        return function

    return register


def _ints(values):
    return [int(v) for v in values]


def _numbers(sizes):
    """Sizes as numbers; None if one of them varies."""
    numbers = [size.number() for size in sizes]
    return None if None in numbers else numbers


def _fits(number, tensor):
    """A number as an operand beside a tensor; None if it would change the element type, or if it is
    not known."""
    if not isinstance(number, (bool, int, float)):
        return None
    if tensor.is_float():
        return float(number)
    return int(number) if float(number).is_integer() else None


# --- Elementwise, with conditions.


@_operator("divide")
def _divide(emit, args, attrs, out):
    if out.is_float():
        return emit.one("aten::div.out", args, out)
    return emit.one("aten::div.out_mode", [*args, "trunc"], out)


@_operator("clip")
def _clip(emit, args, attrs, out):
    bounds = [_fits(bound, out) for bound in args[1:]]
    return None if None in bounds else emit.one("aten::clamp.out", [args[0], *bounds], out)


@_operator("nn.leakyrelu")
def _leaky_relu(emit, args, attrs, out):
    return emit.one("aten::leaky_relu.out", [args[0], float(attrs.alpha)], out)


@_operator("nn.silu")
def _silu(emit, args, attrs, out):
    if emit.is_in_place():
        return None
    return emit.one("aten::mul.out", [args[0], emit.one("aten::sigmoid.out", args, out)], out)


@_operator("astype")
def _as_type(emit, args, attrs, out):
    return emit.one("aten::_to_copy.out", [args[0], False, None], out)


# --- The same elements in the same order.


@_operator("reshape", "expand_dims", "squeeze", "flatten", "nn.batch_flatten")
def _view(emit, args, attrs, out):
    return emit.view(args[0], out)


@_operator("permute_dims")
def _permute(emit, args, attrs, out):
    rank = len(out.sizes)
    axes = range(rank)[::-1] if attrs.axes is None else [a % rank for a in _ints(attrs.axes)]
    return emit.one("aten::permute_copy.out", [args[0], list(axes)], out)


@_operator("broadcast_to")
def _broadcast(emit, args, attrs, out):
    return emit.one("aten::expand_copy.out", [args[0], list(out.sizes), False], out)


# --- Moving elements.


@_operator("concat")
def _concat(emit, args, attrs, out):
    parts = args[0]
    if attrs.axis is None:
        return None
    return emit.one("aten::cat.out", [list(parts), int(attrs.axis)], out)


@_operator("stack")
def _stack(emit, args, attrs, out):
    return emit.one("aten::stack.out", [list(args[0]), int(attrs.axis or 0)], out)


@_operator("split")
def _split(emit, args, attrs, out):
    axis, start, parts = int(attrs.axis), Sizes.of(0), []
    for part in out:
        end = start + part.sizes[axis]
        bounds = [args[0], axis, start, end, 1]
        parts.append(emit.one("aten::slice_copy.Tensor_out", bounds, part))
        start = end
    return tuple(parts)


@_operator("strided_slice")
def _strided_slice(emit, args, attrs, out):
    value, axes, begins, ends = args[:4]
    steps = args[4] if len(args) > 4 else [1] * len(axes)
    bounds = [*axes, *begins, *ends, *steps]
    if not all(isinstance(n, int) for n in bounds) or any(step < 1 for step in steps):
        return None
    rank = len(out.sizes)
    for axis, begin, end, step in zip(axes, begins, ends, steps, strict=True):
        axis %= rank
        sizes = [*value.type.sizes[:axis], out.sizes[axis], *value.type.sizes[axis + 1 :]]
        operands = [value, axis, begin, end, step]
        value = emit.one("aten::slice_copy.Tensor_out", operands, Tensor(out.dtype, sizes))
    return value


@_operator("tile")
def _tile(emit, args, attrs, out):
    repeats = _ints(attrs.repeats)
    repeats = [1] * (len(out.sizes) - len(repeats)) + repeats
    return emit.one("aten::repeat.out", [args[0], repeats], out)


@_operator("flip")
def _flip(emit, args, attrs, out):
    return emit.one("aten::flip.out", [args[0], [int(attrs.axis)]], out)


@_operator("gather_elements")
def _gather(emit, args, attrs, out):
    return emit.one("aten::gather.out", [args[0], int(attrs.axis), args[1], False], out)


@_operator("scatter_elements")
def _scatter(emit, args, attrs, out):
    name = {"update": "scatter.src_out", "add": "scatter_add.out"}.get(str(attrs.reduction))
    if name is None:
        return None
    return emit.one(f"aten::{name}", [args[0], int(attrs.axis), args[1], args[2]], out)


@_operator("index_tensor")
def _index(emit, args, attrs, out):
    return emit.one("aten::index.Tensor_out", [args[0], list(args[1])], out)


@_operator("index_put")
def _index_put(emit, args, attrs, out):
    indices = list(args[1]) if isinstance(args[1], tuple) else [args[1]]
    return emit.one("aten::index_put.out", [args[0], indices, args[2], bool(attrs.accumulate)], out)


@_operator("slice_scatter")
def _slice_scatter(emit, args, attrs, out):
    value, source, *bounds = args
    return emit.one("aten::slice_scatter.out", [value, source, int(attrs.axis), *bounds], out)


@_operator("take")
def _take(emit, args, attrs, out):
    value, indices = args
    if attrs.axis is None or not isinstance(indices, Value) or indices.type is None:
        return None
    axis, rank = int(attrs.axis), len(indices.type.sizes)
    if str(attrs.mode) != "fast" or indices.type.dtype not in ("int32", "int64"):
        return None
    if rank == 1:
        return emit.one("aten::index_select.out", [value, axis, indices], out)
    if axis == 0 and len(value.type.sizes) == 2:
        return emit.one("aten::embedding.out", [value, indices, -1, False, False], out)
    return None


@_operator("tril")
def _tril(emit, args, attrs, out):
    return emit.one("aten::tril.out", args, out)


@_operator("nn.pad")
def _pad(emit, args, attrs, out):
    if str(attrs.pad_mode) != "constant":
        return None
    width = _ints(attrs.pad_width)
    pairs = [width[i : i + 2] for i in range(0, len(width), 2)]
    backwards = [n for pair in reversed(pairs) for n in pair]
    value = _fits(attrs.pad_value, out)
    return (
        None
        if value is None
        else emit.one("aten::constant_pad_nd.out", [args[0], backwards, value], out)
    )


@_operator("nn.pixel_shuffle")
def _pixel_shuffle(emit, args, attrs, out):
    return emit.one("aten::pixel_shuffle.out", [args[0], int(attrs.upscale_factor)], out)


# --- New tensors.


@_operator("zeros")
def _zeros(emit, args, attrs, out):
    return emit.one("aten::zeros.out", [list(out.sizes)], out)


@_operator("ones")
def _ones(emit, args, attrs, out):
    return emit.one("aten::ones.out", [list(out.sizes)], out)


@_operator("full")
def _full(emit, args, attrs, out):
    return _filled(emit, "aten::full.out", [list(out.sizes), args[1]], out)


@_operator("full_like")
def _full_like(emit, args, attrs, out):
    return _filled(emit, "aten::full_like.out", [args[0], args[1], None], out)


@_operator("zeros_like")
def _zeros_like(emit, args, attrs, out):
    return _filled(emit, "aten::full_like.out", [args[0], 0, None], out)


@_operator("ones_like")
def _ones_like(emit, args, attrs, out):
    return _filled(emit, "aten::full_like.out", [args[0], 1, None], out)


def _filled(emit, name, operands, out):
    if not isinstance(operands[1], (bool, int, float)):
        return None
    if out.dtype != "bool":
        operands[1] = _fits(operands[1], out)
    return None if operands[1] is None else emit.one(name, operands, out)


@_operator("arange")
def _arange(emit, args, attrs, out):
    return emit.one("aten::arange.start_out", args, out)


# --- Reductions and searches.

_REDUCTIONS = {
    "sum": ("sum.IntList_out", None),
    "mean": ("mean.out", None),
    "max": ("amax.out",),
    "min": ("amin.out",),
}


def _reduction(name, *more):
    def made(emit, args, attrs, out):
        if more and not out.is_float() and out.dtype != "int64":
            return None  # torch sums other integers in int64
        rank = len(args[0].type.sizes)
        axes = range(rank) if attrs.axis is None else attrs.axis
        operands = [args[0], _ints(axes), bool(attrs.keepdims), *more]
        return emit.one(f"aten::{name}", operands, out)

    return made


OPERATORS.update({f"relax.{n}": _reduction(*made) for n, made in _REDUCTIONS.items()})


@_operator("variance")
def _variance(emit, args, attrs, out):
    axes = range(len(args[0].type.sizes)) if attrs.axis is None else attrs.axis
    operands = [args[0], _ints(axes), 0, bool(attrs.keepdims)]
    return emit.one("aten::var.correction_out", operands, out)


@_operator("prod")
def _prod(emit, args, attrs, out):
    axes = None if attrs.axis is None else _ints(attrs.axis)
    if not out.is_float() and out.dtype != "int64":
        return None
    if axes is None and not attrs.keepdims:
        return emit.one("aten::prod.out", [args[0], None], out)
    if axes is None or len(axes) != 1:
        return None
    return emit.one("aten::prod.int_out", [args[0], axes[0], bool(attrs.keepdims), None], out)


def _arg(name):
    def made(emit, args, attrs, out):
        if out.dtype != "int64":
            return None
        axis = None if attrs.axis is None else int(attrs.axis)
        return emit.one(name, [args[0], axis, bool(attrs.keepdims)], out)

    return made


_operator("argmax")(_arg("aten::argmax.out"))
_operator("argmin")(_arg("aten::argmin.out"))


@_operator("cumsum")
def _cumsum(emit, args, attrs, out):
    if attrs.axis is None or attrs.exclusive or args[0].type.dtype != out.dtype:
        return None
    if not out.is_float() and out.dtype != "int64":
        return None
    return emit.one("aten::cumsum.out", [args[0], int(attrs.axis), None], out)


@_operator("sort")
def _sort(emit, args, attrs, out):
    operands = [args[0], int(attrs.axis), bool(attrs.descending)]
    return emit.emit("aten::sort.values", operands, [out, Tensor("int64", out.sizes)])[0]


@_operator("argsort")
def _argsort(emit, args, attrs, out):
    if out.dtype != "int64":
        return None
    operands = [args[0], int(attrs.axis), bool(attrs.descending)]
    return emit.emit("aten::sort.values", operands, [args[0].type, out])[1]


@_operator("topk")
def _topk(emit, args, attrs, out):
    if str(attrs.ret_type) != "both" or out[1].dtype != "int64":
        return None
    operands = [args[0], int(attrs.k), int(attrs.axis), bool(attrs.largest), True]
    return tuple(emit.emit("aten::topk.values", operands, list(out)))


# --- Products.


@_operator("matmul")
def _matmul(emit, args, attrs, out):
    a, b = args
    ranks = len(a.type.sizes), len(b.type.sizes)
    if a.type.dtype != b.type.dtype or a.type.dtype != out.dtype or min(ranks) < 2:
        return None
    if ranks == (2, 2):
        return emit.one("aten::mm.out", args, out)
    if ranks[1] == 2:  # rows of all batches in one matrix
        rows = _all(a.type.sizes[:-1])
        flat = emit.view(a, Tensor(out.dtype, [rows, a.type.sizes[-1]]))
        product = emit.one("aten::mm.out", [flat, b], Tensor(out.dtype, [rows, out.sizes[-1]]))
        return emit.view(product, out)
    if a.type.sizes[:-2] != b.type.sizes[:-2]:
        return None
    batch = _all(out.sizes[:-2])
    one_batch = lambda t: Tensor(t.dtype, [batch, *t.sizes[-2:]])  # noqa: E731
    flat = [emit.view(v, one_batch(v.type)) for v in args]
    return emit.view(emit.one("aten::bmm.out", flat, one_batch(out)), out)


def _all(sizes):
    product = Sizes.of(1)
    for size in sizes:
        product *= size
    return product


def _convolution(dims, transposed):
    layout = {1: "NCW", 2: "NCHW"}[dims]
    kernel = {1: "W", 2: "HW"}[dims]

    def made(emit, args, attrs, out):
        padding = _symmetric(attrs.padding)
        layouts = str(attrs.data_layout), str(attrs.kernel_layout), str(attrs.out_layout)
        wanted = layout, ("IO" if transposed else "OI") + kernel, layout
        if padding is None or layouts != wanted or args[0].type.dtype != out.dtype:
            return None
        more = _ints(attrs.output_padding) if transposed else [0] * dims
        strides, dilation = _ints(attrs.strides), _ints(attrs.dilation)
        operands = [*args, None, strides, padding, dilation, transposed, more, int(attrs.groups)]
        return emit.one("aten::convolution.out", operands, out)

    return made


def _symmetric(padding):
    padding = _ints(padding)
    half = len(padding) // 2
    return padding[:half] if padding[:half] == padding[half:] else None


_operator("nn.conv1d")(_convolution(1, False))
_operator("nn.conv2d")(_convolution(2, False))
_operator("nn.conv1d_transpose")(_convolution(1, True))
_operator("nn.conv2d_transpose")(_convolution(2, True))


# --- Pools, norms, resampling.


@_operator("nn.max_pool2d")
def _max_pool(emit, args, attrs, out):
    padding = _symmetric(attrs.padding)
    if padding is None or str(attrs.layout) != "NCHW" or attrs.out_layout != attrs.layout:
        return None
    window = [_ints(attrs.pool_size), _ints(attrs.strides), padding, _ints(attrs.dilation)]
    operands = [args[0], *window, bool(attrs.ceil_mode)]
    types = [out, Tensor("int64", out.sizes)]
    return emit.emit("aten::max_pool2d_with_indices.out", operands, types)[0]


@_operator("nn.avg_pool2d")
def _avg_pool(emit, args, attrs, out):
    padding = _symmetric(attrs.padding)
    if padding is None or str(attrs.layout) != "NCHW" or attrs.out_layout != attrs.layout:
        return None
    if _ints(attrs.dilation) != [1, 1]:
        return None
    window = [_ints(attrs.pool_size), _ints(attrs.strides), padding]
    operands = [args[0], *window, bool(attrs.ceil_mode), bool(attrs.count_include_pad), None]
    return emit.one("aten::avg_pool2d.out", operands, out)


@_operator("nn.adaptive_avg_pool2d")
def _adaptive_avg_pool(emit, args, attrs, out):
    sizes = _numbers(out.sizes[-2:])
    if sizes is None or str(attrs.layout) != "NCHW" or attrs.out_layout != attrs.layout:
        return None
    return emit.one("aten::_adaptive_avg_pool2d.out", [args[0], sizes], out)


def _soft(name):
    return lambda emit, args, attrs, out: emit.one(name, [args[0], int(attrs.axis), False], out)


_operator("nn.softmax")(_soft("aten::_softmax.out"))
_operator("nn.log_softmax")(_soft("aten::_log_softmax.out"))


@_operator("nn.layer_norm")
def _layer_norm(emit, args, attrs, out):
    rank, count = len(out.sizes), len(attrs.axes)
    axes = sorted(axis % rank for axis in _ints(attrs.axes))
    if axes != list(range(rank - count, rank)) or not (attrs.center and attrs.scale):
        return None
    kept = Tensor(out.dtype, [*out.sizes[: rank - count], *[Sizes.of(1)] * count])
    operands = [args[0], list(out.sizes[rank - count :]), args[1], args[2], float(attrs.epsilon)]
    return emit.emit("aten::native_layer_norm.out", operands, [out, kept, kept])[0]


@_operator("nn.group_norm")
def _group_norm(emit, args, attrs, out):
    rank = len(out.sizes)
    axes = sorted(axis % rank for axis in _ints(attrs.axes))
    if int(attrs.channel_axis) != 1 or axes != list(range(2, rank)):
        return None
    if not (attrs.center and attrs.scale):
        return None
    groups = int(attrs.num_groups)
    kept = Tensor(out.dtype, [out.sizes[0], Sizes.of(groups)])
    counts = [out.sizes[0], out.sizes[1], _all(out.sizes[2:])]
    operands = [*args, *counts, groups, float(attrs.epsilon)]
    return emit.emit("aten::native_group_norm.out", operands, [out, kept, kept])[0]


@_operator("nn.batch_norm")
def _batch_norm(emit, args, attrs, out):
    if attrs.training or int(attrs.axis) != 1 or not (attrs.center and attrs.scale):
        return None
    none = Tensor(out[0].dtype, [Sizes.of(0)])
    operands = [*args, float(attrs.momentum), float(attrs.epsilon)]
    name = "aten::_native_batch_norm_legit_no_training.out"
    result = emit.emit(name, operands, [out[0], none, none])[0]
    copies = [
        emit.one("aten::clone.out", [v, None], t) for v, t in zip(args[3:], out[1:], strict=True)
    ]
    return (result, *copies)


@_operator("image.resize2d")
def _resize(emit, args, attrs, out):
    align = {"half_pixel": False, "align_corners": True}
    corners = align.get(str(attrs.coordinate_transformation_mode))
    sizes = _numbers(out.sizes[-2:])
    if str(attrs.layout) != "NCHW" or str(attrs.method) != "linear" or None in (corners, sizes):
        return None
    if args[0].type.dtype != out.dtype:
        return None
    operands = [args[0], sizes, corners, None]
    return emit.one("aten::upsample_bilinear2d.vec_out", operands, out)

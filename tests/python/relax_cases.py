"""One call of each operator of Relax that has a counterpart, for relax_test.py: name -> a function
that returns the call and its parameters. Kept apart: tables are long."""

import numpy
from tvm import relax
from tvm.relax import op as R

_COUNT = iter(range(10**6))


def tensor(*sizes, dtype="float32"):
    return relax.Var(f"p{next(_COUNT)}", relax.TensorType(sizes, dtype))


def constant(values, dtype="int64"):
    return relax.const(numpy.array(values), dtype)


def _unary(name, **given):
    def made():
        x = tensor(3, 4, **given)
        return getattr(R, name)(x), [x]

    return made


def _binary(name, **given):
    def made():
        x, y = tensor(3, 4, **given), tensor(4, **given)
        return getattr(R, name)(x, y), [x, y]

    return made


def _of(function, *shapes):
    def made():
        params = [tensor(*s) if isinstance(s, tuple) else s() for s in shapes]
        return function(*params), params

    return made


def _integers(*sizes, dtype="int64"):
    return lambda: tensor(*sizes, dtype=dtype)


CASES = {
    **{
        name: _unary(name)
        for name in "abs acos acosh asin asinh atan atanh ceil cos cosh erf exp floor isinf "
        "isnan log negative round rsqrt sigmoid sign sin sinh sqrt square tan tanh trunc".split()
    },
    "bitwise_not": _unary("bitwise_not", dtype="int32"),
    "logical_not": _unary("logical_not", dtype="bool"),
    **{
        name: _binary(name)
        for name in "add atan2 divide equal floor_divide floor_mod greater greater_equal less "
        "less_equal maximum minimum mod multiply not_equal power subtract".split()
    },
    **{
        name: _binary(name, dtype="int32")
        for name in "bitwise_and bitwise_or bitwise_xor left_shift right_shift".split()
    },
    **{name: _binary(name, dtype="bool") for name in "logical_and logical_or logical_xor".split()},
    "divide_integers": _binary("divide", dtype="int32"),
    "where": _of(R.where, _integers(3, 4, dtype="bool"), (3, 4), (4,)),
    "clip": _of(lambda x: R.clip(x, -0.5, 0.5), (3, 4)),
    "relu": _of(R.nn.relu, (3, 4)),
    "silu": _of(R.nn.silu, (3, 4)),
    "gelu": _of(R.nn.gelu, (3, 4)),
    "gelu_tanh": _of(R.nn.gelu_tanh, (3, 4)),
    "leakyrelu": _of(lambda x: R.nn.leakyrelu(x, 0.1), (3, 4)),
    "relu6": _of(R.nn.relu6, (3, 4)),
    "softmax": _of(lambda x: R.nn.softmax(x, 0), (3, 4)),
    "log_softmax": _of(lambda x: R.nn.log_softmax(x, -1), (3, 4)),
    "astype": _of(lambda x: R.astype(x, "int32"), (3, 4)),
    "reshape": _of(lambda x: R.reshape(x, (2, 6)), (3, 4)),
    "expand_dims": _of(lambda x: R.expand_dims(x, [0, 3]), (3, 4)),
    "squeeze": _of(lambda x: R.squeeze(x, [1]), (3, 1, 4)),
    "flatten": _of(R.flatten, (3, 4)),
    "permute_dims": _of(lambda x: R.permute_dims(x, [2, 0, 1]), (2, 3, 4)),
    "permute_dims_in_order": _of(lambda x: R.permute_dims(x, [1, 0]), (1, 4)),
    "broadcast_to": _of(lambda x: R.broadcast_to(x, (2, 3, 4)), (3, 1)),
    "concat": _of(lambda x, y: R.concat([x, y], 1), (3, 4), (3, 2)),
    "stack": _of(lambda x, y: R.stack([x, y], 1), (3, 4), (3, 4)),
    "split": _of(lambda x: R.split(x, [1, 3], 1), (3, 4)),
    "strided_slice": _of(lambda x: R.strided_slice(x, [0, 1], [1, -3], [3, 9], [1, 2]), (3, 4)),
    "tile": _of(lambda x: R.tile(x, (2, 1, 2)), (3, 4)),
    "flip": _of(lambda x: R.flip(x, 1), (3, 4)),
    "gather_elements": _of(
        lambda x: R.gather_elements(x, constant([[1, 0, 2, 2]]), axis=0), (3, 4)
    ),
    "scatter_elements": _of(
        lambda x, y: R.scatter_elements(x, constant([[1, 0, 2, 2]]), y, axis=0), (3, 4), (1, 4)
    ),
    "scatter_elements_add": _of(
        lambda x, y: R.scatter_elements(
            x, constant([[1, 0, 2, 2], [1, 1, 1, 2]]), y, axis=0, reduction="add"
        ),
        (3, 4),
        (2, 4),
    ),  # fmt: skip
    "index_tensor": _of(lambda x: R.index_tensor(x, [constant([2, 0])]), (3, 4)),
    "index_put": _of(
        lambda x, y: R.index_put(x, (constant([2, 0]), constant([1, 3])), y), (3, 4), (2,)
    ),
    "slice_scatter": _of(lambda x, y: R.slice_scatter(x, y, 1, 4, 2, axis=1), (3, 4), (3, 2)),
    "take": _of(lambda x: R.take(x, constant([2, 0, 2]), axis=1), (3, 4)),
    "take_rows": _of(lambda x: R.take(x, constant([[2, 0], [1, 1]]), axis=0), (3, 4)),
    "tril": _of(lambda x: R.tril(x, -1), (3, 4)),
    "pad": _of(lambda x: R.nn.pad(x, [0, 1, 2, 0], pad_value=1.5), (3, 4)),
    "pixel_shuffle": _of(lambda x: R.nn.pixel_shuffle(x, 2), (1, 8, 2, 3)),
    "zeros": _of(lambda x: R.add(x, R.zeros((3, 4), "float32")), (3, 4)),
    "ones": _of(lambda x: R.add(x, R.ones((3, 4), "float32")), (3, 4)),
    "full": _of(lambda x: R.add(x, R.full((3, 4), constant(2.5, "float32"), "float32")), (3, 4)),
    "full_like": _of(lambda x: R.full_like(x, constant(2.5, "float32")), (3, 4)),
    "zeros_like": _of(R.zeros_like, (3, 4)),
    "ones_like": _of(R.ones_like, (3, 4)),
    "arange": lambda: (R.arange(1, 8, 2), []),
    "sum": _of(lambda x: R.sum(x, [0], True), (3, 4)),
    "sum_of_all": _of(R.sum, (3, 4)),
    "mean": _of(lambda x: R.mean(x, [1]), (3, 4)),
    "max": _of(lambda x: R.max(x, [1]), (3, 4)),
    "min": _of(lambda x: R.min(x, [-1], True), (3, 4)),
    "prod": _of(lambda x: R.prod(x, [1]), (3, 4)),
    "prod_of_all": _of(R.prod, (3, 4)),
    "variance": _of(lambda x: R.variance(x, [1], True), (3, 4)),
    "argmax": _of(lambda x: R.argmax(x, 1, True), (3, 4)),
    "argmin": _of(lambda x: R.argmin(x, 0), (3, 4)),
    "cumsum": _of(lambda x: R.cumsum(x, 1), (3, 4)),
    "sort": _of(lambda x: R.sort(x, 1, True), (3, 4)),
    "argsort": _of(lambda x: R.argsort(x, 1, dtype="int64"), (3, 4)),
    "topk": _of(lambda x: R.topk(x, 2, 1, dtype="int64"), (3, 4)),
    "matmul": _of(R.matmul, (3, 4), (4, 2)),
    "matmul_of_batches": _of(R.matmul, (2, 3, 4), (2, 4, 2)),
    "matmul_of_heads": _of(R.matmul, (2, 2, 3, 4), (2, 2, 4, 2)),
    "matmul_of_rows": _of(R.matmul, (2, 3, 4), (4, 2)),
    "conv1d": _of(lambda x, w: R.nn.conv1d(x, w, padding=1), (1, 2, 6), (3, 2, 3)),
    "conv2d": _of(lambda x, w: R.nn.conv2d(x, w, 2, 1, groups=2), (1, 2, 6, 6), (4, 1, 3, 3)),
    "conv1d_transpose": _of(lambda x, w: R.nn.conv1d_transpose(x, w), (1, 2, 6), (2, 3, 3)),
    "conv2d_transpose": _of(
        lambda x, w: R.nn.conv2d_transpose(x, w, 2, 1, 1), (1, 2, 4, 4), (2, 3, 3, 3)
    ),
    "max_pool2d": _of(lambda x: R.nn.max_pool2d(x, (2, 2), (2, 2)), (1, 2, 4, 4)),
    "avg_pool2d": _of(
        lambda x: R.nn.avg_pool2d(x, (3, 3), (1, 1), (1, 1), count_include_pad=True), (1, 2, 4, 4)
    ),
    "adaptive_avg_pool2d": _of(lambda x: R.nn.adaptive_avg_pool2d(x, (2, 1)), (1, 2, 4, 4)),
    "layer_norm": _of(lambda x, g, b: R.nn.layer_norm(x, g, b, [-1]), (3, 4), (4,), (4,)),
    "group_norm": _of(
        lambda x, g, b: R.nn.group_norm(x, g, b, 2, 1, [2, 3]), (1, 4, 3, 3), (4,), (4,)
    ),
    "batch_norm": _of(
        lambda x, g, b, m, v: R.nn.batch_norm(x, g, b, m, R.abs(v), 1, training=False),
        (1, 3, 2, 2),
        (3,),
        (3,),
        (3,),
        (3,),
    ),  # fmt: skip
    "resize2d": _of(
        lambda x: R.image.resize2d(x, (5, 7), layout="NCHW", method="linear"), (1, 2, 3, 4)
    ),
}

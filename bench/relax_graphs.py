"""Graphs on which scripts/relax_table compares TVM's decisions and memory with pteproof's.

GRAPHS: name -> IRModule before any pass. Sizes are multiples of 16 bytes, as both align."""

import numpy
from relax_miscompiled import PROGRAMS
from tvm import relax
from tvm.relax import op as R

GRAPHS = {}


def tensor(name, *sizes, dtype="float32"):
    return relax.Var(name, relax.TensorType(sizes, dtype))


def graph(*params, in_place=None):
    """Registers a graph: a function of a binder and the parameters that returns the result, or a
    tuple of results. `b(call)` binds a call to a variable."""

    def register(function):
        builder = relax.BlockBuilder()
        attrs = {} if in_place is None else {"relax.inplace_arg": in_place}
        with builder.function("main", list(params), attrs=attrs):
            with builder.dataflow():
                results = function(builder.emit, *params)
                several = isinstance(results, tuple)
                outputs = [builder.emit_output(r) for r in (results if several else [results])]
            builder.emit_func_output(outputs if several else outputs[0])
        GRAPHS[function.__name__] = builder.finalize()
        return function

    return register


def element(value, index):
    return relax.TupleGetItem(value, index)


X = tensor("x", 16, 32)
Y = tensor("y", 16, 32)
W = tensor("w", 32, 32)
V = tensor("v", 32, 32)
ROW = tensor("row", 32)


# --- Chains and joins of elementwise calls.


@graph(X)
def relu_of_an_input(b, x):
    return b(R.nn.relu(x))


@graph(X)
def chain_of_relus(b, x):
    for _ in range(6):
        x = b(R.nn.relu(x))
    return x


@graph(X, Y)
def chain_of_sums(b, x, y):
    for _ in range(4):
        x = b(R.add(x, y))
    return x


@graph(X)
def chain_of_other_calls(b, x):
    return b(R.sigmoid(b(R.tanh(b(R.exp(b(R.negative(x))))))))


@graph(X)
def operand_twice(b, x):
    a = b(R.exp(x))
    return b(R.multiply(a, a))


@graph(X)
def second_use(b, x):
    a = b(R.exp(x))
    c = b(R.nn.relu(a))
    return b(R.concat([c, b(R.tanh(a))], 1))


@graph(X)
def read_before(b, x):
    a = b(R.exp(x))
    c = b(R.tanh(a))
    return b(R.concat([c, b(R.nn.relu(a))], 1))


@graph(X)
def diamond(b, x):
    a = b(R.exp(x))
    return b(R.add(b(R.nn.relu(a)), b(R.tanh(a))))


@graph(X, ROW)
def broadcast_row(b, x, row):
    return b(R.nn.relu(b(R.add(b(R.exp(x)), row))))


@graph(X, ROW)
def broadcast_operand_dies(b, x, row):
    return b(R.multiply(b(R.exp(row)), b(R.exp(x))))


@graph(X)
def other_element_type(b, x):
    return b(R.nn.relu(b(R.astype(b(R.exp(x)), "float16"))))


@graph(X, Y)
def comparison(b, x, y):
    a = b(R.exp(x))
    return b(R.nn.relu(b(R.where(b(R.less(a, y)), a, y))))


@graph(X, Y)
def tree_of_sums(b, x, y):
    leaves = [b(R.exp(x)), b(R.exp(y)), b(R.tanh(x)), b(R.tanh(y))]
    return b(R.add(b(R.add(*leaves[:2])), b(R.add(*leaves[2:]))))


@graph(X)
def result_that_nobody_reads(b, x):
    a = b(R.exp(x))
    b(R.nn.relu(a))
    return b(R.tanh(a))


@graph(X)
def value_and_its_update_returned(b, x):
    a = b(R.exp(x))
    return a, b(R.nn.relu(a))


# --- Views.


@graph(X)
def reshape_of_a_dead_base(b, x):
    return b(R.nn.relu(b(R.reshape(b(R.exp(x)), (32, 16)))))


@graph(X)
def reshape_of_a_live_base(b, x):
    a = b(R.exp(x))
    c = b(R.nn.relu(b(R.reshape(a, (32, 16)))))
    return b(R.matmul(a, c))


@graph(X)
def base_under_a_live_reshape(b, x):
    a = b(R.exp(x))
    c = b(R.reshape(a, (32, 16)))
    return b(R.matmul(b(R.nn.relu(a)), c))


@graph(X)
def two_views_of_one_base(b, x):
    a = b(R.exp(x))
    c, d = b(R.expand_dims(a, 1)), b(R.expand_dims(a, 1))
    return b(R.concat([b(R.multiply(c, d)), d], 1))


@graph(X)
def transposed(b, x):
    return b(R.nn.relu(b(R.permute_dims(b(R.exp(x))))))


@graph(X)
def base_of_a_transposed_copy(b, x):
    a = b(R.exp(x))
    t = b(R.permute_dims(a))
    return b(R.matmul(b(R.nn.relu(a)), t))


@graph(tensor("x", 16, 1, 32))
def squeezed(b, x):
    return b(R.nn.relu(b(R.squeeze(b(R.exp(x)), [1]))))


@graph(X)
def cast_and_renamed(b, x):
    a = b(R.exp(x))
    c = b(a)
    return b(R.nn.relu(c))


# --- Tuples; those that TVM's pass gets wrong are written in TVMScript.


@graph(X)
def parts_of_a_split(b, x):
    parts = b(R.split(x, 2, 0))
    return b(R.add(b(R.nn.relu(b(element(parts, 0)))), b(element(parts, 1))))


@graph(X)
def element_taken_once(b, x):
    pair = b(relax.Tuple([b(R.exp(x)), b(R.tanh(x))]))
    return b(R.nn.relu(b(element(pair, 0))))


GRAPHS.update(PROGRAMS)


# --- Blocks of networks.


@graph(X, W)
def residual(b, x, w):
    return b(R.add(b(R.nn.relu(b(R.matmul(x, w)))), x))


@graph(X, W, ROW, V)
def mlp(b, x, w, row, v):
    h = b(R.nn.relu(b(R.add(b(R.matmul(x, w)), row))))
    return b(R.add(b(R.matmul(h, v)), row))


@graph(X, W, V)
def gated_mlp(b, x, w, v):
    gate = b(R.nn.silu(b(R.matmul(x, w))))
    return b(R.matmul(b(R.multiply(gate, b(R.matmul(x, v)))), w))


@graph(X, W, V)
def mlp_with_gelu(b, x, w, v):
    return b(R.matmul(b(R.nn.gelu(b(R.matmul(x, w)))), v))


def _attention(b, q, k, v):
    scores = b(R.matmul(q, b(R.permute_dims(k, [0, 1, 3, 2]))))
    scores = b(R.multiply(scores, relax.const(numpy.float32(0.25))))
    return b(R.matmul(b(R.nn.softmax(scores, -1)), v))


HEADS = [tensor(n, 1, 4, 16, 16) for n in "qkv"]


@graph(*HEADS)
def attention(b, q, k, v):
    return _attention(b, q, k, v)


@graph(tensor("x", 1, 16, 64), *[tensor(n, 64, 64) for n in ("wq", "wk", "wv", "wo")])
def attention_block(b, x, wq, wk, wv, wo):
    heads = [
        b(R.permute_dims(b(R.reshape(b(R.matmul(x, w)), (1, 16, 4, 16))), [0, 2, 1, 3]))
        for w in (wq, wk, wv)
    ]
    joined = b(R.reshape(b(R.permute_dims(_attention(b, *heads), [0, 2, 1, 3])), (1, 16, 64)))
    return b(R.add(b(R.matmul(joined, wo)), x))


@graph(
    tensor("x", 16, 64),
    tensor("g", 64),
    tensor("h", 64),
    tensor("w", 64, 128),
    tensor("v", 128, 64),
)
def norm_and_mlp(b, x, g, h, w, v):
    n = b(R.nn.layer_norm(x, g, h, [-1]))
    return b(R.add(b(R.matmul(b(R.nn.relu(b(R.matmul(n, w)))), v)), x))


@graph(tensor("x", 1, 8, 16, 16), tensor("w", 8, 8, 3, 3), tensor("v", 8, 8, 3, 3))
def residual_convolutions(b, x, w, v):
    a = b(R.nn.relu(b(R.nn.conv2d(x, w, padding=1))))
    return b(R.nn.relu(b(R.add(b(R.nn.conv2d(a, v, padding=1)), x))))


@graph(tensor("x", 1, 8, 16, 16), tensor("w", 8, 8, 3, 3), tensor("v", 512, 16))
def convolution_and_classifier(b, x, w, v):
    a = b(R.nn.relu(b(R.nn.conv2d(x, w, padding=1))))
    flat = b(R.reshape(b(R.nn.avg_pool2d(a, (2, 2), (2, 2))), (1, 512)))
    return b(R.nn.softmax(b(R.matmul(flat, v)), -1))


@graph(tensor("x", 4, 32), tensor("c", 4, 32), tensor("w", 32, 128))
def lstm_cell(b, x, c, w):
    gates = b(R.split(b(R.matmul(x, w)), 4, 1))
    i, f, g, o = [b(element(gates, n)) for n in range(4)]
    kept = b(R.multiply(b(R.sigmoid(f)), c))
    c = b(R.add(kept, b(R.multiply(b(R.sigmoid(i)), b(R.tanh(g))))))
    return b(R.multiply(b(R.sigmoid(o)), b(R.tanh(c)))), c


@graph(X)
def normalised_rows(b, x):
    a = b(R.exp(x))
    return b(R.divide(a, b(R.sum(a, [1], True))))


# --- The three uses of updates in place: parts of one buffer, a cache, rows of a table.


@graph(*[tensor(n, 8, 32) for n in "xyz"])
def concatenation(b, x, y, z):
    return b(R.concat([b(R.nn.relu(b(R.exp(v)))) for v in (x, y, z)], 0))


@graph(*[tensor(n, 8, 32) for n in "xyz"])
def concatenation_into_a_buffer(b, x, y, z):
    whole = b(R.zeros((24, 32), "float32"))
    for part in (x, y, z):
        done = R.call_inplace_packed("put", whole, part, inplace_indices=[0], ty_args=[whole.ty])
        whole = b(done)
    return whole


CACHE = tensor("cache", 64, 32)


@graph(CACHE, tensor("k", 1, 32), in_place=0)
def cache_step(b, cache, k):
    done = R.call_inplace_packed("put", cache, k, inplace_indices=[0], ty_args=[cache.ty])
    cache = b(done)
    return cache, b(R.matmul(k, b(R.permute_dims(cache))))


@graph(CACHE, tensor("k", 1, 32))
def cache_step_functional(b, cache, k):
    cache = b(R.slice_scatter(cache, k, 7, 8, 1, axis=0))
    return cache, b(R.matmul(k, b(R.permute_dims(cache))))


TABLE = tensor("table", 128, 32)


@graph(TABLE, tensor("rows", 4, dtype="int64"), tensor("by", 4, 32), in_place=0)
def embedding_update(b, table, rows, by):
    scaled = b(R.multiply(by, relax.const(numpy.float32(-0.5))))
    done = R.call_inplace_packed(
        "add_rows", table, rows, scaled, inplace_indices=[0], ty_args=[table.ty]
    )
    return b(done)


@graph(TABLE, tensor("rows", 4, dtype="int64"), tensor("by", 4, 32))
def embedding_update_functional(b, table, rows, by):
    index = b(R.broadcast_to(b(R.expand_dims(rows, 1)), (4, 32)))
    return b(R.scatter_elements(table, index, by, axis=0, reduction="add"))


@graph(TABLE, tensor("rows", 4, dtype="int64"), tensor("p", 4, 32))
def embedding_lookup(b, table, rows, p):
    return b(R.nn.relu(b(R.add(b(R.take(table, rows, axis=0)), p))))


@graph(X, Y, in_place=0)
def in_place_argument(b, x, y):
    return b(R.nn.relu(b(R.add(x, y))))

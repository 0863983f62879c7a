"""Kinds of models that people export: state, sizes, control flow, delegates, several methods."""

import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import ExecutorchBackendConfig, to_edge, to_edge_transform_and_lower
from executorch.exir.passes import MemoryPlanningPass
from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass
from torch import nn
from torch.export import Dim, export

X = torch.arange(16.0).reshape(4, 4)
IMAGE = torch.ones(1, 3, 8, 8)
TOKENS = torch.tensor([[1, 2, 3, 4]])


def shared():
    """Of programs whose methods share state. A config serves one program."""
    return ExecutorchBackendConfig(
        memory_planning_pass=MemoryPlanningPass(share_mutable_buffers=True),
        emit_mutable_buffer_names=True,
    )


def with_start():
    """Of programs whose state has a value at the start."""
    return ExecutorchBackendConfig(passes=[InitializedMutableBufferPass(["total"])])


class Model(nn.Module):
    """Holds these modules and buffers, and computes this function of itself and its inputs."""

    def __init__(self, function, **parts):
        super().__init__()
        self.function = function
        for name, part in parts.items():
            if isinstance(part, nn.Module):
                self.add_module(name, part)
            else:
                self.register_buffer(name, part)

    def forward(self, *inputs):
        return self.function(self, *inputs)


class Kind:
    """A kind of model: how it is exported, and how lowered."""

    def __init__(self, module, inputs, dynamic=None, config=None, delegate=False):
        self.modules = module if isinstance(module, dict) else {"forward": module}
        self.inputs = inputs if isinstance(inputs, dict) else {"forward": inputs}
        self.dynamic, self.config, self.delegate = dynamic, config, delegate

    def exported(self):
        return {name: self._export(name, module) for name, module in self.modules.items()}

    def _export(self, name, module):
        ready = module.eval() if isinstance(module, nn.Module) else module()
        return export(ready, self.inputs[name], dynamic_shapes=self.dynamic)

    def edge(self, exported):
        if self.delegate:
            return to_edge_transform_and_lower(exported, partitioner=[XnnpackPartitioner()])
        return to_edge(exported)


def accumulate(m, x):
    m.total.add_(x)
    return m.total * 2


def put_in_cache(m, x, at):
    torch.ops.aten.index_put_(m.cache, [at], x)
    return m.cache.sum(0)


def ring(m, x):
    m.history.copy_(torch.cat([m.history[1:], x.unsqueeze(0)]))
    return m.history.mean(0)


def put(m, x):
    m.memory.copy_(x)
    return x + 1


def get(m):
    return m.memory * 1.0


def branch(_, x):
    return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))


def mapped(_, x):
    from functorch.experimental.control_flow import map

    return map(lambda row, y: row * y, x, x.sum())


def attend(m, x):
    return nn.functional.scaled_dot_product_attention(m.q(x), m.k(x), m.v(x))


def stateful_pair():
    memory = torch.zeros(2, 2)
    return {"put": Model(put, memory=memory), "get": Model(get, memory=memory)}


def attention():
    return {name: nn.Linear(4, 4) for name in "qkv"}


def quantised():
    import executorch.kernels.quantized  # noqa: F401, its operators
    from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import (
        XNNPACKQuantizer,
        get_symmetric_quantization_config,
    )
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    module = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)).eval()
    quantizer = XNNPACKQuantizer().set_global(get_symmetric_quantization_config())
    prepared = prepare_pt2e(export(module, (X,)).module(), quantizer)
    prepared(X)
    return convert_pt2e(prepared)


def lstm(m, x):
    return m.lstm(x)[0]


def lambda_of(function, **parts):
    return Model(lambda m, *inputs: function(*inputs), **parts)


ROWS = ({0: Dim("rows", min=1, max=64)},)


def kinds():
    """By name; made anew, as exporting changes nothing but lowering may."""
    conv = lambda: nn.Conv2d(3, 4, 3)  # noqa: E731
    return {
        "linear": Kind(nn.Linear(4, 2), (X,)),
        "mlp": Kind(nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 2)), (X,)),
        "convolution": Kind(nn.Sequential(conv(), nn.BatchNorm2d(4), nn.ReLU()), (IMAGE,)),
        "depthwise": Kind(nn.Conv2d(3, 3, 3, groups=3, padding=1), (IMAGE,)),
        "pooling": Kind(nn.Sequential(conv(), nn.MaxPool2d(2), nn.Flatten()), (IMAGE,)),
        "average": Kind(nn.AvgPool2d(2), (IMAGE,)),
        "residual": Kind(lambda_of(lambda x: torch.relu(x) + x), (X,)),
        "two inputs": Kind(lambda_of(lambda x, y: x @ y), (X, X)),
        "several outputs": Kind(lambda_of(lambda x: (x + 1, x * 2, x.sum())), (X,)),
        "one output twice": Kind(lambda_of(lambda x: [y := x + 1, y]), (X,)),
        "views": Kind(lambda_of(lambda x: x.view(2, 8).t().reshape(4, 4) + 1), (X,)),
        "concatenation": Kind(lambda_of(lambda x: torch.cat([x + 1, x * 2]) * 3), (X,)),
        "split": Kind(lambda_of(lambda x: torch.add(*torch.split(x, 2))), (X,)),
        "slices": Kind(lambda_of(lambda x: x[1:3, ::2] - x[:2, 1::2]), (X,)),
        "softmax": Kind(nn.Softmax(-1), (X,)),
        "layer norm": Kind(nn.LayerNorm(4), (X,)),
        "group norm": Kind(nn.GroupNorm(1, 3), (IMAGE,)),
        "embedding": Kind(nn.Embedding(8, 4), (TOKENS,)),
        "attention": Kind(Model(attend, **attention()), (X.unsqueeze(0),)),
        "transformer": Kind(
            nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), (X.unsqueeze(0),)
        ),
        "lstm": Kind(Model(lstm, lstm=nn.LSTM(4, 3, batch_first=True)), (X.unsqueeze(0),)),
        "top k": Kind(lambda_of(lambda x: tuple(torch.topk(x, 2))), (X,)),
        "sort": Kind(lambda_of(lambda x: tuple(torch.sort(x, dim=1))), (X,)),
        "where": Kind(lambda_of(lambda x: torch.where(x > 3, x, -x)), (X,)),
        "integers": Kind(lambda_of(lambda t: (t * 2 + 1) % 5), (TOKENS,)),
        "half": Kind(lambda_of(lambda x: (x.half() * 2).float()), (X,)),
        "upsample": Kind(nn.Upsample(scale_factor=2), (IMAGE,)),
        "padding": Kind(nn.ZeroPad2d(1), (IMAGE,)),
        "constant": Kind(Model(lambda m, x: x + m.c, c=torch.ones(4)), (X,)),
        "counter": Kind(Model(accumulate, total=torch.zeros(4, 4)), (X,)),
        "counter with a start": Kind(
            Model(accumulate, total=torch.ones(4, 4)), (X,), config=with_start()
        ),
        "cache": Kind(
            Model(put_in_cache, cache=torch.zeros(8, 4)), (torch.ones(1, 4), torch.tensor([2]))
        ),
        "ring buffer": Kind(Model(ring, history=torch.zeros(3, 4)), (torch.ones(4),)),
        "input changed": Kind(lambda_of(lambda x: x.add_(1) * 2), (X.clone(),)),
        "dynamic rows": Kind(nn.Linear(4, 2), (X,), dynamic=ROWS),
        "dynamic mlp": Kind(nn.Sequential(nn.Linear(4, 8), nn.ReLU()), (X,), dynamic=ROWS),
        "cond": Kind(Model(branch), (X,)),
        "map": Kind(Model(mapped), (X,)),
        "delegated": Kind(nn.Sequential(nn.Linear(4, 8), nn.ReLU()), (X,), delegate=True),
        "delegated convolution": Kind(nn.Sequential(conv(), nn.ReLU()), (IMAGE,), delegate=True),
        "delegated in part": Kind(
            lambda_of(lambda x: tuple(torch.topk(x @ x + 1, 2))), (X,), delegate=True
        ),
        "delegated state": Kind(Model(accumulate, total=torch.zeros(4, 4)), (X,), delegate=True),
        "quantised": Kind(quantised, (X,)),
        "quantised and delegated": Kind(quantised, (X,), delegate=True),
        "put and get": Kind(
            stateful_pair(), {"put": (torch.ones(2, 2),), "get": ()}, config=shared()
        ),
        "two methods": Kind(
            {"encode": nn.Linear(4, 2), "decode": nn.Linear(2, 4)},
            {"encode": (X,), "decode": (torch.ones(4, 2),)},
        ),
    }

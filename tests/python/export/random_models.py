"""Random models whose files are compared with what the exporter knows (exporter_truth.py).

A method is a list of steps. Each makes a value of the values before it, or updates a buffer, an input or a value in
place. All values are rows, float [4, 4], or images, float [1, 4, 6, 6], and some images are channels-last.
"""

import dataclasses
import inspect
import random

import torch
from executorch.backends.xnnpack.partition.config.generic_node_configs import AddConfig, MulConfig
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import EdgeCompileConfig, ExecutorchBackendConfig, to_edge_transform_and_lower
from executorch.exir.passes import MemoryPlanningPass
from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass
from torch import nn
from torch.nn import functional
from torch.export import export

ROWS, IMAGE = (4, 4), (1, 4, 6, 6)
LAST = torch.channels_last


class Held(nn.Module):
    """What the methods of a model share."""

    def __init__(self, start):
        super().__init__()
        self.register_buffer("total", torch.rand(ROWS) if start else torch.zeros(ROWS))
        self.register_buffer("other", torch.zeros(ROWS))
        self.register_buffer("cache", torch.zeros(3, *ROWS))
        self.register_buffer("count", torch.zeros(1))
        self.linear, self.norm = nn.Linear(4, 4), nn.LayerNorm(4)
        self.conv, self.batch = nn.Conv2d(4, 4, 3, padding=1), nn.BatchNorm2d(4)


def _branches(held, x):
    return torch.cond(x.sum() > 0, lambda v: v * 2, lambda v: v - held.norm.weight, (x,))


def _swapped(held, _):
    first = held.total.clone()
    held.total.copy_(held.other)
    return held.other.copy_(first) + 1


def _shifted(held, x):
    held.cache.copy_(torch.cat([held.cache[1:], x.unsqueeze(0)]))
    return held.cache.mean(0)


def _put(held, x):
    torch.ops.aten.index_put_(held.cache, [torch.tensor([1])], x.unsqueeze(0))
    return held.cache[1] * 2


# Of the module and one value or two of the kind.
OF_ROWS = [
    lambda m, x: x.relu(),
    lambda m, x: x.sigmoid(),
    lambda m, x: x.t(),
    lambda m, x: x.clone(),
    lambda m, x: x.view(2, 8).view(4, 4),
    lambda m, x: x.reshape(16)[None].expand(4, 16)[:, 4:8],
    lambda m, x: torch.cat([x[1:], x[:1]]),
    lambda m, x: torch.stack(x.unbind(0)[::-1]),
    lambda m, x: x + x[1],
    lambda m, x: x[2].unsqueeze(0).expand(4, 4),
    lambda m, x: x.softmax(-1),
    lambda m, x: x.cumsum(0),
    lambda m, x: m.linear(x),
    lambda m, x: m.norm(x),
    lambda m, x: x.t().contiguous(),
    lambda m, x: x.topk(4, dim=1).values,
    lambda m, x: torch.cat(x.split(2, dim=1)[::-1], 1),
    _branches,
]
OF_TWO_ROWS = [
    lambda m, x, y: x + y,
    lambda m, x, y: x * y,
    lambda m, x, y: x @ y,
    lambda m, x, y: torch.where(x > y, x, y),
    lambda m, x, y: torch.cat([x[:2], y[2:]]),
    lambda m, x, y: torch.maximum(x, y),
]
OF_STATE = [
    lambda m, x: x + m.total,
    lambda m, x: m.total * 1,
    lambda m, x: x + m.total.view(2, 8).view(4, 4),
    lambda m, x: (x.view(2, 8) + m.total.view(2, 8)).view(4, 4),
    lambda m, x: m.other.view(16)[:4] * x,
    lambda m, x: m.total,
    lambda m, x: m.cache[1] + x,
    lambda m, x: m.total.add_(x),
    lambda m, x: m.total.copy_(x),
    lambda m, x: m.other.mul_(0.5).add_(x),
    lambda m, x: m.total[2].copy_(x[0]) + x,
    lambda m, x: m.cache[0].copy_(x),
    lambda m, x: m.total.zero_() + x,
    lambda m, x: x + m.count.add_(1),
    lambda m, x: m.total.relu_(),
    _swapped,
    _shifted,
    _put,
]
IN_PLACE = [
    lambda m, x: x.add_(1),
    lambda m, x: x.mul_(2),
    lambda m, x: x.relu_(),
    lambda m, x: x[0].add_(1).unsqueeze(0) + x,
    lambda m, x: x.view(16)[4:8].zero_() + x,
    lambda m, x: x.copy_(x.t().clone()),
]
OF_IMAGE = [
    lambda m, x: x.relu(),
    lambda m, x: m.conv(x),
    lambda m, x: m.batch(x),
    lambda m, x: x.contiguous(),
    lambda m, x: x.contiguous(memory_format=LAST),
    lambda m, x: x.to(memory_format=LAST) * 2,
    lambda m, x: functional.max_pool2d(x, 3, 1, 1),
    lambda m, x: functional.avg_pool2d(x, 3, 1, 1),
    lambda m, x: functional.pad(x, (1, 1))[..., 1:7],
    lambda m, x: torch.cat([x[:, 2:], x[:, :2]], 1),
    lambda m, x: x.permute(0, 1, 3, 2),
    lambda m, x: x * x.mean((2, 3), keepdim=True),
    lambda m, x: x.softmax(1),
    lambda m, x: x.reshape(1, 4, 36).view(IMAGE),
    lambda m, x: x[:, :, 1:2].expand(IMAGE),
    lambda m, x: x.clone(),
    lambda m, x: functional.interpolate(x[..., :3, :3], scale_factor=2),
    lambda m, x: torch.stack(x.unbind(1), 1),
    lambda m, x: functional.pixel_shuffle(x.repeat(1, 4, 1, 1), 2)[..., ::2, ::2],
]
OF_TWO_IMAGES = [
    lambda m, x, y: x + y,
    lambda m, x, y: x * y.sigmoid(),
    lambda m, x, y: torch.cat([x[:, :2], y[:, 2:]], 1),
    lambda m, x, y: x - y[:, :1],
]
BETWEEN = [
    (IMAGE, lambda m, x: x[0, :, :4, 1]),
    (IMAGE, lambda m, x: x.mean((2, 3)).expand(ROWS)),
    (IMAGE, lambda m, x: x.flatten(1)[:, :16].view(ROWS)),
    (ROWS, lambda m, x: functional.pad(x, (1, 1, 1, 1))[None, None].repeat(1, 4, 1, 1)),
    (ROWS, lambda m, x: x[:1].reshape(1, 4, 1, 1).expand(IMAGE)),
]


class Method(nn.Module):
    """The steps in turn, and what is returned."""

    def __init__(self, held, steps, returned):
        super().__init__()
        self.held, self.steps, self.returned = held, steps, returned

    def forward(self, *inputs):
        values = list(inputs)
        for step, operands in self.steps:
            values.append(step(self.held, *(values[v] for v in operands)))
        return tuple(values[v] for v in self.returned)


@dataclasses.dataclass
class Drawn:
    """A model, what its methods are called with, and how it is exported."""

    methods: dict[str, Method]
    shapes: dict[str, list[tuple[tuple[int, ...], bool]]]  # of inputs; whether channels-last
    config: ExecutorchBackendConfig
    delegate: str  # what is given to the delegate: "nothing", "all" that it takes, or "sums" only
    held: Held

    def inputs(self, name):
        """New ones, with random values."""
        made = [torch.randn(shape) for shape, _ in self.shapes[name]]
        return [
            x.to(memory_format=LAST) if last else x
            for x, (_, last) in zip(made, self.shapes[name], strict=True)
        ]

    def exported(self):
        return {
            name: export(method, tuple(self.inputs(name))) for name, method in self.methods.items()
        }

    def edge(self, exported):
        partitioner = {
            "nothing": lambda: None,
            "all": lambda: [XnnpackPartitioner()],
            "sums": lambda: [XnnpackPartitioner(configs=[AddConfig, MulConfig])],
        }[self.delegate]()
        check = EdgeCompileConfig(_check_ir_validity=False)
        return to_edge_transform_and_lower(exported, partitioner=partitioner, compile_config=check)


def draw(seed):
    """The model of a seed: the same at each call."""
    dice = random.Random(seed)
    torch.manual_seed(seed)
    start = dice.random() < 0.3
    held = Held(start).eval()
    images = dice.random() < 0.4
    drawn = Drawn({}, {}, _config(dice, start), _delegate(dice), held)
    for m in range(dice.choice([1, 1, 2, 3])):
        shapes = [(ROWS, False)] * dice.randint(1, 2)
        shapes += [(IMAGE, dice.random() < 0.5) for _ in range(dice.randint(1, 2) if images else 0)]
        drawn.shapes[f"m{m}"] = shapes
        drawn.methods[f"m{m}"] = Method(held, *_steps(dice, [shape for shape, _ in shapes])).eval()
    return drawn


# Beside sums alone, views stay outside and are given to the delegate.
def _delegate(dice):
    return dice.choices(["nothing", "all", "sums"], [7, 1.5, 1.5])[0]


def _steps(dice, kinds):
    steps = []
    inputs = len(kinds)
    for _ in range(dice.randint(2, 8)):
        step, operands, kind = _step(dice, kinds)
        steps.append((step, operands))
        kinds.append(kind)
    made = range(inputs, len(kinds))
    returned = dice.choices(made, k=dice.randint(1, 3)) + (
        [len(kinds) - 1] if dice.random() < 0.7 else []
    )
    return steps, returned


def _step(dice, kinds):
    kind = dice.choice(kinds)
    of = lambda wanted: dice.choice([v for v, k in enumerate(kinds) if k == wanted])  # noqa: E731
    between = [step for step in BETWEEN if step[0] in kinds]
    if IMAGE in kinds and dice.random() < 0.15:
        wanted, step = dice.choice(between)
        return step, [of(wanted)], IMAGE if wanted == ROWS else ROWS
    two = dice.random() < 0.3
    if kind == IMAGE:
        return (
            dice.choice(OF_TWO_IMAGES if two else OF_IMAGE),
            [of(IMAGE) for _ in range(1 + two)],
            IMAGE,
        )
    if two:
        return dice.choice(OF_TWO_ROWS), [of(ROWS), of(ROWS)], ROWS
    table = dice.choices([OF_ROWS, OF_STATE, IN_PLACE], [5, 4, 1])[0]
    return dice.choice(table), [of(ROWS)], ROWS


def _with_known(cls, **options):
    """An instance; older versions of ExecuTorch lack some of the options."""
    known = inspect.signature(cls.__init__).parameters
    return cls(**{name: option for name, option in options.items() if name in known})


def _config(dice, start):
    planning = _with_known(
        MemoryPlanningPass,
        alloc_graph_input=dice.random() < 0.7,
        alloc_graph_output=dice.random() < 0.7,
        share_mutable_buffers=dice.random() < 0.6,
    )
    return _with_known(
        ExecutorchBackendConfig,
        passes=[InitializedMutableBufferPass(["total"])] if start else [],
        memory_planning_pass=planning,
        emit_mutable_buffer_names=dice.random() < 0.6,
        remove_view_copy=dice.random() < 0.9,
        run_reinplace_pass=dice.random() < 0.2,
    )

"""Models of the kinds that people export: layers, images, updates, methods that share state.

A method is a list of nodes, each an expression of PyTorch: of the values before it, or of state.
All values are rows, float [4, 4], or images, float [1, 4, 6, 6]; some images come channels-last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pteproof.hunt._text import Buffer, Method, Module, Node, Type, Value

if TYPE_CHECKING:
    import random

    # Steps of rows, of two rows, of state.
    Tables = tuple[list[str], list[str], list[str]]

ROWS, IMAGE = Type("float32", [4, 4]), Type("float32", [1, 4, 6, 6])
_LAST = "memory_format=torch.channels_last"
_BRANCHES = "cond({0}.sum() > 0, lambda v: v * 2, lambda v: v - self.norm.weight, ({0},))"
_TWO_BRANCHES = (
    "cond({0}.sum() > 0, lambda v: v * v, lambda v: v + 1, ({0},))"
    " - cond({0}.sum() > 1, lambda v: v + v, lambda v: v * 3, ({0},))"
)
_NESTED = (
    "cond({0}.sum() > 0, lambda v: cond(v.mean() > 1, lambda w: w * 2, lambda w: w - 1, (v * v,))"
    " + v, lambda v: v - 1, ({0},))"
)
_SWAPPED = (
    "(old := self.total.clone(), self.total.copy_(self.other), self.other.copy_(old) + 1)[-1]"
)
_SHIFTED = "self.cache.copy_(torch.cat([self.cache[1:], {0}.unsqueeze(0)])).mean(0)"
_PUT = (
    "(torch.ops.aten.index_put_(self.cache, [torch.tensor([1])], {0}.unsqueeze(0)),"
    " self.cache[1] * 2)[-1]"
)
OF_ROWS = [
    "{0}.relu()",
    "{0}.sigmoid()",
    "{0}.t()",
    "{0}.clone()",
    "{0}.view(2, 8).view(4, 4)",
    "{0}.reshape(16)[None].expand(4, 16)[:, 4:8]",
    "torch.cat([{0}[1:], {0}[:1]])",
    "torch.stack({0}.unbind(0)[::-1])",
    "{0} + {0}[1]",
    "{0}[2].unsqueeze(0).expand(4, 4)",
    "{0}.softmax(-1)",
    "{0}.cumsum(0)",
    "self.linear({0})",
    "self.norm({0})",
    "{0}.t().contiguous()",
    "{0}.topk(4, dim=1).values",
    "torch.cat({0}.split(2, dim=1)[::-1], 1)",
    "{0}.flip(0)",
    _BRANCHES,
    _TWO_BRANCHES,
    _NESTED,
    "map(lambda row: row * 2, {0})",
    "scan(lambda kept, row: (kept + row, kept * row), {0}[0] * 0, {0})[1]",
]
OF_TWO_ROWS = [
    "{0} + {1}",
    "{0} * {1}",
    "{0} @ {1}",
    "torch.where({0} > {1}, {0}, {1})",
    "torch.cat([{0}[:2], {1}[2:]])",
    "torch.maximum({0}, {1})",
    "torch.minimum({0}, {1})",
    "torch.index_put({0}, (torch.tensor([1]),), {1}[:1])",
]
OF_STATE = [
    "{0} + self.total",
    "self.total * 1",
    "{0} + self.total.view(2, 8).view(4, 4)",
    "({0}.view(2, 8) + self.total.view(2, 8)).view(4, 4)",
    "self.other.view(16)[:4] * {0}",
    "self.total",
    "self.cache[1] + {0}",
    "self.total.add_({0})",
    "self.total.copy_({0})",
    "self.other.mul_(0.5).add_({0})",
    "self.total[2].copy_({0}[0]) + {0}",
    "self.cache[0].copy_({0})",
    "self.total.zero_() + {0}",
    "{0} + self.count.add_(1)",
    "self.total.relu_()",
    "self.other.copy_(self.total) + {0}",
    "self.other.copy_(self.total.view(16).view(4, 4)) + {0}",
    "torch.index_put(self.total, (torch.tensor([2]),), {0}[:1])",
    "self.total.index_put_((torch.tensor([0]),), {0}[:1]) + {0}",
    _SWAPPED,
    _SHIFTED,
    _PUT,
]
IN_PLACE = [
    "{0}.add_(1)",
    "{0}.mul_(2)",
    "{0}.relu_()",
    "{0}[0].add_(1).unsqueeze(0) + {0}",
    "{0}.view(16)[4:8].zero_() + {0}",
    "{0}.copy_({0}.t().clone())",
    "{0}.index_put_((torch.tensor([3]),), {0}[:1] * 2)",
]
OF_IMAGE = [
    "{0}.relu()",
    "self.conv({0})",
    "self.batch({0})",
    "{0}.contiguous()",
    f"{{0}}.contiguous({_LAST})",
    f"{{0}}.to({_LAST}) * 2",
    "functional.max_pool2d({0}, 3, 1, 1)",
    "functional.avg_pool2d({0}, 3, 1, 1)",
    "functional.pad({0}, (1, 1))[..., 1:7]",
    "torch.cat([{0}[:, 2:], {0}[:, :2]], 1)",
    "{0}.permute(0, 1, 3, 2)",
    "{0} * {0}.mean((2, 3), keepdim=True)",
    "{0}.softmax(1)",
    "{0}.reshape(1, 4, 36).view(1, 4, 6, 6)",
    "{0}[:, :, 1:2].expand(1, 4, 6, 6)",
    "{0}.clone()",
    "functional.interpolate({0}[..., :3, :3], scale_factor=2)",
    "torch.stack({0}.unbind(1), 1)",
    "functional.pixel_shuffle({0}.repeat(1, 4, 1, 1), 2)[..., ::2, ::2]",
]
OF_TWO_IMAGES = [
    "{0} + {1}",
    "{0} * {1}.sigmoid()",
    "torch.cat([{0}[:, :2], {1}[:, 2:]], 1)",
    "{0} - {1}[:, :1]",
]
BETWEEN = [
    (IMAGE, "{0}[0, :, :4, 1]"),
    (IMAGE, "{0}.mean((2, 3)).expand(4, 4)"),
    (IMAGE, "{0}.flatten(1)[:, :16].view(4, 4)"),
    (ROWS, "functional.pad({0}, (1, 1, 1, 1))[None, None].repeat(1, 4, 1, 1)"),
    (ROWS, "{0}[:1].reshape(1, 4, 1, 1).expand(1, 4, 6, 6)"),
]
# Some models have steps of one kind alone, and get deeper into it: of rows, of two rows, of state.
_FOCI = {
    "in place": (
        ["{0} + {0}[1]", "{0}.view(2, 8).view(4, 4)", "{0}.t()", "{0} * 0.5", "{0}.clone()"],
        [
            "torch.maximum({0}, {1})",
            "torch.minimum({0}, {1})",
            "torch.index_put({0}, (torch.tensor([1]),), {1}[:1])",
            "torch.index_put({0}, (torch.tensor([0, 2]),), {1}[1:3])",
            "{0} - {1}",
        ],
        [
            "torch.index_put(self.total, (torch.tensor([2]),), {0}[:1])",
            "self.total.index_put_((torch.tensor([0]),), {0}[:1]) + {0}",
            "self.other.copy_({0})",
            "self.total.copy_({0})",
            "self.total + {0}",
            "self.other + {0}",
        ],
    ),
    "stores": (
        ["{0} + 1", "{0}.view(16).view(4, 4)", "{0} * 0.5"],
        ["{0} + {1}", "{0} - {1}"],
        [
            "self.other.copy_(self.total) + {0}",
            "self.other.copy_(self.total.view(16).view(4, 4)) + {0}",
            "self.total.copy_({0})",
            "self.total.add_({0})",
            "self.other",
            "self.total",
            "self.other - self.total",
            "torch.index_put(self.other, (torch.tensor([3]),), {0}[:1])",
            _SWAPPED,
        ],
    ),
    "regions": (
        [_BRANCHES, _TWO_BRANCHES, _NESTED, "{0} * 0.5", "map(lambda row: row + 1, {0})"],
        ["{0} + {1}", "torch.maximum({0}, {1})"],
        ["self.total.copy_({0})", "self.total + {0}", "self.other.add_({0})", "self.other * 1"],
    ),
}
_PARTS = {
    "linear": "nn.Linear(4, 4)",
    "norm": "nn.LayerNorm(4)",
    "conv": "nn.Conv2d(4, 4, 3, padding=1)",
    "batch": "nn.BatchNorm2d(4)",
}
_STATE = ["total", "other", "cache", "count"]


def draw(dice: random.Random) -> Module:
    """Draws a model."""
    starts = dice.random() < 0.3
    images = dice.random() < 0.35
    focus = dice.choice([*_FOCI, "", "", ""])
    tables = _FOCI.get(focus) or (OF_ROWS, OF_TWO_ROWS, OF_STATE)
    values = [dice.randrange(1, 16) / 4 for _ in range(16)] if starts else None
    buffers = [
        Buffer("total", ROWS, True, values),
        Buffer("other", ROWS, True, None),
        Buffer("cache", Type("float32", [3, 4, 4]), True, None),
        Buffer("count", Type("float32", [1]), True, None),
    ]
    parts = [f"torch.manual_seed({dice.randrange(1000)})"]
    parts += [f"self.{name} = {made}" for name, made in _PARTS.items()]
    clash = dice.random() < 0.2
    count = dice.choice([1, 1, 2, 3])
    methods = [_method(dice, f"m{m}", images and not focus, clash, tables) for m in range(count)]
    module = Module(buffers, methods, parts)
    prune(module)
    return module


def _method(dice: random.Random, name: str, images: bool, clash: bool, tables: Tables) -> Method:
    kinds = [ROWS] * dice.randint(1, 2)
    kinds += [IMAGE] * (dice.randint(1, 2) if images else 0)
    names = [f"%x{k}" for k in range(len(kinds))]
    if clash and dice.random() < 0.7:
        names[0] = f"%{dice.choice(_STATE[:2])}"
    method = Method(name, list(zip(names, kinds, strict=True)), [], [], [], [], [])
    method.channels_last = [n for n, kind in method.inputs if kind == IMAGE and dice.random() < 0.5]
    values = list(method.inputs)
    for k in range(dice.randint(2, 8)):
        op, operands, kind = _step(dice, values, tables)
        result = (f"%{k}", kind)
        method.nodes.append(Node(f"torch:{op}", operands, [result]))
        values.append(result)
    made = [name for name, _ in values[len(kinds) :]]
    method.outputs = dice.choices(made, k=dice.randint(1, 3))
    if dice.random() < 0.7:
        method.outputs.append(made[-1])
    if dice.random() < 0.1:  # an input, as it is at the end
        method.outputs.append(names[0])
    return method


def _step(
    dice: random.Random, values: list[tuple[str, Type]], tables: Tables
) -> tuple[str, list[Value], Type]:
    def of(wanted: Type) -> Value:
        return Value(dice.choice([name for name, kind in values if kind == wanted]))

    kinds = [kind for _, kind in values]
    kind = dice.choice(kinds)
    if IMAGE in kinds and dice.random() < 0.15:
        wanted, step = dice.choice([each for each in BETWEEN if each[0] in kinds])
        return step, [of(wanted)], IMAGE if wanted == ROWS else ROWS
    two = dice.random() < 0.3
    if kind == IMAGE:
        step = dice.choice(OF_TWO_IMAGES if two else OF_IMAGE)
        return step, [of(IMAGE) for _ in range(1 + two)], IMAGE
    if two:
        return dice.choice(tables[1]), [of(ROWS), of(ROWS)], ROWS
    table = dice.choices([tables[0], tables[2], IN_PLACE], [5, 4, 1])[0]
    return dice.choice(table), [of(ROWS)], ROWS


def prune(module: Module) -> None:
    """Leaves out parts and state that no method names."""
    ops = " ".join(n.op for m in module.methods for n in m.nodes)
    module.parts = [p for p in module.parts if not p.startswith("self.") or p.split()[0] in ops]
    module.buffers = [b for b in module.buffers if f"self.{b.name}" in ops]
    if len(module.parts) == 1:
        module.parts = []

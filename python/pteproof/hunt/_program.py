"""Programs of a hunt: program N of seed S is the same on every machine and in every shard."""

from __future__ import annotations

import dataclasses
import random
from typing import TYPE_CHECKING

from pteproof._call import call
from pteproof.hunt import _layers, _options, _text
from pteproof.hunt._calls import sequence_of
from pteproof.hunt._options import Available, Options
from pteproof.hunt._rewrite import expressible, uses
from pteproof.hunt._source import NotExpressibleError, Style, model_lines
from pteproof.hunt._text import Method, Module, nodes_of
from pteproof.hunt._unrolled import without_while

if TYPE_CHECKING:
    from pteproof.hunt._calls import Call

_LAYERS = 0.3  # the share of models of layers
_SEQUENCES = 2
_METHODS = 3  # of a Module that are taken: each takes as long as all else together


@dataclasses.dataclass
class Program:
    """A model, how it is exported, and how it is called."""

    module: Module
    style: Style
    options: Options
    sequences: list[list[Call]]
    kind: str  # "module" or "layers"
    counted: dict[str, int] = dataclasses.field(default_factory=dict)  # what was put otherwise

    def lines(self) -> list[str]:
        """The source of the model."""
        return model_lines(self.module, self.style)


@dataclasses.dataclass
class Drawing:
    """What programs are drawn from."""

    available: Available
    planner: str | None = None


def draw(seed: int, number: int, drawing: Drawing) -> Program:
    """Draws program `number` of a seed. Raises NotExpressibleError if torch has no words for it."""
    dice = random.Random(f"{seed}:{number}")
    counted: dict[str, int] = {}
    if dice.random() < _LAYERS:
        kind, module = "layers", _layers.draw(dice)
    else:
        kind = "module"
        text = call(["random", "--seed", str(dice.randrange(1 << 32))]).output
        try:
            module, kinds = expressible(_text.parse(text))
        except ValueError as error:
            raise NotExpressibleError(str(error)) from None
        counted.update(kinds)
        del module.methods[_METHODS:]
        module.buffers = [b for b in module.buffers if b.name[0] == "b" or _is_used(module, b.name)]
        every = (node for method in module.methods for node in nodes_of(method.nodes))
        if any(node.op == "while" for node in every):
            counted["while"] = 1
            without_while(module)
        _add_reader(module, dice)
    style = Style(dice.random() < 0.6, dice.random() < 0.4)
    options = _options.draw(dice, module, drawing.available, drawing.planner)
    sequences = [sequence_of(module, dice) for _ in range(_SEQUENCES)]
    return Program(module, style, options, sequences, kind, counted)


def _is_used(module: Module, buffer: str) -> bool:
    return any(uses(method, buffer) for method in module.methods)


def _add_reader(module: Module, dice: random.Random) -> None:
    """A method that returns state which others store, so that it can be compared."""
    stored = [b for b in module.buffers if b.shared and _is_used(module, b.name)]
    if not stored or dice.random() < 0.5:
        return
    entries = [(f"%{k}", buffer.name) for k, buffer in enumerate(stored)]
    reader = Method("peek", [], [], entries, [], [value for value, _ in entries], [])
    if dice.random() < 0.6:  # new values
        for value, buffer in entries:
            made = f"%c{value[1:]}"
            node = _text.Node("aten::clone.out", [_text.Value(value), None], [])
            node.results = [(made, module.buffer(buffer).type)]
            reader.nodes.append(node)
        reader.outputs = [f"%c{value[1:]}" for value, _ in entries]
    module.methods.append(reader)


def operators_of(program: Program) -> set[str]:
    """What the program's nodes are."""
    found: set[str] = set()
    for method in program.module.methods:
        for node in nodes_of(method.nodes):
            found.add(_name(node.op))
        if method.stores:
            found.add("store")
        if method.dims:
            found.add("ranged dim")
    return found


def _name(op: str) -> str:
    return op.removeprefix("torch:") if op.startswith("torch:") else op.removesuffix(".out")

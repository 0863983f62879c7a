"""Modules as data: their text (docs/reference/modules.md) is read, changed, and written again.

Only what a hunt needs is kept: wishes that change no value (`in_place`, `after`, `pool`) are left
out. All values of a method have names of their own, also those of regions.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclasses.dataclass(frozen=True)
class Value:
    """A value by its name, as an operand."""

    name: str


@dataclasses.dataclass(frozen=True)
class Size:
    """A size that depends on a dim, as an operand."""

    text: str


@dataclasses.dataclass
class Type:
    """A tensor's type; sizes are numbers, or text that depends on a dim."""

    dtype: str
    sizes: list[int | str]

    def __str__(self) -> str:
        return f"{self.dtype}[{', '.join(map(str, self.sizes))}]"


@dataclasses.dataclass
class Buffer:
    """State that methods share, or that belongs to one."""

    name: str
    type: Type
    shared: bool
    values: list[Any] | None


@dataclasses.dataclass
class Region:
    """A part of a node with regions."""

    params: list[tuple[str, Type]]
    nodes: list[Node]
    results: list[str]


@dataclasses.dataclass
class Node:
    """A call of an operator, of a delegate, or control flow.

    op: the operator's name, or "delegate", "cond", "while", "map" or "scan".
    """

    op: str
    operands: list[Any]
    results: list[tuple[str, Type]]
    view: bool = False
    regions: list[Region] = dataclasses.field(default_factory=list)
    carried: int = 0
    mapped: int = 0


@dataclasses.dataclass
class Method:
    """Its inputs, its nodes, its outputs and what it stores at its exit."""

    name: str
    inputs: list[tuple[str, Type]]
    dims: list[tuple[str, int, int, int | None]]
    entries: list[tuple[str, str]]  # a value, and the buffer
    nodes: list[Node]
    outputs: list[str]
    stores: list[tuple[str, str]]  # "@buffer" or an input, and the value
    channels_last: list[str] = dataclasses.field(default_factory=list)  # inputs


@dataclasses.dataclass
class Module:
    """Buffers and methods; parts: what else the model holds, as lines of Python."""

    buffers: list[Buffer]
    methods: list[Method]
    parts: list[str] = dataclasses.field(default_factory=list)

    def buffer(self, name: str) -> Buffer:
        """The buffer of a name."""
        return next(each for each in self.buffers if each.name == name)


def nodes_of(nodes: list[Node]) -> Iterator[Node]:
    """All nodes, those of regions too."""
    for node in nodes:
        yield node
        for region in node.regions:
            yield from nodes_of(region.nodes)


def values_in(operand: Any) -> Iterator[str]:
    """The names of an operand's values."""
    if isinstance(operand, Value):
        yield operand.name
    elif isinstance(operand, list):
        for each in operand:
            yield from values_in(each)


def replaced(operand: Any, names: dict[str, str]) -> Any:
    """The operand with other values in the place of some."""
    if isinstance(operand, Value):
        return Value(names.get(operand.name, operand.name))
    if isinstance(operand, list):
        return [replaced(each, names) for each in operand]
    return operand


_TOKEN = re.compile(
    r"\s+|#[^\n]*"
    r'|(?P<text>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<value>%[A-Za-z0-9_.]+)|(?P<buffer>@[A-Za-z0-9_.]+)"
    r"|(?P<bits>0x[0-9a-fA-F]+)"
    r"|(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_.]*(?:::[A-Za-z_][A-Za-z0-9_.]*)*)"
    r"|(?P<sign>\.\.|[-+*=:,(){}\[\]])"
)
_WORDS: dict[str, Any] = {
    "true": True,
    "false": False,
    "None": None,
    "nan": float("nan"),
    "inf": float("inf"),
}
_REGIONS = ("cond", "while", "map", "scan")


def parse(text: str) -> Module:
    """Reads the text of a Module that pteproof wrote.

    >>> module = parse("buffer @k: float32[2] = [0.5, 1.0]  method m() {%0 = entry @k return %0}")
    >>> module.buffers[0].values, module.methods[0].entries
    ([0.5, 1.0], [('%0', 'k')])
    """
    return _Reader(text).module()


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise ValueError(f"not a Module at {text[at : at + 20]!r}")
            if found.lastgroup:
                self._tokens.append((found.lastgroup, found.group()))
            at = found.end()
        self._tokens.append(("end", ""))
        self._at = 0

    def _peek(self, ahead: int = 0) -> str:
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)][1]

    def _kind(self) -> str:
        return self._tokens[self._at][0]

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1][1]

    def _accept(self, word: str) -> bool:
        if self._peek() != word:
            return False
        self._at += 1
        return True

    def _expect(self, word: str) -> None:
        if not self._accept(word):
            raise ValueError(f"{word!r} expected in a Module, not {self._peek()!r}")

    def _list(self, first: str, last: str, item: Callable[[], Any]) -> list[Any]:
        self._expect(first)
        items = []
        while not self._accept(last):
            items.append(item())
            self._accept(",")
        return items

    def module(self) -> Module:
        made = Module([], [])
        while self._kind() != "end":
            if self._accept("buffer"):
                made.buffers.append(self._buffer())
            else:
                self._expect("method")
                made.methods.append(self._method())
        return made

    def _buffer(self) -> Buffer:
        name = self._next()[1:]
        self._expect(":")
        kind = self._type()
        shared = self._accept("shared")
        values = self._list("[", "]", self._operand) if self._accept("=") else None
        return Buffer(name, kind, shared, values)

    def _type(self) -> Type:
        return Type(self._next(), self._list("[", "]", self._size))

    def _size(self) -> int | str:
        """A size ends at a comma or a bracket outside of the parentheses of its functions."""
        words, depth = [], 0
        while depth or self._peek() not in (",", "]", ")"):
            depth += {"(": 1, ")": -1}.get(self._peek(), 0)
            words.append(self._next())
        text = " ".join(words)
        return int(text) if text.isdigit() else text

    def _method(self) -> Method:
        name = self._next()
        inputs = self._list("(", ")", self._input)
        dims = self._list("(", ")", self._dim) if self._accept("dims") else []
        method = Method(name, inputs, dims, [], [], [], [])
        self._expect("{")
        while self._peek(1) == "=" and self._peek(2) == "entry":
            value = self._next()
            self._at += 2
            method.entries.append((value, self._next()[1:]))
        method.nodes = self._nodes()
        method.outputs = self._returned()
        while self._accept("store"):
            target = self._next()
            self._expect("=")
            method.stores.append((target, self._next()))
        self._expect("}")
        return method

    def _input(self) -> tuple[str, Type]:
        name = self._next()
        self._expect(":")
        kind = self._type()
        self._accept("in_place")
        return name, kind

    def _dim(self) -> tuple[str, int, int, int | None]:
        name = self._next()
        self._expect("in")
        lower = int(self._next())
        self._expect("..")
        upper = int(self._next())
        hint = int(self._next()) if self._accept("hint") else None
        return name, lower, upper, hint

    def _nodes(self) -> list[Node]:
        nodes = []
        while self._peek() != "return":
            nodes.append(self._node())
        return nodes

    def _returned(self) -> list[str]:
        self._expect("return")
        names = []
        while self._kind() == "value":
            names.append(self._next())
            self._accept(",")
        return names

    def _declaration(self) -> tuple[str, Type]:
        name = self._next()
        self._expect(":")
        return name, self._type()

    def _node(self) -> Node:
        results = []
        while self._kind() == "value":
            results.append(self._declaration())
            self._accept(",")
        if results:
            self._expect("=")
        view = self._accept("view")
        op = self._next()
        node = Node(op, [], results, view)
        if op == "delegate":
            self._next()
        if self._accept("carried"):
            node.carried = int(self._next())
        if self._accept("mapped"):
            node.mapped = int(self._next())
        node.operands = self._list("(", ")", self._operand)
        while self._peek() in ("in_place", "after", "pool", "owns", "shares", "uses"):
            self._next()
            self._list("(", ")", self._next)
        if op in _REGIONS:
            node.regions = self._list("{", "}", self._region)
        return node

    def _region(self) -> Region:
        params = self._list("(", ")", self._declaration)
        self._expect("{")
        nodes = self._nodes()
        results = self._returned()
        self._expect("}")
        return Region(params, nodes, results)

    def _operand(self) -> Any:
        if self._kind() == "value":
            return Value(self._next())
        if self._peek() == "[":
            return self._list("[", "]", self._operand)
        if self._kind() == "text":
            return self._next()
        negative = self._accept("-")
        if self._kind() == "bits":
            raise ValueError("a Module with bits of an element is not read")
        word = self._peek()
        if word in _WORDS:
            self._next()
            return -_WORDS[word] if negative else _WORDS[word]
        if self._kind() == "number" and self._peek(1) in (",", "]", ")"):
            self._next()
            number: Any = float(word) if re.search(r"[.eE]", word) else int(word)
            return -number if negative else number
        return Size(("- " if negative else "") + str(self._size()))


def text_of(module: Module) -> str:
    """The text of a Module; without what the models of a hunt hold besides."""
    lines = []
    for buffer in module.buffers:
        shared = " shared" if buffer.shared else ""
        values = "" if buffer.values is None else f" = {_operand_text(buffer.values)}"
        lines.append(f"buffer @{buffer.name}: {buffer.type}{shared}{values}")
    for method in module.methods:
        inputs = ", ".join(f"{name}: {kind}" for name, kind in method.inputs)
        dims = ", ".join(
            f"{name} in {lower}..{upper}" + ("" if hint is None else f" hint {hint}")
            for name, lower, upper, hint in method.dims
        )
        lines.append(f"method {method.name}({inputs})" + (f" dims({dims})" if dims else "") + " {")
        lines += [f"  {value} = entry @{buffer}" for value, buffer in method.entries]
        lines += _node_lines(method.nodes, "  ")
        lines.append(("  return " + ", ".join(method.outputs)).rstrip())
        lines += [f"  store {target} = {value}" for target, value in method.stores]
        lines.append("}")
    return "\n".join(lines) + "\n"


def _node_lines(nodes: list[Node], indent: str) -> Iterator[str]:
    for node in nodes:
        results = ", ".join(f"{name}: {kind}" for name, kind in node.results)
        words = ["view"] if node.view else []
        words.append(node.op)
        words += [f"carried {node.carried}"] if node.carried else []
        words += [f"mapped {node.mapped}"] if node.mapped else []
        operands = ", ".join(map(_operand_text, node.operands))
        head = f"{indent}{results} = {' '.join(words)}({operands})"
        if not node.regions:
            yield head
            continue
        yield head + " {"
        for region in node.regions:
            params = ", ".join(f"{name}: {kind}" for name, kind in region.params)
            yield f"{indent}  ({params}) {{"
            yield from _node_lines(region.nodes, indent + "    ")
            yield f"{indent}    return {', '.join(region.results)}"
            yield f"{indent}  }}"
        yield indent + "}"


def _operand_text(operand: Any) -> str:
    if isinstance(operand, Value):
        return operand.name
    if isinstance(operand, Size):
        return operand.text
    if isinstance(operand, list):
        return f"[{', '.join(map(_operand_text, operand))}]"
    if operand is None:
        return "None"
    if isinstance(operand, bool):
        return "true" if operand else "false"
    return repr(operand) if isinstance(operand, float) else str(operand)

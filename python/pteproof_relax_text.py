"""The text of a Module (docs/reference/modules.md), from values and nodes: the half of
pteproof_relax that knows nothing of TVM."""

import dataclasses
import itertools
import math

import numpy


class Sizes:
    """A size: a sum of products of names, as {(name, ...): factor}. Equal sizes compare equal."""

    def __init__(self, terms):
        self._terms = {names: factor for names, factor in terms.items() if factor != 0}

    @staticmethod
    def of(number):
        return Sizes({(): int(number)})

    @staticmethod
    def named(name):
        return Sizes({(name,): 1})

    @staticmethod
    def call(function, a, b):
        if a.number() is not None and b.number() is not None:
            return Sizes.of(_FUNCTIONS[function](a.number(), b.number()))
        return Sizes.named(f"{function}({a}, {b})")

    def number(self):
        """The size if it is fixed, else None."""
        return self._terms.get((), 0) if set(self._terms) <= {()} else None

    def __add__(self, other):
        terms = dict(self._terms)
        for names, factor in other._terms.items():
            terms[names] = terms.get(names, 0) + factor
        return Sizes(terms)

    def __sub__(self, other):
        return self + other * Sizes.of(-1)

    def __mul__(self, other):
        product = Sizes({})
        for a, m in self._terms.items():
            for b, n in other._terms.items():
                product += Sizes({tuple(sorted(a + b)): m * n})
        return product

    def __eq__(self, other):
        return isinstance(other, Sizes) and self._terms == other._terms

    def __hash__(self):
        return hash(frozenset(self._terms.items()))

    def __str__(self):
        text = ""
        for names, factor in sorted(self._terms.items(), key=lambda t: (not t[0], t[0])):
            sign = ("-" if factor < 0 else "") if not text else (" - " if factor < 0 else " + ")
            factors = list(names) if abs(factor) == 1 and names else [str(abs(factor)), *names]
            text += sign + "*".join(factors)
        return text or "0"


_FUNCTIONS = {
    "floordiv": lambda a, b: a // b if b else 0,
    "mod": lambda a, b: a % b if b else 0,
    "min": min,
    "max": max,
}


def tensor_type(dtype, sizes):
    return f"{dtype}[{', '.join(map(str, sizes))}]"


@dataclasses.dataclass
class Tensor:
    """A tensor's type."""

    dtype: str
    sizes: list

    def text(self):
        return tensor_type(self.dtype, self.sizes)

    def count(self):
        return math.prod(self.sizes, start=Sizes.of(1))

    def is_float(self):
        return "float" in self.dtype


@dataclasses.dataclass(eq=False)
class Value:
    """One value of a method. Numbers have no type here; a value at entry has its buffer."""

    type: Tensor | None
    name: str | None = None  # of inputs; others are numbered when they are printed
    label: str | None = None  # the variable that it was bound to first
    buffer: str | None = None


@dataclasses.dataclass
class Node:
    op: str
    operands: list
    results: list
    view: bool = False
    in_place: int | None = None
    regions: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Region:
    """A branch. It sees its parameters only."""

    parameters: list
    nodes: list
    outputs: list

    def captured(self):
        """The values from outside that it reads."""
        own = {value for node in self.nodes for value in node.results}
        read = [v for node in self.nodes for v in _values_in(node.operands)]
        return [value for value in [*read, *self.outputs] if value not in own]

    def take(self, captured):
        """Makes them parameters."""
        inner = {value: Value(value.type, label=value.label) for value in captured}
        self.parameters = list(inner.values())
        for node in self.nodes:
            node.operands = _replaced(node.operands, inner)
        self.outputs = _replaced(self.outputs, inner)


def _values_in(operands):
    for item in operands:
        if isinstance(item, Value):
            yield item
        elif isinstance(item, (tuple, list)):
            yield from _values_in(item)


def _replaced(operands, by):
    return [
        _replaced(item, by)
        if isinstance(item, (tuple, list))
        else by.get(item, item)
        if isinstance(item, Value)
        else item
        for item in operands
    ]


def method_text(name, inputs, dims, entries, nodes, outputs):
    """inputs: (name, type as text, in place); entries: values that buffers hold at entry."""
    _number([*entries], nodes, itertools.count())
    given = ", ".join(f"%{n}: {t}{' in_place' if p else ''}" for n, t, p in inputs)
    ranges = ", ".join(f"{dim} in {least}..{most}" for dim, (least, most) in dims.items())
    lines = [f"method {name}({given}){f' dims({ranges})' if ranges else ''} {{"]
    for value in entries:
        lines.append(_labelled(f"  %{value.name} = entry {value.buffer}", [value]))
    lines += _body_lines(nodes, outputs, "  ")
    return "\n".join([*lines, "}", ""])


def _number(values, nodes, numbers):
    """Results of a node come before what its regions define."""
    for value in values:
        value.name = str(next(numbers))
    for node in nodes:
        _number(node.results, [], numbers)
        for region in node.regions:
            _number(region.parameters, region.nodes, numbers)


def _body_lines(nodes, outputs, margin):
    for node in nodes:
        yield _labelled(margin + _node_text(node), node.results)
        for region in node.regions:
            yield f"{margin}  ({', '.join(map(_typed, region.parameters))}) {{"
            yield from _body_lines(region.nodes, region.outputs, margin + "    ")
            yield margin + "  }"
        if node.regions:
            yield margin + "}"
    yield f"{margin}return {', '.join(map(operand, outputs))}".rstrip()


def _labelled(line, values):
    """With the variable of the source as a comment."""
    return f"{line}  # {values[0].label}" if values and values[0].label else line


def _typed(value):
    return f"%{value.name}: {value.type.text()}"


def _node_text(node):
    text = f"{', '.join(map(_typed, node.results))} = " if node.results else ""
    text += f"{'view ' if node.view else ''}{node.op}({', '.join(map(operand, node.operands))})"
    if node.in_place is not None:
        text += f" in_place({node.in_place})"
    return text + (" {" if node.regions else "")


def operand(value):
    if isinstance(value, Value):
        return f"%{value.name}"
    if isinstance(value, Sizes):
        return str(value)
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(operand, value))}]"
    return literal(value)


def literal(value):
    """A number, a text or None, as short as it reads back bit for bit."""
    if value is None:
        return "None"
    if isinstance(value, (bool, numpy.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, numpy.integer)):
        return str(int(value))
    if isinstance(value, str):
        return '"' + "".join(map(_escaped, value)) + '"'
    if math.isnan(value):
        return _nan_text(value)
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    text = str(value)  # numpy prints each type as short as that type reads back
    return text if any(c in text for c in ".e") else text + ".0"


def _nan_text(value):
    """The usual NaN by name, others by their bits."""
    if isinstance(value, float):
        return "nan"
    bits = value.tobytes()
    usual = type(value)(float("nan")).tobytes()
    return "nan" if bits == usual else "0x" + bits[::-1].hex()


def _escaped(char):
    if char in '"\\':
        return "\\" + char
    if char in "\n\t":
        return {"\n": "\\n", "\t": "\\t"}[char]
    return char if char.isprintable() else "".join(f"\\x{b:02x}" for b in char.encode())

"""A Module as the source of a PyTorch model: a class for each method, on common buffers.

Values of a Module are those that its nodes made, and all stores see the values from before any of
them. In PyTorch a value may be a name of a buffer's bytes, so that it is copied ahead of a store
that would change it. `aliases` says which values name the same bytes.
"""

from __future__ import annotations

import dataclasses
import keyword
from typing import TYPE_CHECKING, Any

from pteproof.hunt._operators import CALLS, IN_PLACE, VIEWS
from pteproof.hunt._text import Module, Size, Value, nodes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pteproof.hunt._text import Buffer, Method, Node, Region


class NotExpressibleError(ValueError):
    """Torch has no words for a Module; the text is the kind of construct."""


@dataclasses.dataclass
class Style:
    """How a model is written where there are several ways.

    views: operators that copy are written as views where nothing is updated in place. state: an
    output that is also stored is read from the buffer.
    """

    views: bool = True
    state: bool = False


def class_of(method: Method) -> str:
    """The name of a method's class."""
    return f"Of_{method.name}"


def model_lines(module: Module, style: Style) -> list[str]:
    """The classes: `Held` with the buffers, and one with `forward` for each method."""
    lines = ["class Held(nn.Module):", "    def __init__(self):", "        super().__init__()"]
    lines += [f"        {line}" for line in module.parts]
    lines += [f"        {_registered(buffer)}" for buffer in module.buffers]
    for method in module.methods:
        lines += _Writer(module, method, style).lines()
    return lines


def _registered(buffer: Buffer) -> str:
    kind = buffer.type
    dtype = "" if kind.dtype == "float32" else f", dtype=torch.{kind.dtype}"
    if buffer.values is None:
        return f'self.register_buffer("{buffer.name}", torch.zeros({kind.sizes}{dtype}))'
    made = f"torch.tensor({buffer.values}{dtype})"
    if len(kind.sizes) != 1:
        made += f".reshape({kind.sizes})"
    return f'self.register_buffer("{buffer.name}", {made})'


class Aliases:
    """Which values of a method name the same bytes: those of one root."""

    def __init__(self, method: Method, views: bool) -> None:
        self._views = views
        self.root = {name: name for name, _ in method.inputs}
        self.root.update((value, f"@{buffer}") for value, buffer in method.entries)
        self.written: set[str] = set()
        # Roots of values that regions return as they are; a later write would reach both.
        self.passed: set[str] = set()
        self._nodes(method.nodes)

    def _nodes(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            for region in node.regions:
                self._region(node, region)
            for name, _ in node.results:
                self.root[name] = name
            if node.op in IN_PLACE:
                self.written.add(self.root[node.operands[0].name])
            if node.op in IN_PLACE or self.names(node):
                self.root[node.results[0][0]] = self.root[node.operands[0].name]

    def names(self, node: Node) -> bool:
        """Whether a node's result names bytes of its operand."""
        return node.op in VIEWS and (node.view or self._views)

    def _region(self, node: Node, region: Region) -> None:
        given = node.operands[1:] if node.op == "cond" else node.operands
        outer = {
            name: self.root[value.name]
            for (name, _), value in zip(region.params, given, strict=True)
        }
        # A row of what is mapped over names bytes of the whole.
        self.root.update(outer)
        before = set(self.written)
        self._nodes(region.nodes)
        if (self.written - before) & set(outer.values()):
            raise NotExpressibleError("a region writes its parameter")
        roots = [self.root[name] for name in region.results]
        taken = [root for k, root in enumerate(roots) if root in (*outer.values(), *roots[:k])]
        self.passed.update(taken)
        if taken:
            self.passed.update(name for name, _ in node.results)


class _Writer:
    def __init__(self, module: Module, method: Method, style: Style) -> None:
        self.module, self.method, self.style = module, method, style
        updated = any(node.op in IN_PLACE for node in nodes_of(method.nodes))
        self.aliases = Aliases(method, style.views and not updated)
        if self.aliases.passed & self.aliases.written:
            raise NotExpressibleError("a value that a region passes through is written")
        self.names: dict[str, str] = {}
        self.dims = {name: self._dim(name, lower) for name, lower, _, _ in method.dims}
        self.functions = 0

    def _dim(self, name: str, lower: int) -> str:
        """An expression of a dim: the size of an input, else its least value."""
        for value, kind in self.method.inputs:
            if name in kind.sizes:
                return f"{python_name(value)}.shape[{kind.sizes.index(name)}]"
        return str(lower)

    def lines(self) -> list[str]:
        inputs = [python_name(name) for name, _ in self.method.inputs]
        lines = [
            f"class {class_of(self.method)}(Held):",
            f"    def forward({', '.join(['self', *inputs])}):",
        ]
        body = [f"{name} = {size}" for name, size in self.dims.items() if self._is_sized_by(name)]
        for value, buffer in self.method.entries:
            self.names[value] = f"self.{buffer}"
        body += self._node_lines(self.method.nodes)
        body += self._exit()
        return lines + [f"        {line}" for line in body]

    def _is_sized_by(self, dim: str) -> bool:
        def has(operand: Any) -> bool:
            if isinstance(operand, list):
                return any(map(has, operand))
            return isinstance(operand, Size) and dim in operand.text.split()

        return any(has(node.operands) for node in nodes_of(self.method.nodes))

    def _name(self, value: str) -> str:
        return self.names.get(value) or python_name(value)

    def _node_lines(self, nodes: Iterable[Node]) -> Iterator[str]:
        for node in nodes:
            yield from self._regions(node) if node.regions else self._call(node)

    def _call(self, node: Node) -> Iterator[str]:
        results = ", ".join(self._name(name) for name, _ in node.results)
        yield f"{results} = {self._form(node).format(*self._operands(node), **_dtype(node))}"

    def _operands(self, node: Node) -> list[str]:
        return [self._operand(each) for each in node.operands]

    def _form(self, node: Node) -> str:
        if node.op.startswith("torch:"):
            return node.op.removeprefix("torch:")
        if node.op in VIEWS:
            return VIEWS[node.op][0 if self.aliases.names(node) else 1]
        form = CALLS.get(node.op) or IN_PLACE.get(node.op)
        if form is None:
            raise NotExpressibleError(f"the operator {node.op}")
        return form

    def _operand(self, operand: Any) -> str:
        if isinstance(operand, Value):
            return self._name(operand.name)
        if isinstance(operand, Size):
            if "floordiv" in operand.text or "mod" in operand.text:
                raise NotExpressibleError("a size that is a quotient")
            return operand.text
        if isinstance(operand, list):
            return f"[{', '.join(map(self._operand, operand))}]"
        if isinstance(operand, float) and (operand != operand or abs(operand) == float("inf")):
            return f'float("{operand}")'
        return repr(operand)

    def _regions(self, node: Node) -> Iterator[str]:
        names = []
        for k, region in enumerate(node.regions):
            names.append(f"f{self.functions}")
            self.functions += 1
            # The body of a while or a scan returns a tuple, also of one value.
            alone = node.op in ("cond", "map") or (node.op == "while" and k == 0)
            yield from self._function(names[-1], region, alone)
        given = self._apart(node)
        results = ", ".join(self._name(name) for name, _ in node.results)
        yield f"{results} = {_CONTROL[node.op](names, given, node)}"

    def _apart(self, node: Node) -> list[str]:
        """Operands; torch does not take two that name the same bytes."""
        seen: set[str] = set()
        given = []
        for operand in node.operands:
            root = self.aliases.root[operand.name]
            given.append(self._name(operand.name) + (".clone()" if root in seen else ""))
            seen.add(root)
        return given

    def _function(self, name: str, region: Region, alone: bool) -> Iterator[str]:
        params = ", ".join(self._name(param) for param, _ in region.params)
        yield f"def {name}({params}):"
        for line in self._node_lines(region.nodes):
            yield f"    {line}"
        outer = {self.aliases.root[param] for param, _ in region.params}
        results = []
        for value in region.results:
            root = self.aliases.root[value]
            results.append(self._name(value) + (".clone()" if root in outer else ""))
            outer.add(root)
        text = ", ".join(results)
        comma = "" if len(results) > 1 or alone else ","
        yield f"    return ({text}{comma})" if len(results) > 1 or comma else f"    return {text}"

    def _exit(self) -> Iterator[str]:
        """Stores at once, and the outputs as they were before them."""
        root = self.aliases.root
        stored = dict(self.method.stores)
        changed = set(stored)
        # What an output or a later store still needs, after its bytes are stored to.
        kept: dict[str, str] = {}
        first: set[str] = set()
        for target, value in self.method.stores:
            if root[value] in first or (
                root[value] == target and not self._is_entry(value, target)
            ):
                kept[value] = ""
            first.add(target)
        outputs = []
        for k, value in enumerate(self.method.outputs):
            # A layer's model returns what its values are at the end.
            if root.get(value, value) not in changed:
                outputs.append(self._name(value))
                continue
            homes = [t for t, v in stored.items() if v == value]
            if self.style.state and homes:
                outputs.append(_target(homes[0]))
            else:
                kept[value] = ""
                outputs.append(f"kept_{k}")
        for k, value in enumerate(kept):
            kept[value] = f"old_{k}"
            yield f"old_{k} = {self._name(value)}.clone()"
        outputs = [
            kept[value] if output.startswith("kept_") else output
            for value, output in zip(self.method.outputs, outputs, strict=True)
        ]
        for target, value in self.method.stores:
            yield f"{_target(target)}.copy_({kept.get(value) or self._name(value)})"
        if len(outputs) == 1:
            yield f"return {outputs[0]}"
        else:
            yield f"return ({', '.join(outputs)})"

    def _is_entry(self, value: str, target: str) -> bool:
        return value == target or (value, target[1:]) in self.method.entries


def _target(target: str) -> str:
    return f"self.{target[1:]}" if target.startswith("@") else python_name(target)


def python_name(value: str) -> str:
    """The name of a Module's value in Python.

    >>> python_name("%3"), python_name("%x0"), python_name("%lambda")
    ('v3', 'x0', 'lambda_')
    """
    name = value[1:].replace(".", "_")
    if name[0].isdigit():
        return f"v{name}"
    return name + "_" if keyword.iskeyword(name) or name == "self" else name


def _dtype(node: Node) -> dict[str, str]:
    return {"dtype": f"torch.{node.results[0][1].dtype}"}


def _cond(names: list[str], given: list[str], _: Node) -> str:
    return f"cond({given[0]}, {names[0]}, {names[1]}, ({', '.join(given[1:])},))"


def _map(names: list[str], given: list[str], _: Node) -> str:
    return f"map({names[0]}, {', '.join(given)})"


def _scan(names: list[str], given: list[str], _: Node) -> str:
    return f"scan({names[0]}, {given[0]}, {given[1]})"


def _while(names: list[str], given: list[str], _: Node) -> str:
    return f"while_loop({names[0]}, {names[1]}, ({', '.join(given)},))"


_CONTROL = {"cond": _cond, "map": _map, "scan": _scan, "while": _while}
IMPORTS = {
    "cond": "from torch import cond",
    "map": "from torch._higher_order_ops.map import map",
    "scan": "from torch._higher_order_ops.scan import scan",
    "while_loop": "from torch._higher_order_ops.while_loop import while_loop",
}


def dynamic_shapes(method: Method) -> Mapping[str, Mapping[int, str]] | None:
    """By input and dimension: the dim that is its size."""
    shapes = {
        python_name(name): {k: size for k, size in enumerate(kind.sizes) if isinstance(size, str)}
        for name, kind in method.inputs
    }
    return shapes if any(shapes.values()) else None

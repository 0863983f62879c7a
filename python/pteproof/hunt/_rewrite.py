"""Modules of the generator, made such that torch can express them.

What torch has no counterpart of is put otherwise, and counted by kind: a delegate becomes operators
that a delegate takes, an unknown operator a copy, a buffer that each method has to itself
one buffer for each of them.
"""

from __future__ import annotations

import collections
import copy
import dataclasses
import itertools
from typing import TYPE_CHECKING

from pteproof.hunt._text import Buffer, Method, Module, Node, Type, Value, nodes_of, values_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_OPAQUE = ("custom::opaque.out", "custom::functional")
_DEVICE = ("et_copy::_h2d_copy.out", "et_copy::_d2h_copy.out")
_CACHE = "llama::update_cache.out"


def expressible(module: Module) -> tuple[Module, collections.Counter[str]]:
    """The Module in operators of torch, and what was put otherwise."""
    made = copy.deepcopy(module)
    kinds: collections.Counter[str] = collections.Counter()
    for method in made.methods:
        _Names(method, kinds).rewrite()
    _give_own_buffers(made)
    return made, kinds


class _Names:
    """Of one method: types of its values, and new names."""

    def __init__(self, method: Method, kinds: collections.Counter[str]) -> None:
        self.method, self.kinds = method, kinds
        self.types = types_of(method)
        self._new = (f"%n{k}" for k in itertools.count())

    def rewrite(self) -> None:
        self.method.nodes = self._nodes(self.method.nodes)

    def _nodes(self, nodes: list[Node]) -> list[Node]:
        made: list[Node] = []
        for node in nodes:
            for region in node.regions:
                region.nodes = self._nodes(region.nodes)
            made += self._instead(node)
        return made

    def _instead(self, node: Node) -> Iterable[Node]:
        if node.op in _DEVICE:
            self.kinds["delegate on a device"] += 1
            return [
                dataclasses.replace(node, op="aten::clone.out", operands=[node.operands[0], None])
            ]
        if node.op == _CACHE:
            self.kinds["update of a cache"] += 1
            return self._update_cache(node)
        if node.op == "delegate" or node.op in _OPAQUE:
            self.kinds["delegate" if node.op == "delegate" else "unknown operator"] += 1
            given = [Value(name) for name in values_in(node.operands)]
            pairs = zip(node.results, itertools.cycle(given), strict=False)
            return [each for result, value in pairs for each in self._alike(node, result, value)]
        return [node]

    def _alike(self, node: Node, result: tuple[str, Type], value: Value) -> Iterator[Node]:
        """Operators that make a result like an operand: of a delegate what a delegate takes."""
        if node.op != "delegate" or result[1].dtype != "float32":
            yield Node("aten::clone.out", [value, None], [result])
            return
        square = next(self._new)
        self.types[square] = result[1]
        yield Node("aten::mul.out", [value, value], [(square, result[1])])
        yield Node("aten::relu.out", [Value(square)], [result])

    def _update_cache(self, node: Node) -> Iterator[Node]:
        """A copy into a slice; the result, the cache itself, as a view of all of it."""
        one, cache, position = node.operands
        whole = self.types[cache.name]
        part, done = next(self._new), next(self._new)
        kind = Type(whole.dtype, [whole.sizes[0], 1, *whole.sizes[2:]])
        self.types[part] = self.types[done] = kind
        place = [1, position, position + 1, 1]
        yield Node("aten::slice_copy.Tensor_out", [cache, *place], [(part, kind)], view=True)
        yield Node("aten::copy_", [Value(part), one, False], [(done, kind)])
        sizes = list(whole.sizes)
        yield Node("aten::view_copy.out", [cache, sizes], node.results, view=True)


def types_of(method: Method, module: Module | None = None) -> dict[str, Type]:
    """The types of all values of a method; those of entries only with the Module."""
    types = dict(method.inputs)
    if module is not None:
        types.update((value, module.buffer(name).type) for value, name in method.entries)
    for node in nodes_of(method.nodes):
        types.update(node.results)
        for region in node.regions:
            types.update(region.params)
    return types


def _give_own_buffers(module: Module) -> None:
    """A buffer that each method has to itself is one for each of several methods."""
    made: list[Buffer] = []
    for buffer in module.buffers:
        users = [m for m in module.methods if uses(m, buffer.name)]
        if buffer.shared or len(users) < 2:
            made.append(buffer)
            continue
        for method in users:
            name = f"{method.name}_{buffer.name}"
            made.append(dataclasses.replace(buffer, name=name))
            method.entries = [(v, name if b == buffer.name else b) for v, b in method.entries]
            old = f"@{buffer.name}"
            method.stores = [(f"@{name}" if t == old else t, v) for t, v in method.stores]
    module.buffers = made


def uses(method: Method, buffer: str) -> bool:
    """Whether a method reads or stores a buffer."""
    return any(b == buffer for _, b in method.entries) or f"@{buffer}" in dict(method.stores)

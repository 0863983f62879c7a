"""Modules without while loops: the body of each stands, once, in its place."""

from __future__ import annotations

import copy
import itertools
from typing import TYPE_CHECKING

from pteproof.hunt._text import nodes_of, replaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pteproof.hunt._text import Module, Node, Region


def without_while(module: Module) -> None:
    """Puts the body of each loop, once, in its place."""
    new = (f"%u{k}" for k in itertools.count())
    for method in module.methods:
        names: dict[str, str] = {}
        method.nodes = list(_nodes(method.nodes, names, new))
        method.outputs = [_named(each, names) for each in method.outputs]
        method.stores = [(target, _named(value, names)) for target, value in method.stores]


def _named(name: str, names: dict[str, str]) -> str:
    while name in names:
        name = names[name]
    return name


def _nodes(nodes: list[Node], names: dict[str, str], new: Iterator[str]) -> Iterator[Node]:
    for node in nodes:
        node.operands = [_operand(each, names) for each in node.operands]
        if node.op == "while":
            yield from _body(node, names, new)
            continue
        for region in node.regions:
            region.nodes = list(_nodes(region.nodes, names, new))
            region.results = [_named(each, names) for each in region.results]
        yield node


def _operand(operand: object, names: dict[str, str]) -> object:
    return replaced(operand, {name: _named(name, names) for name in names})


def _body(loop: Node, names: dict[str, str], new: Iterator[str]) -> Iterator[Node]:
    given = [each.name for each in loop.operands]
    region = _renamed(copy.deepcopy(loop.regions[1]), new)
    for (param, _), value in zip(region.params, given, strict=True):
        names[param] = value
    yield from _nodes(region.nodes, names, new)
    for (result, _), value in zip(loop.results, region.results, strict=True):
        names[result] = _named(value, names)


def _renamed(region: Region, new: Iterator[str]) -> Region:
    """The region with new names for all its values."""
    names = {name: next(new) for name, _ in region.params}
    for node in nodes_of(region.nodes):
        names.update((name, next(new)) for name, _ in node.results)
        for inner in node.regions:
            names.update((name, next(new)) for name, _ in inner.params)
    for node in nodes_of(region.nodes):
        node.operands = replaced(node.operands, names)
        node.results = [(names[name], kind) for name, kind in node.results]
        for inner in node.regions:
            inner.params = [(names[name], kind) for name, kind in inner.params]
            inner.results = [names.get(name, name) for name in inner.results]
    region.params = [(names[name], kind) for name, kind in region.params]
    region.results = [names.get(name, name) for name in region.results]
    return region

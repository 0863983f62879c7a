"""PyTorch models of Modules, and their calls in eager mode."""

from __future__ import annotations

import builtins
import linecache
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from pteproof.hunt._rewrite import expressible
from pteproof.hunt._source import Style, class_of, model_lines
from pteproof.hunt._text import Module, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Function = Callable[..., Any]


class TorchModel(nn.Module):  # type: ignore[misc]
    """A model: a method for each method of the Module, and in `methods` one to export for each."""

    methods: Mapping[str, nn.Module]
    source: str


def torch_module(module: Module | str, style: Style | None = None) -> TorchModel:
    """Makes a PyTorch model of a Module, or of its text.

    Buffers are registered under their names. What torch has no counterpart of (delegates, unknown
    operators) is put otherwise, as `expressible` does.

    >>> model = torch_module("buffer @k: float32[2]  method m() {%0 = entry @k return %0}")
    >>> model.m()
    tensor([0., 0.])
    """
    if isinstance(module, str):
        module, _ = expressible(parse(module))
    return built(module, model_lines(module, style or Style()))


def built(module: Module, lines: Sequence[str]) -> TorchModel:
    """The model of a source; its lines can be shown by who has its frames."""
    source = "\n".join(lines) + "\n"
    name = f"<model {abs(hash(source)):x}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    space: dict[str, Any] = {"torch": torch, "nn": nn, "functional": nn.functional, **_CONTROL}
    exec(compile(source, name, "exec"), space)
    methods = {m.name: space[class_of(m)]().eval() for m in module.methods}
    first = next(iter(methods.values()))
    for method in methods.values():
        method.__dict__ = first.__dict__  # one set of buffers
    model = TorchModel()
    object.__setattr__(model, "methods", methods)
    object.__setattr__(model, "source", source)
    for attribute in ("_buffers", "_parameters", "_modules"):
        object.__setattr__(model, attribute, first.__dict__[attribute])
    for key, method in methods.items():
        object.__setattr__(model, key, method.forward)
    return model


class Eager:
    """Calls of a model in eager mode, from its first state."""

    def __init__(self, model: TorchModel) -> None:
        self.model = model
        self._first = [(held, held.detach().clone()) for held in model.buffers()]

    def begin(self) -> None:
        """Back to the first state."""
        with torch.no_grad():
            for held, first in self._first:
                held.copy_(first)

    def call(self, method: str, inputs: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The outputs, and the inputs after the call."""
        given = [each.clone() for each in inputs]
        with torch.no_grad():
            returned = self.model.methods[method](*given)
        listed = list(returned) if isinstance(returned, (tuple, list)) else [returned]
        return [each.clone() for each in listed], given


def _cond(predicate: Any, then: Function, otherwise: Function, operands: tuple[Any, ...]) -> Any:
    if torch.compiler.is_exporting():
        return torch.cond(predicate, then, otherwise, operands)
    return (then if bool(predicate) else otherwise)(*operands)


def _map(function: Function, rows: Any, *rest: Any) -> Any:
    if torch.compiler.is_exporting():
        from torch._higher_order_ops.map import map as mapped

        return mapped(function, rows, *rest)
    return torch.stack([function(row, *rest) for row in rows])


def _scan(function: Function, carried: Any, rows: Any) -> Any:
    if torch.compiler.is_exporting():
        from torch._higher_order_ops.scan import scan

        return scan(function, carried, rows)
    made = []
    for row in rows:
        carried, each = function(carried, row)
        made.append(each)
    return carried.clone(), torch.stack(made)


def _while_loop(test: Function, body: Function, carried: tuple[Any, ...]) -> Any:
    if torch.compiler.is_exporting():
        from torch._higher_order_ops.while_loop import while_loop

        return while_loop(test, body, carried)
    while bool(test(*carried)):
        carried = body(*carried)
    return tuple(each.clone() for each in carried)


_CONTROL = {
    "cond": _cond,
    "map": _map,
    "scan": _scan,
    "while_loop": _while_loop,
    "range": builtins.range,
}

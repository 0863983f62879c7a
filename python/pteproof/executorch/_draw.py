"""Random calls of a model's methods: sizes within their ranges, numbers that the model takes.

Equal seeds make equal calls on every machine.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import torch
from torch.export.graph_signature import ConstantArgument, InputKind

from pteproof.executorch._ranges import bounds_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch.export import ExportedProgram

_LONGEST = 16  # of a dimension that varies, above its least size
_INTEGERS = (8, 2, 1)  # integers are drawn below the first of these that the model takes


class Draw:
    """Draws inputs of one method."""

    def __init__(self, program: ExportedProgram, seed: int) -> None:
        self.program = program
        self._dice = random.Random(seed)
        self._generator = torch.Generator().manual_seed(seed)
        nodes = {n.name: n for n in program.graph.nodes if n.op == "placeholder"}
        self._specs = [
            (spec.arg, nodes.get(spec.arg.name))
            for spec in program.graph_signature.input_specs
            if spec.kind == InputKind.USER_INPUT
        ]
        self._below = _INTEGERS[0]

    def narrow(self) -> bool:
        """Draws smaller integers from now on; False: there are none."""
        smaller = [each for each in _INTEGERS if each < self._below]
        if not smaller or not any(_is_index(node) for _, node in self._specs):
            return False
        self._below = smaller[0]
        return True

    def inputs(self) -> list[Any]:
        """The user inputs of a call, in the order of the signature."""
        sizes = self._sizes()
        return [self._input(argument, node, sizes) for argument, node in self._specs]

    def _sizes(self) -> dict[Any, int]:
        """By symbol: a size within its range."""
        sizes = {}
        for symbol, bounds in sorted(self.program.range_constraints.items(), key=str):
            low, most = bounds_of(bounds)
            high = low + _LONGEST if most is None else min(low + _LONGEST, most)
            sizes[symbol] = self._dice.randint(low, high)
        return sizes

    def _input(self, argument: Any, node: Any, sizes: Mapping[Any, int]) -> Any:
        if isinstance(argument, ConstantArgument):
            return argument.value
        value = node.meta["val"]
        if not isinstance(value, torch.Tensor):
            return _number(value, sizes)
        shape = [_number(size, sizes) for size in value.shape]
        return self._tensor(shape, value.dtype)

    def _tensor(self, shape: list[int], dtype: torch.dtype) -> torch.Tensor:
        if dtype.is_floating_point:
            return torch.randn(shape, generator=self._generator).to(dtype)
        if dtype.is_complex:
            return torch.randn(shape, generator=self._generator, dtype=torch.complex64).to(dtype)
        below = 2 if dtype == torch.bool else self._below
        return torch.randint(0, below, shape, generator=self._generator).to(dtype)


def _is_index(node: Any) -> bool:
    value = None if node is None else node.meta.get("val")
    if not isinstance(value, torch.Tensor) or value.dtype == torch.bool:
        return False
    return not value.dtype.is_floating_point and not value.dtype.is_complex


def _number(size: Any, sizes: Mapping[Any, int]) -> Any:
    """A size, or an input that is one."""
    if not isinstance(size, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return size
    return int(size.node.expr.subs(sizes))

"""Random calls of a program's methods: equal seeds make equal calls on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    import random

    from pteproof.hunt._text import Method, Module, Type

    # A method and its inputs.
    Call = tuple[str, list[torch.Tensor]]

_MOST = 10  # calls of a sequence
_SPECIAL = (0.0, -0.0, 1.0, 1e30, -1e-30, float("inf"), float("-inf"), float("nan"))


def sequence_of(module: Module, dice: random.Random, special: bool = False) -> list[Call]:
    """Every method twice, in a random order, as far as calls go; the first is not always first."""
    names = [method.name for method in module.methods]
    order = dice.sample(names, len(names)) + dice.sample(names, len(names))
    while len(order) < 4:
        order += names
    methods = {method.name: method for method in module.methods}
    return [(name, inputs_of(methods[name], dice, special)) for name in order[:_MOST]]


def inputs_of(method: Method, dice: random.Random, special: bool = False) -> list[torch.Tensor]:
    """Inputs of a call: one size for each dim, small numbers that sums keep exactly."""
    sizes = {name: dice.randint(lower, upper) for name, lower, upper, _ in method.dims}
    return [
        tensor_of(kind, sizes, dice, special, name in method.channels_last)
        for name, kind in method.inputs
    ]


def example_of(method: Method) -> list[torch.Tensor]:
    """What a method is exported with: dims have their hints."""
    sizes = {name: upper if hint is None else hint for name, _, upper, hint in method.dims}
    return [
        _laid(torch.zeros(shape(kind, sizes), dtype=getattr(torch, kind.dtype)), name, method)
        for name, kind in method.inputs
    ]


def _laid(tensor: torch.Tensor, name: str, method: Method) -> torch.Tensor:
    last = name in method.channels_last
    return tensor.contiguous(memory_format=torch.channels_last) if last else tensor


def shape(kind: Type, sizes: dict[str, int]) -> list[int]:
    """The sizes of an input: each a number or a dim."""
    return [size if isinstance(size, int) else sizes[size] for size in kind.sizes]


def tensor_of(
    kind: Type, sizes: dict[str, int], dice: random.Random, special: bool, last: bool
) -> torch.Tensor:
    """A tensor of small numbers: quarters, integers below 8, or truths."""
    dtype = getattr(torch, kind.dtype)
    made = torch.empty(shape(kind, sizes), dtype=dtype)
    count = made.numel()
    numbers: list[Any]
    if dtype.is_floating_point:
        numbers = [dice.randrange(-16, 16) / 4 for _ in range(count)]
        if special and count and dice.random() < 0.25:
            numbers[dice.randrange(count)] = dice.choice(_SPECIAL)
    else:
        numbers = [dice.randrange(2 if dtype == torch.bool else 8) for _ in range(count)]
    made = torch.tensor(numbers, dtype=dtype).reshape(made.shape)
    return made.contiguous(memory_format=torch.channels_last) if last else made

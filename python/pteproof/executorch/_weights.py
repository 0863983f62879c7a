"""Weights of a model that its file holds more than once.

Methods, or layers, that share a weight have one tensor, and the exporter writes equal constants
once. A delegate's blob has constants of its own: there a shared weight is written again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pteproof.executorch._module_text import flat_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from executorch.exir import ExecutorchProgramManager

    from pteproof.executorch._state import Tensors

_FEWEST_BYTES = 1024  # what is smaller is not worth a word


def held_again(tensors: Tensors, made: ExecutorchProgramManager) -> Iterator[str]:
    """A sentence for each weight with several names whose bytes are in the file more than once.

    The program and its external data are searched once for each such weight.
    """
    parts: list[bytes] = []
    for tensor, names in tensors.weights_of_several_names():
        if tensor.numel() * tensor.element_size() < _FEWEST_BYTES:
            continue
        raw = flat_bytes(tensor).numpy().tobytes()
        if raw == raw[:1] * len(raw):
            continue  # zeros lie everywhere
        parts = parts or [made.buffer, *map(bytes, (made._tensor_data or {}).values())]
        if (count := sum(part.count(raw) for part in parts)) > 1:
            named = " and ".join(f"'{name}'" for name in names)
            yield f"{named} are one weight of {len(raw):,} bytes, which the file has {count} times"

"""A Python callable with the interface of ExecuTorch's `memory_planning_algo`.

It is called as ExecuTorch 1.0 to 1.5 call it, algorithm(alignment, specs, graph_module,
graph_signature, extra_padding), and returns a MemoryAlgoResult, or sets the places of the specs
and returns the sizes of the banks. The specs are ExecuTorch's if it is installed.
"""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from pteproof.hunt.planners.problem import Layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from pteproof.hunt.planners.problem import Problem

MOST_STORAGES = 256
_SPECS = 2 * MOST_STORAGES  # a problem takes the next ones: no two calls get the same objects


class Spec:
    """What a planner sees of ExecuTorch's TensorSpec, for a Python without it."""

    def __init__(self, scalar_type: Any, shape: list[int]) -> None:
        self.scalar_type = self.dtype = scalar_type
        self.shape = shape
        self.alignment = 16
        self.const = False
        self.lifetime: list[Any] = [None, None]
        self.mem_id: int | None = None
        self.mem_obj_id: int | None = None
        self.mem_offset: int | None = None
        self.storage_base: Any = None
        self.storage_base_offset = 0

    def nbytes(self) -> int:
        """The bytes of its elements."""
        return self.shape[0]

    @property
    def allocated_memory(self) -> int:
        """The bytes up to the next multiple of the alignment."""
        return -(-self.shape[0] // self.alignment) * self.alignment

    def realign(self, alignment: int) -> int:
        """Sets the alignment."""
        self.alignment = alignment
        return self.allocated_memory


class WrongAnswerError(Exception):
    """What came back is no answer."""


class Algorithm:
    """Asks a callable."""

    def __init__(self, algorithm: Callable[..., Any]) -> None:
        self.algorithm = algorithm
        made, self.module, self.signature = _surroundings()
        self.has_parts = hasattr(made(1), "storage_base")
        self._specs = [made(1) for _ in range(_SPECS)]
        random.Random(0).shuffle(self._specs)
        self._next = 0

    def __call__(self, problem: Problem) -> Layout:
        """The layout of a problem. Raises what the callable raises, and WrongAnswerError."""
        specs = self._take(len(problem.storages))
        for spec, storage in zip(specs, problem.storages, strict=True):
            spec.shape = [storage.size]
            [(lower, upper)] = storage.lives
            spec.lifetime = [lower, upper - 1]
            spec.alignment = 16
            spec.mem_id = storage.bank or None
            spec.mem_obj_id = spec.mem_offset = None
            if self.has_parts:
                spec.storage_base = specs[storage.base] if storage.base >= 0 else None
                spec.storage_base_offset = storage.inside
        self.module.input_mem_buffer_sizes = list(problem.taken) or [0, 0]
        result = self.algorithm(
            problem.alignment, list(specs), self.module, self.signature, problem.padding
        )
        return _layout(specs, result)

    def _take(self, count: int) -> list[Any]:
        if self._next + count > len(self._specs):
            self._next = 0
        self._next += count
        return self._specs[self._next - count : self._next]


def _layout(specs: list[Any], result: Any) -> Layout:
    places: list[tuple[int, int] | None] = []
    chosen = getattr(result, "spec_dict", None)
    sizes = result if chosen is None else result.bufsizes
    if not isinstance(sizes, (list, tuple)) or not all(isinstance(x, int) for x in sizes):
        raise WrongAnswerError(f"it returns {result!r:.100}, which has no list of the banks' sizes")
    for spec in specs:
        place = spec if chosen is None else chosen.get(spec)
        bank, offset = getattr(place, "mem_id", None), getattr(place, "mem_offset", None)
        known = isinstance(bank, int) and isinstance(offset, int)
        places.append((bank, offset) if known else None)  # type: ignore[arg-type]
    return Layout(places, list(sizes))


def _surroundings() -> tuple[Callable[[int], Any], Any, Any]:
    """How a spec of so many bytes is made, and a module and a signature without any node."""
    try:
        import torch
        from executorch.exir.tensor import TensorSpec
        from torch.export.graph_signature import ExportGraphSignature
    except ImportError:
        nodes = SimpleNamespace(nodes=())
        return lambda size: Spec(None, [size]), SimpleNamespace(graph=nodes, meta={}), None
    module = torch.fx.GraphModule(torch.nn.Module(), torch.fx.Graph())
    return lambda size: TensorSpec(torch.uint8, [size]), module, ExportGraphSignature([], [])

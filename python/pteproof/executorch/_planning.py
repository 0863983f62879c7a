"""pteproof's placement behind ExecuTorch's own interface for memory planning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from executorch.exir.memory_planning import MemoryPlanningAlgorithmSuite, greedy

from pteproof import _verbs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from executorch.exir.memory_planning import MemoryAlgoResult
    from executorch.exir.tensor import TensorSpec


class MemoryPlanning(MemoryPlanningAlgorithmSuite):  # type: ignore[misc]
    """Plans memory: `MemoryPlanningPass(memory_planning_algo=MemoryPlanning())`.

    Lifetimes, banks (memory ids), guard bytes behind delegates and storages that share bytes on
    purpose are those of ExecuTorch's `greedy`. Only offsets change, and only in banks that get
    smaller by it: no bank is ever larger than with `greedy`, unless `greedy` forgets the bytes of
    inner graphs in a bank that the outer one does not use.

    algorithm: `best` searches for equal work on every machine, `exact` for longer; the others of
      `pteproof place` are quick.
    time: seconds of the search in each bank, instead of equal work.
    """

    def __init__(self, algorithm: str = "best", time: float | None = None) -> None:
        super().__init__([self.plan])
        self._algorithm, self._time = algorithm, time

    def plan(
        self,
        alignment: int,
        specs: Iterable[TensorSpec],
        graph_module: Any,
        graph_signature: Any,
        extra_padding: int = 0,
    ) -> MemoryAlgoResult:
        """Returns the places of the specs, as the algorithms of ExecuTorch do."""
        specs = list(specs)
        for spec in specs:  # greedy sorts by sizes before it aligns them, and refuses what it did
            spec.realign(alignment)
        result = greedy(alignment, specs, graph_module, graph_signature, extra_padding)
        before = getattr(graph_module, "input_mem_buffer_sizes", None) or []
        result.bufsizes += [0] * (len(before) - len(result.bufsizes))
        result.bufsizes[:] = map(max, result.bufsizes, [*before, *result.bufsizes[len(before) :]])
        for bank, size in enumerate(result.bufsizes):
            members = [spec for spec, place in result.spec_dict.items() if place.mem_id == bank]
            first = before[bank] if bank < len(before) else 0  # below lie those of inner graphs
            offsets = self._place(members, alignment)
            peak = max((offsets[s] + s.allocated_memory for s in offsets), default=0)
            if first + peak + extra_padding < size:
                result.bufsizes[bank] = first + peak + extra_padding
                _move(members, offsets, first, result)
        return result

    def _place(self, members: list[TensorSpec], alignment: int) -> dict[TensorSpec, int]:
        """Offsets of those that have bytes of their own."""
        owners = [spec for spec in members if spec.storage_base is None]
        if not owners:
            return {}
        rows = [
            f"{i},{spec.lifetime[0]},{spec.lifetime[1] + 1},{spec.allocated_memory}\n"
            for i, spec in enumerate(owners)
        ]
        table = "id,lower,upper,size\n" + "".join(rows)
        [placed] = _verbs.place(
            table.encode(), algorithm=self._algorithm, alignment=alignment, time=self._time
        )
        return {spec: placed.offsets[str(i)] for i, spec in enumerate(owners)}


def _move(
    members: list[TensorSpec],
    offsets: dict[TensorSpec, int],
    first: int,
    result: MemoryAlgoResult,
) -> None:
    """Gives the members of one bank their new places. All are one object, as any may overlap."""
    for spec in members:
        root, inside = spec, 0
        while root.storage_base is not None:
            inside += root.storage_base_offset
            root = root.storage_base
        place = result.spec_dict[spec]
        place.mem_offset = first + offsets[root] + inside
        place.mem_obj_id = 0

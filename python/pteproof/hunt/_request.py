"""What a hunt is asked for, in words that need no torch."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator, Sequence

# Loaders that run files: how they share banks, and when they load methods.
POLICIES: dict[str, tuple[Any, Any]] = {
    "Runtime": ("share-all", "all-first"),
    "portable": ("private", "lazy"),
}


@dataclasses.dataclass
class Request:
    """Which programs, and what becomes of them."""

    seed: int
    out: pathlib.Path
    cases: int | None = None
    seconds: float | None = None
    shard: tuple[int, int] = (0, 1)  # this one, counted from 0, of so many
    worker: tuple[int, int] = (0, 1)  # the same of the processes of this hunt
    known: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    stop_at_first: bool = False
    planner: str | None = None
    loaders: tuple[str, ...] = ("Runtime", "portable")
    quiet: bool = False
    only: Sequence[int] | None = None  # these programs alone
    seen: dict[str, int] = dataclasses.field(default_factory=dict)  # finds before, by signature

    def numbers(self) -> Iterator[int]:
        """The programs, without end if `cases` sets none."""
        if self.only is not None:
            yield from self.only
            return
        shard, shards = self.shard
        worker, workers = self.worker
        number, k = shard, 0
        while self.cases is None or number < self.cases:
            if k % workers == worker:
                yield number
            number, k = number + shards, k + 1

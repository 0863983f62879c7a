"""Problems for planners: storages with lifetimes, sizes, alignments, banks and places.

A problem is plain data that two interfaces can say: ExecuTorch's specs, and the table of
`pteproof place`. It is *fair* if some layout is right: given places are aligned and do not meet,
and what lies in another storage fits there and lives no longer.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

# What can be drawn beside sizes and lifetimes. Specs have no word for fixed offsets and for several
# lives; a table has none for parts, taken bytes and padding.
SPEC_KINDS = frozenset({"alignment", "banks", "parts", "taken", "padding"})
TABLE_KINDS = frozenset({"alignment", "banks", "fixed", "lives"})


class Storage(NamedTuple):
    """Bytes that one value, or several that share them, needs."""

    lives: tuple[tuple[int, int], ...]  # points [lower, upper), ascending
    size: int
    alignment: int = 1
    bank: int = 0  # 0: any bank; of a table all have one, or none has
    offset: int | None = None  # given; None: any
    base: int = -1  # the storage in whose bytes it lies, `inside` bytes from the beginning
    inside: int = 0


class Problem(NamedTuple):
    """What a planner is asked."""

    storages: tuple[Storage, ...]
    alignment: int = 1  # of all offsets
    taken: tuple[int, ...] = ()  # by bank: the bytes below belong to others
    padding: int = 0  # bytes of the bank behind the last storage


class Layout(NamedTuple):
    """What a planner answers."""

    places: list[tuple[int, int] | None]  # bank and offset of each storage; None: it has none
    sizes: list[int] | None = None  # of banks; None: the interface has no word for them


def meet(one: Storage, other: Storage) -> bool:
    """Whether both live at some point."""
    return any(a < d and c < b for a, b in one.lives for c, d in other.lives)


def root_of(storages: Sequence[Storage], index: int) -> int:
    """The storage at the end of the bases."""
    while storages[index].base >= 0:
        index = storages[index].base
    return index


def is_fair(problem: Problem) -> bool:
    """Whether some layout is right."""
    storages = problem.storages
    for storage in storages:
        aligned = storage.offset is None or (
            storage.offset % max(storage.alignment, problem.alignment) == 0
        )
        if storage.size < 0 or not aligned or any(a >= b for a, b in storage.lives):
            return False
        if storage.base >= 0:
            base = storages[storage.base]
            lower, upper = storage.lives[0][0], storage.lives[-1][1]
            covered = base.lives[0][0] <= lower and upper <= base.lives[-1][1]
            fits = storage.inside + storage.size <= base.size and base.bank == storage.bank
            if not (covered and fits and storage.inside % problem.alignment == 0):
                return False
    fixed = [x for x in storages if x.offset is not None]
    return not any(
        one.bank == other.bank and meet(one, other) and _share(one, other)
        for one, other in itertools.combinations(fixed, 2)
    )


def _share(one: Storage, other: Storage) -> bool:
    a, b = one.offset or 0, other.offset or 0
    return max(a, b) < min(a + one.size, b + other.size)


def permuted(problem: Problem, order: Sequence[int]) -> Problem:
    """The same storages in another order: `order` lists them by their indices."""
    place = {old: new for new, old in enumerate(order)}
    storages = [problem.storages[old] for old in order]
    moved = (x._replace(base=place[x.base]) if x.base >= 0 else x for x in storages)
    return problem._replace(storages=tuple(moved))


# ---- Drawing ----


def draw(random: Random, most: int, kinds: frozenset[str], as_table: bool) -> Problem:
    """A problem of at most so many storages; half of all have as many."""
    uniform = random.random
    count = most if uniform() < 0.5 else 1 + int(uniform() * most)
    sizes = _sizes(uniform, count)
    lives = _lives(uniform, count)
    banks = [0] * count
    if "banks" in kinds and uniform() < 0.4:
        last = 1 + int(uniform() * 3)
        lowest = 1 if as_table or uniform() < 0.5 else 0
        banks = [lowest + int(uniform() * (last + 1 - lowest)) for _ in range(count)]
    storages = [Storage((x,), y, 1, z) for x, y, z in zip(lives, sizes, banks, strict=True)]
    return (_as_table if as_table else _as_specs)(uniform, kinds, storages)


def _sizes(uniform: Callable[[], float], count: int) -> list[int]:
    """Sizes of one sort: few, any, powers of two and their neighbours, or of all magnitudes."""
    sort = int(uniform() * 5)
    if sort == 0:
        few = [1 + int(uniform() * 200) for _ in range(3)]
        return [few[int(uniform() * 3)] for _ in range(count)]
    if sort == 1:
        return [int(uniform() * 4096) for _ in range(count)]
    if sort == 2:
        return [(1 << int(uniform() * 12)) + int(uniform() * 3) - 1 for _ in range(count)]
    if sort == 3:
        return [16 * int(uniform() * 8) for _ in range(count)]
    magnitude = 34 if uniform() < 0.1 else 20
    return [int(2 ** (uniform() * magnitude)) for _ in range(count)]


def _lives(uniform: Callable[[], float], count: int) -> list[tuple[int, int]]:
    """Lifetimes, most of them short beside the time in which all live."""
    horizon = (2, count // 2 + 1, count + 1, 3 * count)[int(uniform() * 4)]
    always = 0.1 if uniform() < 0.5 else 0.0
    lives = []
    for _ in range(count):
        lower = int(uniform() * horizon)
        upper = lower + 1 + int(uniform() * uniform() * horizon)
        lives.append((0, horizon) if uniform() < always else (lower, min(upper, horizon)))
    return lives


def _as_specs(
    uniform: Callable[[], float], kinds: frozenset[str], storages: list[Storage]
) -> Problem:
    alignment = 16
    if "alignment" in kinds and uniform() < 0.4:
        alignment = 1 << int(uniform() * 8)
    if "parts" in kinds and uniform() < 0.3:
        _put_parts(uniform, storages, alignment)
    taken: tuple[int, ...] = ()
    if "taken" in kinds and uniform() < 0.3:
        most = 1 + int(uniform() * 3)
        taken = (0, *(alignment * int(uniform() * 20) for _ in range(most)))
    padding = 64 if "padding" in kinds and uniform() < 0.2 else 0
    return Problem(tuple(storages), alignment, taken, padding)


def _put_parts(uniform: Callable[[], float], storages: list[Storage], alignment: int) -> None:
    """Puts some storages into older ones, which then live as long as their parts."""
    for index in range(1, len(storages)):
        at = int(uniform() * index * 2)
        if at >= index or storages[at].size == 0:
            continue
        base, part = storages[at], storages[index]
        inside = int(uniform() * base.size) // alignment * alignment
        size = min(part.size, base.size - inside)
        storages[index] = Storage(part.lives, size, 1, base.bank, None, at, inside)
        (lower, upper), above = part.lives[0], at
        while above >= 0:
            [(first, last)] = storages[above].lives
            longer = ((min(first, lower), max(last, upper)),)
            storages[above] = storages[above]._replace(lives=longer)
            above = storages[above].base


def _as_table(
    uniform: Callable[[], float], kinds: frozenset[str], storages: list[Storage]
) -> Problem:
    aligned = "alignment" in kinds and uniform() < 0.5
    again = 0.2 if "lives" in kinds and uniform() < 0.5 else 0.0
    fixed = 0.2 if "fixed" in kinds and uniform() < 0.4 else 0.0
    ends: dict[int, int] = {}  # of fixed storages, by bank
    for index, storage in enumerate(storages):
        alignment = 1 << int(uniform() * 7) if aligned else 1
        lives, offset = storage.lives, None
        if uniform() < again:
            later = lives[0][1] + 1 + int(uniform() * 5)
            lives = (*lives, (later, later + 1 + int(uniform() * 3)))
        if uniform() < fixed:
            gap = int(uniform() * 100)
            offset = -(-(ends.get(storage.bank, 0) + gap) // alignment) * alignment
            ends[storage.bank] = offset + storage.size
        storages[index] = storage._replace(lives=lives, alignment=alignment, offset=offset)
    return Problem(tuple(storages))


# ---- Smaller ones ----


def smaller(problem: Problem) -> Iterator[Problem]:
    """Problems that are simpler by one step, the largest steps first. Not all are fair."""
    count = len(problem.storages)
    step = count // 2
    while step:
        for first in range(0, count, step):
            yield without(problem, range(first, min(first + step, count)))
        step //= 2
    if problem.padding:
        yield problem._replace(padding=0)
    if problem.taken:
        yield problem._replace(taken=())
        for bank, taken in enumerate(problem.taken):
            for less in (x for x in (0, problem.alignment) if x < taken):
                rest = problem.taken[bank + 1 :]
                yield problem._replace(taken=(*problem.taken[:bank], less, *rest))
        if problem.taken[-1] == 0:
            yield problem._replace(taken=problem.taken[:-1])
    if problem.alignment not in (1, 16):  # 1: of each storage its own; 16: ExecuTorch's
        yield problem._replace(alignment=16)
    if any(storage.bank for storage in problem.storages):
        yield problem._replace(storages=tuple(x._replace(bank=0) for x in problem.storages))
    yield from _earlier(problem)
    for index, storage in enumerate(problem.storages):
        for simpler in _simpler(storage):
            changed = list(problem.storages)
            changed[index] = simpler
            yield problem._replace(storages=tuple(changed))


def without(problem: Problem, dropped: range) -> Problem:
    """Without some storages; their parts lie by themselves then."""
    kept = [i for i in range(len(problem.storages)) if i not in dropped]
    place = {old: new for new, old in enumerate(kept)}
    storages = []
    for old in kept:
        storage = problem.storages[old]
        base = place.get(storage.base, -1)
        storages.append(storage._replace(base=base, inside=storage.inside if base >= 0 else 0))
    return problem._replace(storages=tuple(storages))


def _earlier(problem: Problem) -> Iterator[Problem]:
    """With points numbered without gaps."""
    points = sorted({x for s in problem.storages for life in s.lives for x in life})
    rank = {point: k for k, point in enumerate(points)}
    if points and points != list(range(len(points))):
        yield problem._replace(
            storages=tuple(
                s._replace(lives=tuple((rank[a], rank[b]) for a, b in s.lives))
                for s in problem.storages
            )
        )


def _simpler(storage: Storage) -> Iterator[Storage]:
    if storage.base >= 0:
        yield storage._replace(base=-1, inside=0)
    if storage.inside:
        yield storage._replace(inside=0)
    if storage.offset is not None:
        yield storage._replace(offset=None)
        if storage.offset:
            yield storage._replace(offset=0)
    if storage.bank:
        for bank in range(1, storage.bank):
            yield storage._replace(bank=bank)
    if storage.alignment > 1:
        yield storage._replace(alignment=1)
        yield storage._replace(alignment=storage.alignment // 2)
    for size in sorted({1, 16, storage.size // 2, storage.size - 1}):
        if 0 < size < storage.size:
            yield storage._replace(size=size)
    if len(storage.lives) > 1:
        for life in storage.lives:
            yield storage._replace(lives=(life,))
    elif storage.lives[0][1] - storage.lives[0][0] > 1:
        [(lower, upper)] = storage.lives
        for first, end in ((0, lower + 1), (upper - 1, upper), (0, upper - 1), (lower + 1, upper)):
            yield storage._replace(lives=((max(first, lower), end),))

"""Whether a layout is right, by comparing its storages in pairs.

`pteproof place --verify` says the same of tables, with other code; a test compares the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pteproof.hunt.planners.problem import meet, root_of

if TYPE_CHECKING:
    from pteproof.hunt.planners.problem import Layout, Problem

# What a planner may break, in the order in which a problem is judged.
LAWS = {
    "raises": "the planner answers: it raises nothing, ends in time, and returns what it has to",
    "place": "each storage has a bank and an offset",
    "bank": "a storage lies in the bank that is given",
    "fixed": "a storage lies at the offset that is given, a part in its base",
    "alignment": "each offset is a multiple of its alignment",
    "taken": "bytes that others have taken stay theirs, and stay in the bank's size",
    "bounds": "each storage ends within its bank",
    "padding": "behind the last storage of a bank the padding follows",
    "overlap": "storages that live at one time share no bytes",
    "repeat": "the same problem has the same layout again",
    "order": "storages in another order have the same layout, if the planner promises that",
}


class Mistake(NamedTuple):
    """One broken law."""

    law: str
    text: str
    wrong: str = ""  # the same as an expression over `places` and `size_of`, for a script


def mistake_in(problem: Problem, layout: Layout) -> Mistake | None:
    """The first mistake of a layout. None: it is right."""
    by_bank: dict[int, list[tuple[int, int, int]]] = {}
    storages, taken = problem.storages, problem.taken
    for i, (storage, place) in enumerate(zip(storages, layout.places, strict=True)):
        if place is None or place[0] < 1 or place[1] < 0:
            return Mistake(
                "place",
                f"storage {i} has no place: {place}",
                f"places[{i}] is None or places[{i}][0] < 1 or places[{i}][1] < 0",
            )
        bank, offset = place
        if storage.bank and bank != storage.bank:
            return Mistake(
                "bank",
                f"storage {i} lies in bank {bank}, and bank {storage.bank} is given",
                f"places[{i}][0] != {storage.bank}",
            )
        if storage.offset is not None and offset != storage.offset:
            return Mistake("fixed", f"storage {i} lies at {offset}, and {storage.offset} is given")
        alignment = max(storage.alignment, problem.alignment)
        if storage.size and offset % alignment:
            return Mistake(
                "alignment",
                f"storage {i} lies at {offset}, which is not a multiple of {alignment}",
                f"places[{i}][1] % {alignment} != 0",
            )
        if bank < len(taken) and offset < taken[bank]:
            return Mistake(
                "taken",
                f"storage {i} lies at {offset} of bank {bank}, "
                f"where the bytes below {taken[bank]} are taken",
                f"places[{i}][1] < {taken[bank]}",
            )
        by_bank.setdefault(bank, []).append((offset, offset + storage.size, i))
    return (
        _misplaced_part(problem, layout)
        or (_beyond(problem, layout.sizes, by_bank) if layout.sizes is not None else None)
        or _overlap(problem, by_bank)
    )


def _misplaced_part(problem: Problem, layout: Layout) -> Mistake | None:
    for i, storage in enumerate(problem.storages):
        base = layout.places[storage.base] if storage.base >= 0 else None
        if base is not None and layout.places[i] != (base[0], base[1] + storage.inside):
            return Mistake(
                "fixed",
                f"storage {i} does not lie {storage.inside} bytes inside of storage {storage.base}",
                f"places[{i}] != (places[{storage.base}][0], "
                f"places[{storage.base}][1] + {storage.inside})",
            )
    return None


def _beyond(
    problem: Problem, sizes: list[int], by_bank: dict[int, list[tuple[int, int, int]]]
) -> Mistake | None:
    for bank, rows in by_bank.items():
        size = sizes[bank] if bank < len(sizes) else 0
        _, end, last = max(rows, key=lambda row: row[1])
        needed = f"places[{last}][1] + {problem.storages[last].size}"
        text = f"storage {last} ends at {end} of bank {bank}, whose size is {size}"
        if end > size:
            return Mistake("bounds", text, f"{needed} > size_of(places[{last}][0])")
        if end + problem.padding > size:
            return Mistake(
                "padding",
                f"{text}: no room for {problem.padding} bytes of padding",
                f"{needed} + {problem.padding} > size_of(places[{last}][0])",
            )
    for bank, taken in enumerate(problem.taken):
        size = sizes[bank] if bank < len(sizes) else 0
        if size < taken:
            return Mistake(
                "taken",
                f"bank {bank} has {size} bytes, and {taken} of it are taken by others",
                f"size_of({bank}) < {taken}",
            )
    return None


def _overlap(problem: Problem, by_bank: dict[int, list[tuple[int, int, int]]]) -> Mistake | None:
    storages = problem.storages
    tied = any(storage.base >= 0 for storage in storages)
    for rows in by_bank.values():
        rows.sort()
        for k, (low, high, i) in enumerate(rows):
            for lower, upper, j in rows[k + 1 :]:
                if lower >= high:
                    break
                if upper > lower and high > low and meet(storages[i], storages[j]):
                    if tied and root_of(storages, i) == root_of(storages, j):
                        continue
                    a, b = sorted((i, j))
                    return Mistake(
                        "overlap",
                        f"storages {a} and {b} share bytes [{lower}, {min(high, upper)}), "
                        f"and both live at point {_point(problem, a, b)}",
                        f"places[{a}][0] == places[{b}][0] and max(places[{a}][1], "
                        f"places[{b}][1]) < min(places[{a}][1] + {storages[a].size}, "
                        f"places[{b}][1] + {storages[b].size})",
                    )
    return None


def _point(problem: Problem, one: int, other: int) -> int:
    """The first point at which both live."""
    return min(
        max(a, c)
        for a, b in problem.storages[one].lives
        for c, d in problem.storages[other].lives
        if a < d and c < b
    )

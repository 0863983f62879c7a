"""Ranges of sizes, as PyTorch gives them."""

from __future__ import annotations

from typing import Any

_UNBOUNDED = 2**62  # torch writes "no bound" as infinities of several kinds, or as huge integers


def bounds_of(sizes: Any) -> tuple[int, int | None]:
    """The least size and the largest one; None: there is none.

    >>> from torch.utils._sympy.value_ranges import ValueRanges
    >>> bounds_of(ValueRanges(2, 8)), bounds_of(ValueRanges.unknown_int())
    ((2, 8), (0, None))
    """
    lower, upper = _integer(sizes.lower), _integer(sizes.upper)
    is_bounded = upper is not None and upper < _UNBOUNDED
    return max(0, lower or 0), upper if is_bounded else None


def _integer(bound: Any) -> int | None:
    try:
        return int(bound)
    except (OverflowError, TypeError, ValueError, AttributeError):
        return None

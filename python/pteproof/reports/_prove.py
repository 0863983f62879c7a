"""What `prove` shows of a program."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass
class Obligation:
    """One statement that was to be shown, and the answer."""

    kind: str  # the rule that it is about
    answer: str
    method: str
    instruction: int | None
    values: list[int]
    goal: str
    decided_by: str
    policies: list[str]
    leaves_open: bool = False
    explanation: str | None = None
    confirmed: bool | None = None
    reason: str | None = None
    core: list[str] = dataclasses.field(default_factory=list)
    vacuous: bool = False
    needs_no_facts: bool = False
    second: str | None = None
    model: dict[str, int] = dataclasses.field(default_factory=dict)
    enough: dict[str, Any] | None = None
    accepted: bool = False
    file_alone: bool = False


@dataclasses.dataclass
class Proof:
    """What `prove` shows of one program."""

    file: str
    verdict: str  # "proved", "refuted", "unknown" or "depends"
    accepted: int
    manifest: str | None
    trusted: bool | None
    proved: int
    refuted: int
    undecided: int
    unknown: int
    vacuous: int
    pairs: int
    swept: int | None
    seconds: float
    solvers: str
    assumptions: list[str]
    policies: dict[str, str]
    obligations: list[Obligation]
    by_word: str | None = None
    facts: int | None = None
    text: str = dataclasses.field(default="", repr=False, compare=False)
    certificate: str | None = dataclasses.field(default=None, repr=False, compare=False)

"""What `inspect` shows, and what the verbs that plan make."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass
class Placement:
    """The bytes of a value."""

    bank: int
    offset: int
    bytes: int


@dataclasses.dataclass
class Value:
    """A value of a method."""

    type: str
    place: Placement | None  # None: not planned
    lives: str | tuple[int, int] | None  # the first and the last instruction, or "always"
    origin: str


@dataclasses.dataclass
class MethodBank:
    """A bank of a method, and its bytes."""

    bank: int
    size: int


@dataclasses.dataclass
class Method:
    """A method of a program, as text."""

    method: str
    banks: list[MethodBank]
    inputs: list[int]
    outputs: list[int]
    values: list[Value]
    instructions: list[str]


@dataclasses.dataclass
class Inspection:
    """What a program holds."""

    file: str
    methods: list[Method]


@dataclasses.dataclass
class PlannedBank:
    """The bytes of a planned bank."""

    method: str
    bank: int
    peak: int
    load: int  # the peak live bytes
    without_sharing: int
    listed_peak: int | None = None


@dataclasses.dataclass
class Planned:
    """What `plan` makes of a Module."""

    program: bytes
    banks: list[PlannedBank]
    warnings: str


@dataclasses.dataclass
class Replanned:
    """A program with a smaller plan, and what was shown of it (docs/reference/replan.md).

    `manifest` is that of the new program; None: the old one had none. `certificate` is the text of
    a file with which an independent checker confirms the new plan
    (docs/reference/certificate.md); None: it was not asked for.
    """

    program: bytes
    shown: dict[str, Any]
    manifest: dict[str, Any] | None = None
    certificate: str | None = dataclasses.field(default=None, repr=False, compare=False)
    text: str = dataclasses.field(default="", repr=False, compare=False)


@dataclasses.dataclass
class Linked:
    """One program of several, its manifest, and what was shown of it (docs/reference/link.md).

    `certificate` is as that of Replanned.
    """

    program: bytes
    manifest: dict[str, Any]
    shown: dict[str, Any]
    certificate: str | None = dataclasses.field(default=None, repr=False, compare=False)
    text: str = dataclasses.field(default="", repr=False, compare=False)


@dataclasses.dataclass
class SplitProgram:
    """A program of some methods of another, and its manifest."""

    program: bytes
    manifest: dict[str, Any]
    text: str = dataclasses.field(default="", repr=False, compare=False)


@dataclasses.dataclass
class PlacedBank:
    """The offsets of the storages of one bank, in bytes."""

    file: str
    bank: str | None
    verdict: str  # "placed" or "does-not-fit"; of given offsets "right" or "wrong"
    peak: int | None
    load: int  # the peak live bytes
    at_least: int | None
    offsets: dict[str, int]
    too_many: list[str]
    mistake: str | None  # of given offsets

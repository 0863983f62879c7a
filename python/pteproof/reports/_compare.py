"""What `compare` and `diff` find, and `lint`."""

from __future__ import annotations

import dataclasses

from pteproof.reports._memory import FileSizes


@dataclasses.dataclass
class Interface:
    """Whether both programs are called the same way, and where not."""

    answer: str
    differences: list[str]


@dataclasses.dataclass
class Side:
    """Of a difference: the place in one program, and what it computes there."""

    instruction: int | None
    value: int | None
    term: str


@dataclasses.dataclass
class Difference:
    """The first value that two methods compute differently."""

    where: str
    old: Side
    new: Side


@dataclasses.dataclass
class MethodComparison:
    """Whether a method computes the same in both programs."""

    method: str
    policies: list[str]
    answer: str
    proved: bool
    reason: str
    paths: int
    loops: int
    sizes: int
    assumes: list[str]
    runs: int
    run_difference: str
    difference: Difference | None


@dataclasses.dataclass
class Computation:
    """Whether both programs compute the same, method by method."""

    answer: str
    old_read: str
    methods: list[MethodComparison]
    in_one_only: list[str]


@dataclasses.dataclass
class Constants:
    """The constants of both programs."""

    answer: str
    old_count: int
    new_count: int
    old_bytes: int
    new_bytes: int
    added: int
    gone: int


@dataclasses.dataclass
class BothSizes:
    """The sizes of both files."""

    old: FileSizes
    new: FileSizes


@dataclasses.dataclass
class BankSize:
    """A bank's bytes."""

    size: int
    peak_live: int
    waste: int


@dataclasses.dataclass
class MemoryRow:
    """A bank in both programs."""

    method: str
    bank: int
    old: BankSize
    new: BankSize


@dataclasses.dataclass
class ComparedFinding:
    """A finding of one program or of both."""

    rule: str
    severity: str
    method: str
    explanation: str


@dataclasses.dataclass
class ComparedFindings:
    """Which findings have come, gone and stayed."""

    new: list[ComparedFinding]
    gone: list[ComparedFinding]
    same: list[ComparedFinding]


@dataclasses.dataclass
class Comparison:
    """What `compare` finds between two programs. Of a Module only `computation` is known."""

    old: str
    new: str
    computation: Computation
    failed: list[str]
    interface: Interface | None = None
    constants: Constants | None = None
    file_size: BothSizes | None = None
    memory: list[MemoryRow] | None = None
    grown: list[str] = dataclasses.field(default_factory=list)  # lines of the peaks with more bytes
    findings: ComparedFindings | None = None
    text: str = dataclasses.field(default="", repr=False, compare=False)


@dataclasses.dataclass
class Disagreement:
    """The calls that lead to a wrong value."""

    calls: list[str]
    what: str
    wrong_read: str | None


@dataclasses.dataclass
class DiffReport:
    """Random calls under one policy, as planned and without a plan."""

    file: str
    policy: str
    verdict: str  # "agrees", "differs" or "undecided"
    compared: int
    not_compared: dict[str, int]
    pairs: int
    pairs_tried: int
    seed: int
    calls: str | None
    disagreement: Disagreement | None


@dataclasses.dataclass
class LintFinding:
    """A result in place that is wrong, or worth knowing. Values are named as in the Module."""

    rule: str
    severity: str
    method: str
    result: str
    operand: str
    reader: str | None
    explanation: str
    fix: str


@dataclasses.dataclass
class LintReport:
    """What `lint` says of a Module."""

    file: str
    right: bool
    findings: list[LintFinding]
    text: str = dataclasses.field(default="", repr=False, compare=False)

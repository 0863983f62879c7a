"""Results of the verbs: dataclasses with the keys of the command's JSON.

docs/reference/output.md describes them.

Sizes and ranges are bytes; values and instructions are indices in a method's listing, as `inspect`
shows them; a bank is a memory id. Each report has `text`, what the command prints for people.
"""

from __future__ import annotations

import dataclasses
import html
import pathlib
import warnings
from collections.abc import Callable
from typing import Any

from pteproof.errors import UnsafePlanError, UnsafePlanWarning


@dataclasses.dataclass
class Instance:
    """One of several places at which the cause of a finding shows."""

    instruction: int | None
    values: list[int]
    bank: int | None
    bytes: tuple[int, int] | None
    explanation: str


@dataclasses.dataclass
class Source:
    """A line of Python.

    >>> str(Source("project/model.py", 42, "self.cache.copy_(x)"))
    'model.py:42  self.cache.copy_(x)'
    """

    file: str
    line: int
    text: str
    called_from: list[Source] = dataclasses.field(default_factory=list)  # the nearest first

    def __str__(self) -> str:
        return f"{pathlib.Path(self.file).name}:{self.line}  {self.text}"


@dataclasses.dataclass
class Finding:
    """A violated rule, the place where it shows, what happens there and what to do about it."""

    rule: str
    severity: str  # "error", "warning" or "note"
    policy: list[str] | None  # the policies that it holds under; None: it does not depend on one
    method: str | None
    instruction: int | None
    values: list[int]
    bank: int | None
    bytes: tuple[int, int] | None  # [lo, hi) of the bank; of the file, if that is malformed
    explanation: str
    fix: str
    other_method: str | None = None
    count: int | None = None
    worst: int | None = None
    instances: list[Instance] = dataclasses.field(default_factory=list)
    undecided: bool = False
    suppressed: str | None = None
    file_alone: bool = False
    # The line of the model, and the names of values in it (index to name), if they are known.
    source: Source | None = None
    names: dict[str, str] = dataclasses.field(default_factory=dict)
    # With check(..., patch=True), if a clone in the model mends it: the change as a unified diff,
    # or why there is none.
    patch: str | None = None
    no_patch: str | None = None

    def holds_under(self, policy: str | None) -> bool:
        """Whether it concerns a loader with that policy; None: any loader.

        >>> import pteproof
        >>> report = pteproof.check("corpus/real/models/put_get/put_get.pte")
        >>> [f.holds_under("share-all") for f in report.findings if f.rule == "state-split"]
        [False]
        """
        return policy is None or self.policy is None or policy in self.policy

    def __str__(self) -> str:
        place = f" in method '{self.method}'" if self.method else ""
        source = f"\n{self.source}" if self.source else ""
        return f"{self.severity} {self.rule}{place}{source}\n{self.explanation}\nFix: {self.fix}"


@dataclasses.dataclass
class Bank:
    """How well a method fills a bank, in bytes."""

    method: str
    bank: int
    size: int
    peak: int
    peak_live: int
    load: int  # the same, by its older name
    waste: int
    phantom: int
    guard: int
    early_stores: int
    best: tuple[int, int] | None = None


@dataclasses.dataclass
class Overlay:
    """An unplanned output whose memory may be that of an unplanned input (value indices)."""

    method: str
    output: int
    input: int


@dataclasses.dataclass(repr=False)
class Report:
    """The verdict of `check` on one program, under each loader's policy, and the findings."""

    file: str
    verdict: str  # "safe", "unsafe", "undecided" or "depends"
    accepted: int
    policies: dict[str, str]
    findings: list[Finding]
    banks: list[Bank]
    assumptions: list[str]
    overlays: list[Overlay]
    policy: str | None
    loader: str | None
    # Whether that loader takes the program; None: it is not known, or no loader is named.
    loads: bool | None
    manifest: str | None
    trusted: bool | None
    by_word: str | None = None
    # With by_word: the rules, and "the loader", that the manifest would settle.
    settles: list[str] = dataclasses.field(default_factory=list)
    unused_source: str | None = None  # why NAME.source.json is not used
    text: str = dataclasses.field(default="", repr=False, compare=False)
    page: Callable[[], str] | None = dataclasses.field(default=None, repr=False, compare=False)
    certificate: str | None = dataclasses.field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        count = len(self.findings)
        findings = f", {count} finding{'' if count == 1 else 's'}" if count else ""
        return f"<pteproof report of {self.file}: {self.verdict}{findings}>"

    @property
    def safe(self) -> bool:
        """Whether the plan is safe, under the policy in use or under all.

        >>> import pteproof
        >>> pteproof.check("corpus/public/add_model.pte").safe
        True
        """
        return self.verdict == "safe"

    def verdict_under(self, policy: str | None = None) -> str:
        """Returns the verdict under a policy; None: the report's own.

        >>> import pteproof
        >>> report = pteproof.check("corpus/real/models/put_get/put_get.pte")
        >>> report.verdict_under("private"), report.verdict_under("share-all")
        ('unsafe', 'safe')
        """
        return self.verdict if policy is None else self.policies[policy]

    def raise_if_unsafe(self, policy: str | None = None, *, strict: bool = False) -> Report:
        """Raises UnsafePlanError if the plan is unsafe, and returns the report otherwise.

        policy: the loader in use; None: the report's own, or all of them.
        strict: raise if it is undecided or depends on the loader, too. Otherwise that is a warning,
          UnsafePlanWarning.

        >>> import pteproof
        >>> report = pteproof.check("corpus/real/models/put_get/put_get.pte")
        >>> report.raise_if_unsafe("share-all").verdict
        'depends'
        >>> try:
        ...     report.raise_if_unsafe("private")
        ... except pteproof.UnsafePlanError as error:
        ...     print(str(error).splitlines()[0], "/", error.report.findings[0].rule)
        the plan is unsafe under private / state-split
        """
        verdict = self.verdict_under(policy)
        if verdict == "safe":
            return self
        text = self._explanation(verdict, policy)
        if verdict == "unsafe" or strict:
            raise UnsafePlanError(text, self)
        warnings.warn(text, UnsafePlanWarning, stacklevel=2)
        return self

    def _explanation(self, verdict: str, policy: str | None) -> str:
        words = f"the plan {'depends on the loader' if verdict == 'depends' else f'is {verdict}'}"
        under = policy or self.policy
        parts = [words + (f" under {under}" if under else "")]
        parts += [str(finding) for finding in self._deciding(under)]
        return "\n".join(parts)

    def _deciding(self, policy: str | None) -> list[Finding]:
        """The findings that make the verdict."""
        return [
            finding
            for finding in self.findings
            if (finding.severity == "error" or finding.undecided) and finding.holds_under(policy)
        ]

    def _repr_html_(self) -> str:
        """The page of `--html`, for a notebook: verdict, findings, map."""
        if self.page is None:
            return f"<pre>{html.escape(self.text)}</pre>"
        page = html.escape(self.page(), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:36em;border:0"></iframe>'


@dataclasses.dataclass
class Settled:
    """A question of a program that its manifest decides."""

    rule: str
    method: str
    explanation: str
    accepted: str | None  # the reason, if the manifest accepts the finding


@dataclasses.dataclass
class Trust:
    """What `trust` says of a program's manifest, and the entry in pteproof.toml."""

    file: str
    manifest: str
    sha256: str  # of the manifest's bytes
    verdict_alone: str
    verdict_trusted: str
    loader: str | None  # which the manifest, or the entry, chooses
    settles: list[Settled]
    config: str
    entry: str  # "added", "replaced" or "kept"
    written: bool
    text: str = dataclasses.field(default="", repr=False, compare=False)


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
class FileSizes:
    """What a file's bytes are for."""

    file: int
    program: int
    constants: int
    initial_values: int
    delegates: int
    named_data: int
    padding: int


@dataclasses.dataclass
class DeviceBank:
    """A bank as a loader allocates it."""

    bank: int
    device: str | None  # None: the host's memory
    shared: bool  # of the largest method; else the sum of the methods that are loaded
    bytes: int


@dataclasses.dataclass
class LoaderMemory:
    """What one loader allocates, in bytes of the host except for banks on devices."""

    loader: str
    policy: str | None  # None: of a loader_file
    files: str  # "read" or "mapped"
    refused: str | None  # why it does not take the program
    banks: list[DeviceBank]
    planned: int  # banks
    program: int  # copies of files: tables,
    constants: int  # the segment of constants,
    data: int  # data files,
    delegates: int  # and blobs
    methods: int  # what the method allocator is asked for
    at_load: int  # the sum of the six
    workspace: int  # that blobs of delegates state, the most over the methods
    temporary: int  # that kernels ask for, the most over the methods
    outputs: int  # that the loader keeps
    caller: int  # inputs, outputs and buffers of one call, the most over the methods
    at_peak: int  # at_load, workspace, temporary, outputs and caller
    mapped: int  # bytes of files that are mapped in place of copies


@dataclasses.dataclass
class AllocatorUse:
    """The requests to a method's allocator when ExecuTorch 1.5.1 loads it."""

    requests: int
    requested: int  # bytes
    lookups: int  # of these: for the lookup of kernels
    x86_64: int  # where an allocator ends that goes up from a base at a multiple of 64
    arm32_computed: int  # the same on 32-bit Arm: computed, never measured


@dataclasses.dataclass
class MethodMemory:
    """What a method needs under every loader, in bytes."""

    method: str
    inputs: int
    outputs: int
    buffers: int
    initial_values: int
    external: int
    delegates: int
    workspace: int
    temporary: int
    allocator: AllocatorUse


@dataclasses.dataclass
class BoundInput:
    """An input whose sizes vary."""

    input: str  # its name in the model, or its value
    at_most: list[int]
    at: list[int] | None  # as they were asked for


@dataclasses.dataclass
class BankAtSizes:
    """The most bytes of a bank that are in use at once."""

    bank: int
    at_most: int  # at the bounds
    at: int


@dataclasses.dataclass
class MethodBounds:
    """A method with inputs whose sizes vary."""

    method: str
    inputs: list[BoundInput]
    banks: list[BankAtSizes]  # if sizes were asked for
    unknown: str | None  # why the bytes there are not known


@dataclasses.dataclass
class PeakLine:
    """A line of the model, or a storage, with the bytes in use at the peak that it made."""

    depth: int
    bytes: int
    text: str


@dataclasses.dataclass
class PeakTree:
    """Bytes by lines of the model: callers first, what they call one deeper."""

    bytes: int
    lines: list[PeakLine]
    left_out: int


@dataclasses.dataclass
class MethodConstants:
    """The constants of a method, by their first reader."""

    method: str
    bytes: int
    lines: list[PeakLine]
    left_out: int


@dataclasses.dataclass
class BankPeak:
    """What is in use at the peak of a bank."""

    method: str
    bank: int
    instruction: int  # -1: when a call begins
    bytes: int
    lines: list[PeakLine]
    left_out: int
    waste: PeakTree  # of the bank, not in use then, by what lies there longest


@dataclasses.dataclass
class Memory:
    """What a device allocates to load a program and to call it."""

    file: str
    loaders: list[LoaderMemory]
    methods: list[MethodMemory]
    bounds: list[MethodBounds]
    peaks: list[BankPeak]  # if `top` was given
    constants: list[MethodConstants]  # likewise
    sections: FileSizes
    not_counted: list[str]
    text: str = dataclasses.field(default="", repr=False, compare=False)


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

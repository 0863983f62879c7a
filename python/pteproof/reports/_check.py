"""What `check` and `trust` say of a program."""

from __future__ import annotations

import dataclasses
import html
import pathlib
import warnings
from collections.abc import Callable

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

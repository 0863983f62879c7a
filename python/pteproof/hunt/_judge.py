"""What comes of a program: exactly one row, and why.

The file is judged with its manifest by the check and by the proof, and run by ExecuTorch's loaders
against eager mode. Where they disagree with eager mode, our own runs of the file say whose mistake
it is: `eval` gives every value bytes of its own, `run` follows the plan.
"""

from __future__ import annotations

import copy
import dataclasses
import random
import re
import tempfile
import traceback
from typing import TYPE_CHECKING, Any

import torch

from pteproof import _verbs
from pteproof._words import Words
from pteproof.errors import MalformedError, PteproofError
from pteproof.executorch._device import _difference
from pteproof.executorch._recording import Recording, Row
from pteproof.hunt._calls import sequence_of
from pteproof.hunt._device import Ran, run
from pteproof.hunt._export import OF_MODEL, Exported, RefusedError, exported
from pteproof.hunt._model import Eager
from pteproof.hunt._request import POLICIES
from pteproof.hunt._source import NotExpressibleError
from pteproof.hunt._text import nodes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pteproof.hunt._device import Expected
    from pteproof.hunt._program import Program
    from pteproof.reports import Finding

AGREES = "agrees"
EXPORT_REFUSES = "export refuses"
LOADER_REFUSES = "loader refuses"
DIES = "dies or takes too long"
SHOWN = "plan wrong, shown by a run"
BY_PROOF = "plan wrong by proof, not shown"
ANOTHER = "another program"
KERNEL = "kernel"
UNDECIDED = "undecided"
MISS = "miss"
MODEL_REFUSES = "the model itself refuses"
NO_WORDS = "torch has no words for it"
FAILS = "pteproof fails"
ROWS = (
    AGREES,
    EXPORT_REFUSES,
    LOADER_REFUSES,
    DIES,
    SHOWN,
    BY_PROOF,
    ANOTHER,
    KERNEL,
    UNDECIDED,
    MISS,
    MODEL_REFUSES,
    NO_WORDS,
    FAILS,
)
# A find: something that its author would want to know.
FINDS = (DIES, SHOWN, BY_PROOF, ANOTHER, KERNEL, MISS, LOADER_REFUSES, FAILS)
# Rules on what a file means, whatever its plan is.
_OF_MEANING = (
    "write-back-missing",
    "mutability-mismatch",
    "initial-value-wrong",
    "read-before-write",
    "entry-value-lost",
    "output-misbound",
    "dim-order-mismatch",
)
_MORE = 6  # sequences for a plan that is wrong by proof


@dataclasses.dataclass
class Judged:
    """A program's row, the rule or the error, and what is known besides."""

    row: str
    why: str = ""  # a rule, or the words of who refuses
    loader: str = ""
    verdicts: dict[str, str] = dataclasses.field(default_factory=dict)  # by loader
    ran: Ran | None = None
    finding: Finding | None = None
    rules: list[str] = dataclasses.field(default_factory=list)
    sequence: int = 0
    left_out: int = 0  # calls that depend on rounding
    exported: Exported | None = None
    notes: str = ""


class Judge:
    """Judges programs; loaders: the names of those that run files."""

    def __init__(self, loaders: Sequence[str] = tuple(POLICIES)) -> None:
        self.loaders = loaders

    def judge(self, program: Program) -> Judged:
        """One program's row."""
        try:
            made = exported(program)
        except RefusedError as refused:
            row = MODEL_REFUSES if refused.stage == OF_MODEL else EXPORT_REFUSES
            return Judged(row, str(refused))
        except NotExpressibleError as error:
            return Judged(NO_WORDS, str(error))
        try:
            return self._judged(program, made)
        except (KeyboardInterrupt, MemoryError):
            raise
        except Exception as error:
            said = traceback.format_exc().splitlines()
            return Judged(
                FAILS, f"{type(error).__name__}: {error}"[:200], notes="\n".join(said[-12:])
            )

    def _judged(self, program: Program, made: Exported) -> Judged:
        trial = _Trial(program, made)
        try:
            trial.expect()
        except Exception as error:
            return Judged(MODEL_REFUSES, f"{type(error).__name__}: {str(error).splitlines()[0]}")
        found = [self._under(trial, loader) for loader in self._fitting(program)]
        worst = max(found, key=lambda each: _WORST[each.row])
        worst.verdicts = {each.loader: each.verdicts[each.loader] for each in found}
        worst.exported = made
        return worst

    def _fitting(self, program: Program) -> list[str]:
        """Loaders that can be right: methods with banks of their own cannot share state."""
        methods = program.module.methods
        if len(methods) == 1:
            return [*self.loaders]
        return [each for each in self.loaders if each == "Runtime"] or [*self.loaders]

    def _under(self, trial: _Trial, loader: str) -> Judged:
        policy, load = POLICIES[loader]
        facts = trial.made.facts(policy, load)
        try:
            report = _verbs.check(trial.made.made, policy=policy, load=load, manifest=facts)
        except MalformedError as error:
            return _malformed(error, loader, trial)
        errors = [
            f
            for f in report.findings
            if f.severity == "error" and not f.undecided and f.holds_under(policy)
        ]
        ran = run(trial.made.buffer, loader, trial.expected)
        judged = Judged("", loader=loader, verdicts={loader: report.verdict}, ran=ran)
        judged.rules = list(dict.fromkeys(f.rule for f in errors))
        judged.finding = errors[0] if errors else None
        judged.sequence = ran.sequence
        proof = _verbs.prove(trial.made.made, policy=policy, load=load, manifest=facts, fast=True)
        said = {"proved": "safe", "refuted": "unsafe"}.get(proof.verdict, "undecided")
        if said != report.verdict:
            judged.row, judged.why = MISS, f"check says {report.verdict}, proof {said}"
            return judged
        judged.row, judged.why = trial.row(judged, report.verdict, facts)
        return judged


def _malformed(error: MalformedError, loader: str, trial: _Trial) -> Judged:
    """A file that no loader should take."""
    found = re.search(r"error (file-[a-z-]+)", str(error))
    ran = run(trial.made.buffer, loader, trial.expected)
    rule = found[1] if found else str(error)[:100]
    judged = Judged(BY_PROOF, rule, loader, {loader: "malformed"}, ran, rules=[rule])
    judged.notes = str(error)
    if ran.outcome != "agrees":
        judged.row = SHOWN
    return judged


_WORST = {row: k for k, row in enumerate((AGREES, *[r for r in ROWS if r != AGREES]))}


class _Trial:
    """A file, and what eager mode says of calls."""

    def __init__(self, program: Program, made: Exported) -> None:
        self.program, self.made = program, made
        self.eager = Eager(made.model)
        self.expected: list[list[Expected]] = []

    def expect(self) -> None:
        """Makes the calls in eager mode."""
        self.expected = [self.expectation(each) for each in self.program.sequences]

    def expectation(self, sequence: Sequence[Any], shaken: bool = False) -> list[Expected]:
        """What the file should return: updated inputs are ahead."""
        self.eager.begin()
        made = []
        for name, inputs in sequence:
            given = [_shaken(each) for each in inputs] if shaken else inputs
            outputs, after = self.eager.call(name, given)
            wanted = [after[k] for k in self.made.updated[name]] + outputs
            made.append((name, inputs, wanted))
        self.eager.begin()  # manifests are made of the model's tensors
        return made

    def row(self, judged: Judged, verdict: str, facts: dict[str, Any]) -> tuple[str, str]:
        """The row of a run and a verdict, and why."""
        ran = judged.ran
        assert ran is not None
        rule = judged.rules[0] if judged.rules else ""
        if ran.outcome == "differs" and self._depends_on_rounding(ran):
            judged.left_out = 1
            ran.outcome = "agrees"
        if ran.outcome in ("dies", "takes too long"):
            return (SHOWN, rule) if verdict == "unsafe" else (DIES, f"{ran.outcome}: {ran.text}")
        if ran.outcome in ("does not load", "refuses a call"):
            return (SHOWN, rule) if verdict == "unsafe" else (LOADER_REFUSES, ran.text)
        if ran.outcome == "agrees":
            return self._right(judged, verdict, rule, facts)
        meant = self.rows_of("eval", judged, facts)
        if meant == "differs":
            told = [each for each in judged.rules if each in _OF_MEANING]
            return ANOTHER, (told or [rule or "the file computes something else"])[0]
        if verdict == "unsafe":
            return SHOWN, rule
        if verdict == "undecided":
            return UNDECIDED, "and a run is wrong"
        planned = self.rows_of("run", judged, facts)
        if meant == planned == "agrees" and self._naive_differs(judged.loader):
            return KERNEL, "operators: " + ", ".join(sorted(self._operators()))
        return MISS, f"{verdict}; eval {meant}, run {planned}: {ran.text}"

    def _right(
        self, judged: Judged, verdict: str, rule: str, facts: dict[str, Any]
    ) -> tuple[str, str]:
        if verdict == "undecided":
            return UNDECIDED, rule or "no rule"
        if verdict == "safe":
            return AGREES, ""
        dice = random.Random(0)
        more = [sequence_of(self.program.module, dice) for _ in range(_MORE)]
        try:
            expected = [self.expectation(each) for each in more]
        except Exception:
            return BY_PROOF, rule
        ran = run(self.made.buffer, judged.loader, expected)
        if ran.outcome == "agrees":
            judged.notes = self._compared(judged, facts)
            return BY_PROOF, rule
        self.program.sequences.append(more[ran.sequence])
        judged.ran = ran
        judged.sequence = ran.sequence = len(self.program.sequences) - 1
        return SHOWN, rule

    def _compared(self, judged: Judged, facts: dict[str, Any]) -> str:
        """Why no call shows it: the file is compared with the edge program, for all values."""
        policy: Any = POLICIES[judged.loader][0]
        try:
            text = exported(self.program, with_text=True).text
            assert text is not None
            found = _verbs.compare(text, self.made.made, policy=policy, manifest=facts, seconds=20)
        except (PteproofError, RefusedError, ValueError, TimeoutError) as error:
            return f"not compared with the model: {error}".splitlines()[0]
        return f"compared with the model: {found.computation.answer}"

    def _depends_on_rounding(self, ran: Ran) -> bool:
        sequence = self.program.sequences[ran.sequence][: ran.call + 1]
        try:
            _, _, wanted = self.expectation(sequence, shaken=True)[-1]
        except Exception:
            return False
        plain = self.expected[ran.sequence][ran.call][2]
        return bool(_difference(wanted, plain, None))

    def rows_of(self, verb: str, judged: Judged, facts: dict[str, Any]) -> str:
        """Our own run of the file: "agrees", "differs", or why it is not known."""
        assert judged.ran is not None
        recording = Recording()
        policy = POLICIES[judged.loader][0]
        recording.begin(policy)
        for name, inputs, wanted in self.expected[judged.ran.sequence][: judged.ran.call + 1]:
            recording.add(name, inputs, wanted)
        words = Words(verb)
        words.program(self.made.made)
        words.option("policy", policy)
        words.manifest(facts, trust=False)
        with tempfile.TemporaryDirectory() as folder:
            words.option("calls", recording.write(folder))
            words.option("compare", "eager")
            words.flag("json", True)
            try:
                outcome = words.call(30)
            except (PteproofError, TimeoutError) as error:
                return f"not known: {error}"
        if not outcome.output:
            return f"not known: {outcome.complaints.strip()[:100]}"
        rows = [Row.of(line) for line in outcome.lines() if "result" in line]
        if any(row.differs for row in rows):
            return "differs"
        open_ = [row.reason for row in rows if not row.agrees]
        return f"not known: {open_[0]}" if open_ else "agrees"

    def _naive_differs(self, loader: str) -> bool:
        """Whether it runs wrong with every tensor apart, too."""
        other = copy.deepcopy(self.program)
        other.options.algorithm, other.options.reinplace, other.options.extra = "naive", False, []
        try:
            made = exported(other)
        except RefusedError:
            return False
        return run(made.buffer, loader, self.expected).outcome == "differs"

    def _operators(self) -> set[str]:
        methods = self.program.module.methods
        return {n.op.removeprefix("torch:") for m in methods for n in nodes_of(m.nodes)}


def _shaken(tensor: torch.Tensor) -> torch.Tensor:
    """Numbers a few units of float32's last place away."""
    if not tensor.dtype.is_floating_point:
        return tensor
    generator = torch.Generator().manual_seed(1)
    noise = torch.rand(tensor.shape, generator=generator).to(tensor.dtype) - 0.5
    return tensor * (1 + noise * 2**-20) + noise * 2**-22

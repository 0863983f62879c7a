"""The verbs of the command as functions. docs/reference/command.md and python.md describe them.

In all of them a program is a path, the bytes of a file in any buffer (`bytes`, `memoryview`,
`mmap`, a NumPy array; read in place), or what ExecuTorch's to_executorch returned.
"""

from __future__ import annotations

import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, Literal

from pteproof import reports
from pteproof._call import MALFORMED, SAFE, UNDECIDED, UNSAFE, Outcome
from pteproof._record import record
from pteproof._words import Load, Manifest, Path, Policy, Program, Words
from pteproof.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from typing_extensions import Buffer

_JUDGED = (SAFE, UNSAFE, UNDECIDED)


def check(
    program: Program,
    *,
    policy: Policy | None = None,
    loader: str | None = None,
    loader_file: Path | None = None,
    operators_of: Path | None = None,
    load: Load | None = None,
    use: Literal["reload", "concurrent"] | None = None,
    manifest: Manifest = None,
    trust_manifests: bool = False,
    operators: Iterable[Path] = (),
    data: Iterable[Path | Buffer] = (),
    optimum: bool = False,
    timeout: float | None = None,
    patch: bool = False,
    certificate: bool = False,
) -> reports.Report:
    """Says whether a program's memory plan is safe.

    policy: which banks the loader shares; None: the manifest's, else all three are judged.
    loader: a loader of ExecuTorch in place of the policy, "executorch.runtime@1.5": also whether it
      takes the program (`loads`).
    loader_file: a loader of your own, as a table of banks (TOML), in place of both.
    operators_of: the runtime whose operators there are: "wheel", or a file that lists them; None:
      the loader's own, if they are known.
    load: whether methods are loaded at their first call, or all before it.
    use: another use than one load and calls in turn: each method loaded a second time, or calls of
      several methods at the same time.
    manifest: the facts of the source model, as a path or as the object itself; None:
      NAME.manifest.json beside NAME.pte, which improves no verdict unless trust_manifests; False:
      none at all.
    operators: files with signatures of operators that pteproof does not know.
    data: weights outside of the program (.ptd).
    optimum: search for the smallest size of each bank, for at most timeout seconds each.
    patch: give findings that a clone in the model mends their patch, for which the files of the
      model's lines are read. Nothing is written.
    certificate: the report has what an independent checker needs to confirm the verdict, as the
      text of a file (docs/reference/certificate.md); None if the verdict is undecided.

    Raises MalformedError, ManifestError, UsageError or UnreadableError if there is no verdict.

    >>> import pteproof
    >>> report = pteproof.check("corpus/real/bugs/cond-siblings/cond-siblings.pte")
    >>> report.verdict, report.findings[0].rule, report.findings[0].bank, report.findings[0].bytes
    ('unsafe', 'region-escape', 1, (0, 32))
    """

    if isinstance(program, (str, os.PathLike)) and pathlib.Path(program).is_dir():
        raise UsageError(f"{os.fspath(program)} is a folder: name a program file")

    def words_of() -> Words:
        words = Words("check")
        words.program(program)
        _manifest_words(words, policy, load, manifest, trust_manifests, operators, data)
        words.option("loader", loader)
        words.option("loader-file", loader_file)
        words.option("operators-of", operators_of)
        words.option("use", use)
        words.option("jobs", 1)
        words.flag("no-config", True)  # a repository's standard is the command's
        return words

    def page() -> str:
        words = words_of()
        words.result("--html", "<page>")
        return words.call().results["<page>"].decode()

    words = words_of()
    words.flag("json", True)
    words.flag("optimum", optimum)
    words.option("timeout", timeout)
    words.flag("patch", patch)
    if certificate:
        words.result("--certificate", "<certificate>")
    outcome = words.call()
    if outcome.code not in _JUDGED:
        outcome.fail(outcome.complaints or outcome.text)
    [json] = outcome.lines()
    report = record(reports.Report, json)
    report.text = outcome.text
    report.page = page
    report.certificate = outcome.certificate()
    return report


def prove(
    program: Program,
    *,
    policy: Policy | None = None,
    load: Load | None = None,
    manifest: Manifest = None,
    trust_manifests: bool = False,
    operators: Iterable[Path] = (),
    data: Iterable[Path | Buffer] = (),
    order: Literal["listed", "any", "strict"] | None = None,
    timeout: float | None = None,
    fast: bool = False,
    why: bool = False,
    certificate: bool = False,
) -> reports.Proof:
    """Proves that a program's memory plan is safe, or refutes it, with the solver Z3.

    The first arguments are those of `check`; a Module (a path that ends in .module) is planned
    first.

    order: the order of instructions: as they are listed, any that data allows, or any with
        one reader alone of an operand that is overwritten ("strict").
    timeout: seconds for each obligation (default: 10).
    fast: do not ask the solver what constants decide.
    why: find, for each refutation, the fewest facts that are enough.
    certificate: as that of `check`.

    Raises what check raises, and SolverError if Z3 cannot be opened (pip install z3-solver).

    >>> import pteproof
    >>> proof = pteproof.prove("corpus/public/add_model.pte")
    >>> proof.verdict, proof.refuted, proof.unknown
    ('proved', 0, 0)
    """
    words = Words("prove")
    words.program(program)
    _manifest_words(words, policy, load, manifest, trust_manifests, operators, data)
    words.option("order", order)
    words.option("timeout", timeout)
    words.flag("fast", fast)
    words.flag("why", why)
    if certificate:
        words.result("--certificate", "<certificate>")
    outcome = _json(words)
    if outcome.code not in _JUDGED or not outcome.output:
        outcome.fail()
    [json] = outcome.lines()
    proof = record(reports.Proof, json)
    proof.certificate = outcome.certificate()
    proof.text = outcome.text
    return proof


def compare(
    old: Program,
    new: Program,
    *,
    policy: Policy | None = None,
    manifest: Manifest = None,
    trust_manifests: bool = False,
    operators: Iterable[Path] = (),
    data: Iterable[Path | Buffer] = (),
    only: str | None = None,
    rename: Mapping[str, str] | None = None,
    fail_on: Iterable[str] | None = None,
    max_growth: str | int | None = None,
    meant: bool = False,
    seed: int | None = None,
    runs: int | None = None,
    seconds: float | None = None,
) -> reports.Comparison:
    """Proves that two programs compute the same, and lists what else has changed.

    old, new: programs; one of them may be a Module (a path that ends in .module).
    only: the name of one method.
    rename: methods of the old program that have another name in the new one: {"old": "new"}.
    fail_on: the parts whose changes are listed in `failed`: interface, computation, findings,
      memory, size (default: the first three).
    max_growth: what banks and the file may grow by, in bytes or as "5%".
    meant: read the old program as it is meant, with a storage for every value.
    seed, runs: of the random calls of a method that is not proved the same.
    seconds: the most that it may take; then it raises TimeoutError.

    >>> import pteproof
    >>> path = "corpus/public/add_model.pte"
    >>> comparison = pteproof.compare(path, path)
    >>> comparison.computation.answer, comparison.failed
    ('same', [])
    """
    words = Words("compare")
    words.program(old, "<old>")
    words.program(new, "<new>")
    _manifest_words(words, policy, None, manifest, trust_manifests, operators, data)
    words.option("only", only)
    for method, name in (rename or {}).items():
        words.option("rename", f"{method}={name}")
    words.option("fail-on", None if fail_on is None else ",".join(fail_on))
    words.option("max-growth", max_growth)
    words.flag("meant", meant)
    words.option("seed", seed)
    words.option("runs", runs)
    outcome = _json(words, seconds)
    if not outcome.output:
        outcome.fail()
    [json] = outcome.lines()
    comparison = record(reports.Comparison, {"failed": [], **json})
    comparison.text = outcome.text
    return comparison


def replan(
    program: Program,
    *,
    policy: Policy | None = None,
    load: Load | None = None,
    manifest: Manifest = None,
    trust_manifests: bool = False,
    operators: Iterable[Path] = (),
    data: Iterable[Path | Buffer] = (),
    timeout: float | None = None,
    alignment: int | None = None,
    in_place: bool = False,
    move_state: bool = False,
    reorder: bool = False,
    outputs: Literal["next-call", "own-next-call", "always"] | None = None,
    bank: str | None = None,
    bank_size: str | Iterable[str] = (),
    repair: bool = False,
    operators_of: Path | None = None,
    seed: int | None = None,
    runs: int | None = None,
    certificate: bool = False,
    **options: Any,
) -> reports.Replanned:
    """Makes a program's memory plan smaller, or mends it, and shows the new one right.

    timeout: seconds for the search in each bank.
    alignment: the least alignment of every offset that changes, in bytes.
    in_place: let results lie over operands that die.
    move_state: let buffers move within their banks, the same way in all methods.
    reorder: let instructions come in another order.
    outputs: how long planned outputs last; None: as ExecuTorch promises, until the next call.
    bank: "FROM=TO", memory ids: values of one bank go to another one.
    bank_size: "BANK=BYTES": the most bytes that the target has in a bank.
    repair: of an unsafe program, plan what it means instead (docs/reference/repair.md).
    operators_of: a runtime whose operators a repair's copies and updates in place may call: "wheel"
        for ExecuTorch's, or a file with one name a line.
    seed, runs: of the random calls of each method.
    certificate: the result has what an independent checker needs to confirm the new plan, as the
      text of a file (docs/reference/certificate.md).
    options: other flags of `pteproof replan` (docs/reference/command.md), with _ for -.

    Raises NoPlanError if the plan is unsafe and no repair mends it, and UndecidedError if the file
    leaves that open.

    >>> import pteproof
    >>> smaller = pteproof.replan("corpus/real/models/put_get/put_get.pte")
    >>> [(bank["before"], bank["after"]) for bank in smaller.shown["banks"]][0]
    (48, 36)
    >>> pteproof.check(smaller.program, policy="share-all").verdict
    'safe'
    """
    words = Words("replan")
    words.program(program)
    words.result("--output", "<new>")
    words.results.append("<new>.manifest.json")
    _manifest_words(words, policy, load, manifest, trust_manifests, operators, data)
    words.option("timeout", timeout)
    words.option("alignment", alignment)
    words.flag("in-place", in_place)
    words.flag("move-state", move_state)
    words.flag("reorder", reorder)
    words.option("outputs", outputs)
    words.option("bank", bank)
    for size in [bank_size] if isinstance(bank_size, str) else bank_size:
        words.option("bank-size", size)
    words.flag("repair", repair)
    words.option("operators-of", operators_of)
    words.option("seed", seed)
    words.option("runs", runs)
    if certificate:
        words.result("--certificate", "<certificate>")
    _flag_words(words, options)
    outcome = _json(words)
    depends = repair and outcome.code == UNDECIDED and outcome.results.get("<new>")
    if outcome.code != SAFE and not depends:
        outcome.fail()
    [shown] = outcome.lines()
    stated = outcome.results["<new>.manifest.json"]
    facts = json.loads(stated) if stated else None
    return reports.Replanned(
        outcome.results["<new>"], shown, facts, outcome.certificate(), outcome.text
    )


def diff(
    program: Program,
    *,
    policy: Policy | None = None,
    manifest: Manifest = None,
    trust_manifests: bool = False,
    operators: Iterable[Path] = (),
    data: Iterable[Path | Buffer] = (),
    seed: int | None = None,
    sequences: int | None = None,
    time: float | None = None,
) -> list[reports.DiffReport]:
    """Makes random calls as they are planned, and without a plan: one report for each policy.

    sequences: the most fresh starts; time: seconds, instead.

    >>> import pteproof
    >>> [each.verdict for each in pteproof.diff("corpus/public/add_model.pte")]
    ['agrees']
    """
    words = Words("diff")
    words.program(program)
    _manifest_words(words, policy, None, manifest, trust_manifests, operators, data)
    words.option("seed", seed)
    words.option("sequences", sequences)
    words.option("time", time)
    outcome = _json(words)
    if not outcome.output:
        outcome.fail()
    return [record(reports.DiffReport, json) for json in outcome.lines()]


def lint(
    module: Path | Buffer, *, order: Literal["listed", "strict", "any"] | None = None
) -> reports.LintReport:
    """Says whether a Module's updates in place are right.

    module: a Module's path, or its text as bytes.

    >>> import pteproof
    >>> report = pteproof.lint("corpus/lint/second_use.module")
    >>> report.right, report.findings[0].rule
    (False, 'in-place-single-use')
    """
    words = Words("lint")
    words.program(module, "<module>")
    words.option("order", order)
    outcome = _json(words)
    if not outcome.output:
        outcome.fail()
    [json] = outcome.lines()
    report = record(reports.LintReport, json)
    report.text = outcome.text
    return report


def inspect(
    program: Program, *, method: str | None = None, data: Iterable[Path | Buffer] = ()
) -> reports.Inspection:
    """Returns a program's values and instructions, method by method.

    >>> import pteproof
    >>> [method] = pteproof.inspect("corpus/public/add_model.pte").methods
    >>> method.instructions[0]
    'aten::add.out(self=v1, other=v0, alpha=v3, out=v2) -> v2'
    """
    words = Words("inspect")
    words.program(program)
    words.option("method", method)
    words.data(data)
    outcome = _json(words)
    if outcome.code != SAFE:
        outcome.fail()
    [json] = outcome.lines()
    return record(reports.Inspection, json)


def map(
    program: Program,
    *,
    policy: Policy | None = None,
    load: Load | None = None,
    manifest: Manifest = None,
    trust_manifests: bool = False,
    operators: Iterable[Path] = (),
    data: Iterable[Path | Buffer] = (),
    method: str | None = None,
    bank: int | None = None,
    around: int | None = None,
    text: bool = False,
) -> str:
    """Draws a memory plan, bytes against time: as SVG, or as text for a terminal.

    method, bank, around: only this method, this bank, the time around this instruction.

    >>> import pteproof
    >>> "</svg>" in pteproof.map("corpus/public/add_model.pte")
    True
    """
    words = Words("map")
    words.program(program)
    _manifest_words(words, policy, load, manifest, trust_manifests, operators, data)
    words.option("method", method)
    words.option("bank", bank)
    words.option("around", around)
    words.flag("text", text)
    outcome = words.call()
    if outcome.code != SAFE:
        outcome.fail()
    return outcome.output


def place(
    table: Path | Buffer,
    *,
    algorithm: str | None = None,
    capacity: int | None = None,
    alignment: int | None = None,
    time: float | None = None,
    jobs: int | None = None,
    verify: bool = False,
) -> list[reports.PlacedBank]:
    """Gives storages their offsets, from their lifetimes: one result for each bank.

    table: rows id,lower,upper,size[,alignment][,offset][,bank], as a path or as bytes.
    capacity: the most bytes of every bank. One that does not fit has the verdict "does-not-fit".
    time: seconds of the search; jobs: its threads.
    verify: places nothing, and says whether the table's own offsets are right.

    >>> import pteproof
    >>> [bank] = pteproof.place(b"id,lower,upper,size\\na,0,2,4\\nb,1,3,8\\nc,2,4,4\\n")
    >>> bank.peak, bank.offsets
    (12, {'a': 8, 'b': 0, 'c': 8})
    """
    words = Words("place")
    words.program(table, "<table>")
    words.option("algorithm", algorithm)
    words.option("capacity", capacity)
    words.option("alignment", alignment)
    words.option("time", time)
    words.option("jobs", jobs)
    words.flag("verify", verify)
    outcome = _json(words)
    if not outcome.output:
        outcome.fail()
    return [record(reports.PlacedBank, json) for json in outcome.lines()]


def plan(module: Path | Buffer, **options: Any) -> reports.Planned:
    """Plans a Module's memory and returns the program file's bytes.

    module: a Module's path, or its text as bytes.
    options: the flags of `pteproof plan` (docs/reference/command.md), with _ for -: a flag without
      a value is True, one that may be repeated is a list.

    Raises MalformedError for what is not a Module, and NoPlanError if there is no plan.

    >>> import pteproof
    >>> planned = pteproof.plan("corpus/modules/counter.module", policy="share-all", bounds="range")
    >>> planned.banks[0].method, planned.banks[0].peak
    ('step', 4)
    >>> pteproof.check(planned.program, policy="share-all").verdict
    'safe'
    """
    words = Words("plan")
    words.program(module, "<module>")
    words.result("--output", "<program>")
    words.flag("report", True)
    _flag_words(words, options)
    outcome = _json(words)
    if outcome.code != SAFE:
        outcome.fail()
    banks = [record(reports.PlannedBank, json) for json in outcome.lines()]
    return reports.Planned(outcome.results["<program>"], banks, outcome.complaints)


def _flag_words(words: Words, options: dict[str, Any]) -> None:
    """Flags by their names, with _ for -."""
    for key, value in options.items():
        name = key.replace("_", "-")
        if isinstance(value, bool):
            words.flag(name, value)
        else:
            for each in value if isinstance(value, (list, tuple)) else [value]:
                words.option(name, each)


def _manifest_words(
    words: Words,
    policy: Policy | None,
    load: Load | None,
    manifest: Manifest,
    trust_manifests: bool,
    operators: Iterable[Path],
    data: Iterable[Path | Buffer],
) -> None:
    """What most verbs take."""
    words.option("policy", policy)
    words.option("load", load)
    words.manifest(manifest, trust_manifests)
    words.operators(operators)
    words.data(data)


def _json(words: Words, seconds: float | None = None) -> Outcome:
    words.flag("json", True)
    outcome = words.call(seconds)
    if outcome.code == MALFORMED:
        outcome.fail()
    return outcome

"""`edge.to_executorch(config)` with a check of what it makes."""

from __future__ import annotations

import copy
import json
import logging
import pathlib
import shlex
import time
import warnings
from typing import TYPE_CHECKING, Any, Literal

from executorch.exir import EdgeProgramManager, ExecutorchBackendConfig, ExecutorchProgramManager

from pteproof import _verbs
from pteproof.errors import (
    ModelError,
    NoPlanError,
    PteproofError,
    UndecidedError,
    UnsafePlanError,
    UnsafePlanWarning,
    WrongProgramError,
)
from pteproof.executorch._device import has_delegates
from pteproof.executorch._files import of_program, write_beside
from pteproof.executorch._fit import by_method
from pteproof.executorch._manifest import POLICIES, Facts, stored_names
from pteproof.executorch._manifest import manifest as facts_of
from pteproof.executorch._module import NoModuleError, module, programs_of, text_of
from pteproof.executorch._names import name_state
from pteproof.executorch._planner import (
    outlook,
    passes_of_ones_own,
    planned,
    refuse,
    with_initialisation,
)
from pteproof.executorch._source import lines_of_tensors, sources
from pteproof.executorch._stage import Stage
from pteproof.executorch._state import Tensors
from pteproof.executorch._tried import Tried, told, tried
from pteproof.executorch._weights import held_again
from pteproof.reports import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from torch.export import ExportedProgram

    from pteproof._words import Manifest, Module, Policy
    from pteproof.reports import Comparison, MethodComparison, Report

_LOG = logging.getLogger("pteproof")
_SECONDS = 30  # of a proof


class CheckedProgram(ExecutorchProgramManager):  # type: ignore[misc]
    """What `edge.to_executorch` returns, with what pteproof says of it.

    `buffer`, `write_to_file`, `save` and the external data are those of the checked file. `report`
    is the report of `pteproof.check`, `facts` the manifest (None: without one), `sources` the lines
    of the model that instructions and values come from, `shown` what was shown of a new plan (None:
    the plan is the exporter's), `certificate` the text with which an independent checker confirms
    the verdict (None: it was not asked for, or the verdict is open), `verified` the proof that edge
    program and file compute the same (None: none was made), `tried` the calls of the model in
    PyTorch and of the file (None: none were made). `notes`: sentences on weights that the file
    holds more than once.
    """

    report: Report
    facts: Facts | None
    sources: Facts
    shown: dict[str, Any] | None
    certificate: str | None
    verified: Comparison | None
    tried: Tried | None
    notes: list[str]

    def save(self, path: str) -> None:
        """Writes the program file; beside it its manifest, the lines of its model, its certificate.

        If the file alone is not decided as with its manifest, the logger `pteproof` warns, and
        names the command that trusts the manifest. Python prints that to standard error.
        """
        super().save(path)
        write_beside(path, self.facts, self.sources, self.buffer, self.certificate)
        if self.facts is not None:
            _name_the_command(path)

    def write_to_file(self, open_file: Any) -> None:
        """Writes the program file into an open one."""
        open_file.write(self.buffer)


def to_executorch(
    edge: EdgeProgramManager,
    config: ExecutorchBackendConfig | None = None,
    *,
    exported: ExportedProgram | Mapping[str, ExportedProgram] | None = None,
    policy: Policy | None = None,
    on_unsafe: Literal["raise", "warn", "repair"] = "raise",
    manifest: bool = True,
    replan: bool = False,
    verify: bool | float = True,
    planner: Literal["executorch", "pteproof"] = "executorch",
    names: bool = True,
    certificate: bool = False,
) -> CheckedProgram:
    """Returns `edge.to_executorch(config)`, checked.

    exported: what torch.export returned, of the only method or by method: all that were lowered.
      The manifest's facts come from it: the state that methods share, its initial values, what
      outputs mean, ranges of sizes; and the file is compared with it. Without it the file is
      checked alone, and compared with the edge program.
    policy: the loader in use; None: all three are judged, and what depends on it is a warning.
    on_unsafe: raise UnsafePlanError, or warn, or repair the plan (docs/reference/repair.md) and
      raise if no repair mends it.
    manifest: whether to make a manifest; it needs `exported`.
    replan: make the plan smaller, if it is safe, and show the new one right
      (docs/reference/replan.md).
    verify: show that the file computes what the model does. From the edge program, before it is
      lowered, to the file there is a proof (docs/reference/compare.md), which takes at most 30
      seconds, or as many as are given. From `exported` to the file random sequences of calls are
      made, in PyTorch and in the file. False: neither.
    planner: `pteproof` plans the model itself (docs/reference/planning.md), and ExecuTorch's passes
      and its emitter do not run.
    names: write the names of buffers into the file, so that it needs no manifest to tell one buffer
      from two. Names that the config asks for are written in any case. planner="pteproof" writes
      names always.
    certificate: make what an independent checker needs to confirm the verdict
      (docs/reference/certificate.md): `program.certificate`, which `program.save` writes beside it.

    Raises UnsafePlanError with the findings if the plan is unsafe; warns, with UnsafePlanWarning,
    if that is undecided or depends on the loader. Raises WrongProgramError if the file computes
    something else than the model, and warns if it is not proved the same. Raises ModelError if
    `exported` is not what was lowered, or if no file can hold the state of the model. With
    planner="pteproof" raises NoPlanError or NoModuleError for what it does not take.
    """
    if on_unsafe not in ("raise", "warn", "repair"):
        raise ValueError(f"on_unsafe is {on_unsafe!r}; allowed: 'raise', 'warn', 'repair'")
    if planner not in ("executorch", "pteproof"):
        raise ValueError(f"planner is {planner!r}; allowed: 'executorch', 'pteproof'")
    if not isinstance(verify, (bool, int, float)) or verify < 0:
        raise ValueError(f"verify is {verify!r}; allowed: True, False, or a number of seconds")
    programs = by_method(exported, edge)
    _warn_of_copies(programs)
    seconds = float(_SECONDS if verify is True else verify)
    started = time.monotonic()
    lowered = {name: edge.exported_program(name) for name in programs}  # emission changes others
    model = _model(edge, programs) if verify else None
    inner = _opened(edge, programs, model)
    seconds -= time.monotonic() - started
    if planner == "pteproof":
        with Stage("a plan of the model"):
            checked = _unchecked(planned(edge, config, policy, programs))
        known: Any = edge  # the numbers of values and instructions are not the exporter's
    else:
        otherwise = _other_plan(edge, config, programs, model) if on_unsafe == "repair" else ""
        known = checked = _unchecked(edge.to_executorch(config))
        if names:
            name_state(checked, config or ExecutorchBackendConfig(), programs)
        checked.sources = _sources(checked, programs)
    if manifest and programs:
        checked.facts = _facts(programs, policy, known)
        if checked.facts is not None and known is edge:
            checked.facts = with_initialisation(checked.facts, checked)
    checked.report = _report(checked, policy)
    unrepaired = ""
    if on_unsafe == "repair" and checked.report.verdict == "unsafe":
        unrepaired = _repair(checked, policy)
        if unrepaired and known is checked:
            unrepaired += "\n" + outlook(otherwise, policy)
        if checked.shown is not None and known is checked:  # it may have added instructions
            checked.sources = _sources(checked, programs, instructions=False)
        checked.report = _report(checked, policy)
    _judge(checked, programs, policy, on_unsafe, unrepaired)
    if replan and checked.shown is None and checked.report.verdict != "unsafe":
        with Stage("a smaller plan"):
            smaller = _verbs.replan(checked, policy=policy, manifest=checked.facts or False)
        checked._buffer = smaller.program
        checked.shown = smaller.shown
        checked.report = _report(checked, policy)
    if model is not None:
        found = checked.verified = _compared(model, checked, policy, max(seconds, 1.0))
        rewritten = planner == "executorch" and _rewrites(config)
        if found is not None:
            _judge_comparison(found, checked, policy, "warn" if rewritten else on_unsafe)
    if verify and programs:
        _try(programs, lowered, checked, policy, inner)
    if certificate:
        checked.certificate = _certificate(checked, policy)
    checked.notes = list(held_again(Tensors(programs), checked))
    for note in checked.notes:
        _LOG.info("%s", note)
    return checked


def _name_the_command(path: str) -> None:
    """Says how to trust the manifest, if `pteproof check` would not be of its mind."""
    found = _verbs.check(path)
    if found.by_word is None:
        return
    name = pathlib.Path(path).name
    _LOG.warning(
        "%s: %s, and %s according to its manifest, which settles %s: pteproof trust %s",
        name,
        found.verdict,
        found.by_word,
        ", ".join(found.settles),
        shlex.quote(str(path)),
    )


def _unchecked(made: ExecutorchProgramManager) -> CheckedProgram:
    """The program, before it is checked."""
    checked: CheckedProgram = copy.copy(made)
    checked.__class__ = CheckedProgram
    checked.shown = checked.certificate = None
    checked.facts = checked.verified = checked.tried = None
    checked.sources, checked.notes = {"pteproof_source": 1, "methods": {}}, []
    return checked


def _sources(
    checked: CheckedProgram, programs: Mapping[str, ExportedProgram], instructions: bool = True
) -> Facts:
    """The lines of the model; none, and a word to the logger, if PyTorch fails on the way."""
    try:
        return sources(checked, programs, instructions=instructions)
    except Exception as error:  # an export does not end for want of a line
        _LOG.warning("no line of the model is known: %s", told(error))
        return {"pteproof_source": 1, "methods": {}}


def _facts(
    programs: Mapping[str, ExportedProgram], policy: Policy | None, lowered: Any
) -> Facts | None:
    """The manifest; None, with a warning, if PyTorch cannot make the programs functional."""
    try:
        return facts_of(programs, policy=policy, lowered=lowered)
    except ModelError:
        raise
    except Exception as error:  # the file is checked alone then, which calls nothing safe by it
        text = f"no manifest was made, and the file is checked alone: {told(error)}"
        warnings.warn(text, UnsafePlanWarning, stacklevel=3)
        return None


def _rewrites(config: ExecutorchBackendConfig | None) -> bool:
    """Whether ExecuTorch is told to rewrite the model: to other operators of equal values."""
    if config is None:
        return False
    return config.do_quant_fusion_and_const_prop or bool(passes_of_ones_own(config))


def _model(edge: EdgeProgramManager, programs: Mapping[str, ExportedProgram]) -> Module | None:
    """What the file is to compute; None, with a warning, if that cannot be said."""
    try:
        return module(programs or None, edge)
    except Exception as error:  # an export does not end for want of a proof
        _not_verified(error)
        return None


def _opened(
    edge: EdgeProgramManager, programs: Mapping[str, ExportedProgram], model: Module | None
) -> Module | None:
    """The model with what delegates were lowered from in their place; None: that cannot be said."""
    if model is None or not has_delegates(programs_of(edge).values()):
        return model
    try:
        return text_of(edge, programs or None, opened=True)
    except Exception:  # only where a difference lies is less known
        return None


def _other_plan(
    edge: EdgeProgramManager,
    config: ExecutorchBackendConfig | None,
    programs: Mapping[str, ExportedProgram],
    model: Module | None,
) -> Module | str:
    """What pteproof's planner would plan, before emission changes it; or why it does not."""
    try:
        refuse(edge, config)
        return model or module(programs or None, edge)
    except Exception as error:
        return str(error)


def _compared(
    model: Module, checked: CheckedProgram, policy: Policy | None, seconds: float
) -> Comparison | None:
    facts: Manifest = checked.facts or False
    try:
        with Stage("proof that edge program and file are the same"):
            return _verbs.compare(model, checked, policy=policy, manifest=facts, seconds=seconds)
    except (PteproofError, MemoryError, TimeoutError) as error:
        _not_verified(error)
        return None


def _not_verified(why: object) -> None:
    known = isinstance(why, (NoModuleError, PteproofError))
    text = told(why) if isinstance(why, Exception) and not known else str(why)
    warnings.warn(f"the program is not verified: {text}", UnsafePlanWarning, stacklevel=4)


def _judge_comparison(
    found: Comparison, checked: CheckedProgram, policy: Policy | None, on_unsafe: str
) -> None:
    said = found.text.split("\n", 2)[2].rstrip()  # without the names of both sides
    text = "\n".join([said, *_lines(found, checked.sources)])
    methods = found.computation.methods
    # Other terms may have equal values.
    differs = [m for m in methods if m.answer == "differs" and _has_other_values(m)]
    wrong = {each for m in differs for each in m.policies}
    if on_unsafe != "warn" and len(wrong) == (len(POLICIES) if policy is None else 1):
        raise WrongProgramError(text, found)  # else it depends on the loader
    if found.computation.answer != "same":
        warnings.warn(text, UnsafePlanWarning, stacklevel=3)


def _lines(found: Comparison, sources: Facts) -> Iterator[str]:
    """The lines of the model at which methods begin to differ, if they are known."""
    for method in found.computation.methods:
        lines = sources["methods"].get(method.method, {}).get("instructions", {})
        line = lines.get(str(method.difference.new.instruction)) if method.difference else None
        if line:
            yield str(Source(line["file"], line["line"], line.get("text", "")))


def _repair(checked: CheckedProgram, policy: Policy | None) -> str:
    """Takes a plan of what the program means. Returns why there is none; empty: it is taken."""
    try:
        with Stage("a plan of what the program means"):
            repaired = _verbs.replan(
                checked,
                policy=policy,
                manifest=checked.facts or False,
                repair=True,
                operators_of="wheel",
            )
    except (NoPlanError, UndecidedError) as error:
        return str(error).removeprefix("error: ").rstrip()
    checked._buffer = repaired.program
    checked.shown = repaired.shown
    return ""


def _report(checked: CheckedProgram, policy: Policy | None) -> Report:
    with Stage("check of the plan"):
        return _verbs.check(checked, policy=policy, manifest=checked.facts, patch=True)


def _certificate(checked: CheckedProgram, policy: Policy | None) -> str | None:
    """Of the program and the manifest as they are written; with what was shown of a new plan."""
    facts = None if checked.facts is None else of_program(checked.facts, checked.buffer)
    with Stage("the certificate"):
        found = _verbs.check(checked, policy=policy, manifest=facts, certificate=True).certificate
    if found is None or checked.shown is None:
        return found
    return json.dumps({**json.loads(found), "shown": checked.shown}) + "\n"


def _judge(
    checked: CheckedProgram,
    programs: Mapping[str, ExportedProgram],
    policy: Policy | None,
    on_unsafe: str,
    unrepaired: str,
) -> None:
    """unrepaired: why no repair mended the plan; empty: none was asked for, or it did."""
    try:
        checked.report.raise_if_unsafe(policy)
    except UnsafePlanError as error:
        told = [str(error), *lines_of_tensors(checked.facts, programs)]
        text = "\n".join([*told, unrepaired] if unrepaired else told)
        if on_unsafe != "warn":
            raise UnsafePlanError(text, error.report) from None
        warnings.warn(text, UnsafePlanWarning, stacklevel=3)


def _warn_of_copies(programs: Mapping[str, ExportedProgram]) -> None:
    """Of programs that were loaded, or copied apart, nobody knows which tensors are one."""
    tensors = Tensors(programs)
    unknown = tensors.unknown()
    try:
        stored = stored_names(programs) if unknown else set()  # takes as long as the export
        unknown = [key for key in unknown if tensors.holders(key) & stored]
    except Exception as error:  # PyTorch cannot make the programs functional
        _LOG.warning("what methods store is not known: %s", told(error))
    if unknown:
        warnings.warn(
            f"identity not known: whether methods share '{unknown[0]}' cannot be told, since "
            "programs were loaded from files or copied one by one; tensors of one name are taken "
            "for one. Export all methods in one process, or copy all programs together.",
            UnsafePlanWarning,
            stacklevel=3,
        )


def _try(
    programs: Mapping[str, ExportedProgram],
    edge: Mapping[str, ExportedProgram],
    checked: CheckedProgram,
    policy: Policy | None,
    model: Module | None,
) -> None:
    """Calls of the model and the file, under a loader for which the plan is right.

    model: what the edge programs compute, without an opaque call.
    """
    right = [each for each in reversed(POLICIES) if checked.report.verdict_under(each) == "safe"]
    under: Any = policy or (right[0] if right else None)
    if under is None or under not in right:
        return  # the report has said so
    with Stage("calls of the model and the file") as stage:
        checked.tried = tried(programs, edge, checked, under, model, stage)
    if checked.tried.answer == "differs":
        raise WrongProgramError(checked.tried.text, checked.verified)
    if checked.tried.answer == "not tried":
        _not_verified(checked.tried.text)


def _has_other_values(method: MethodComparison) -> bool:
    """Whether more than the terms differ: random calls compare outputs, but not the state."""
    of_output = method.difference is not None and method.difference.where.startswith("output")
    return bool(method.run_difference) or not of_output

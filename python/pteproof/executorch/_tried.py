"""Calls of the model in PyTorch, and the same calls of the file: what a proof cannot say.

`compare` proves that the edge program and the file compute the same. What came before, from the
model to the edge program, and what happens between methods, is tried: sequences of calls, in any
order of the methods, with the state carried on from call to call, by PyTorch's modules of the
exported programs and by the file. If they differ, calls are left out as long as it shows, and the
reference makes those that are left of the edge program: it tells on which side the difference is.

The modules work on one copy of all programs, so that methods that share a tensor of the model share
it, and the model stays as it is. Work is bounded by a number of elements, not by time: equal models
are tried by equal calls everywhere.
"""

from __future__ import annotations

import dataclasses
import random
import tempfile
from typing import TYPE_CHECKING, Any

import torch
from torch.export.graph_signature import OutputKind
from torch.utils import _pytree as pytree

from pteproof._words import Words
from pteproof.executorch._device import RuntimeCalls, is_quantised
from pteproof.executorch._draw import Draw
from pteproof.executorch._recording import Recording, Row
from pteproof.executorch._state import copied

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch.export import ExportedProgram

    from pteproof._words import Module, Policy
    from pteproof.executorch._export import CheckedProgram
    from pteproof.executorch._stage import Stage

    # A method and its inputs.
    Call = tuple[str, list[Any]]

_ELEMENTS = 1 << 24  # that all calls together make, as far as more than one sequence goes
_SEQUENCES = 4
_ROUNDS = 2  # of all methods in a sequence; 1 if even one sequence takes several times as many


@dataclasses.dataclass
class Tried:
    """What came of calls that were made of the model in PyTorch and of the file.

    answer: "agrees", "differs", or "not tried" (`text` says why). calls: that agree. sequence: the
    methods of the shortest sequence that shows a difference, `between` which two it is.
    """

    answer: str
    calls: int = 0
    sequence: list[str] = dataclasses.field(default_factory=list)
    between: str = ""
    text: str = ""


def tried(
    programs: Mapping[str, ExportedProgram],
    edge: Mapping[str, ExportedProgram],
    checked: CheckedProgram,
    policy: Policy,
    model: Module | None,
    stage: Stage,
) -> Tried:
    """Makes random calls of the model and of the file.

    programs, edge: by method, what torch.export returned and what was lowered. policy: the loader.
    model: what the edge programs compute, delegates by what they were lowered from (None: not
    known). Where the file cannot run here, calls of the model stand in for it. stage: is told how
    far they are.
    """
    try:
        return _Trial(programs, edge, checked, policy, model).run(stage)
    except Exception as error:
        # PyTorch cannot run the model here: an export does not end for want of a trial.
        return Tried("not tried", text=f"model to file: not tried: {told(error)}")


class _Trial:
    def __init__(
        self,
        programs: Mapping[str, ExportedProgram],
        edge: Mapping[str, ExportedProgram],
        checked: CheckedProgram,
        policy: Policy,
        model: Module | None,
    ) -> None:
        self.checked, self.policy, self.model = checked, policy, model
        self.eager = _Eager(programs, edge)
        self.draws = {name: Draw(program, 0) for name, program in programs.items()}
        self.work = sum(_elements(program) for program in programs.values())
        self.not_run = ""  # why the file cannot run here, but the edge programs can
        try:
            self.device = RuntimeCalls.of(edge, checked, policy)
        except ValueError as error:
            # The reference rounds a sum otherwise than PyTorch, and what is quantised, by a step.
            if model is None or is_quantised(edge.values()):
                raise
            self.not_run = str(error)

    def run(self, stage: Stage) -> Tried:
        dice = random.Random(0)
        names = sorted(self.draws)
        rounds = _ROUNDS if _ROUNDS * self.work <= 4 * _ELEMENTS else 1
        count = max(1, min(_SEQUENCES, _ELEMENTS // max(1, rounds * self.work)))
        refused: dict[str, str] = {}
        agree = 0
        sequences = count
        while count and names:
            if sequences > 1:
                stage.what = f"calls of the model and the file ({sequences - count} of {sequences})"
            order = [name for _ in range(rounds) for name in dice.sample(names, len(names))]
            calls = [(name, self.draws[name].inputs()) for name in order]
            try:
                rows = self._rows(calls)
            except RefusedCallError as refusal:
                if not self.draws[refusal.method].narrow():
                    refused[refusal.method] = str(refusal)
                    names.remove(refusal.method)
                continue
            wrong = next((k for k, row in enumerate(rows) if row.differs), None)
            if wrong is not None:
                return self._shown(calls[: wrong + 1])
            agree += sum(row.agrees for row in rows)
            open_ = next((row.reason for row in rows if not row.agrees), None)
            if open_ is not None:
                return Tried("not tried", agree, text=f"model to file: not tried: {open_}")
            count -= 1
        text = f"model to {'edge program' if self.not_run else 'file'}: {agree} calls agree"
        if self.not_run:
            text += f"; the file was not tried: {self.not_run}"
        for name, why in refused.items():
            text += f"; '{name}' was not tried: {why}"
        return Tried("not tried" if refused or self.not_run else "agrees", agree, text=text)

    def _rows(self, calls: Sequence[Call]) -> list[Row]:
        if self.not_run and self.model is not None:
            return self._rows_of(self.model, calls)
        if self.device is not None:
            return self.device.rows(calls, self.eager)
        words = Words("run")
        words.program(self.checked)
        words.option("policy", self.policy)
        words.manifest(self.checked.facts or False, trust=False)
        return self._compared(words, calls)

    def _compared(self, words: Words, calls: Sequence[Call]) -> list[Row]:
        recording = Recording()
        recording.begin(self.policy)
        self.eager.begin()
        for name, inputs in calls:
            recording.add(name, inputs, self.eager.call(name, inputs))
        with tempfile.TemporaryDirectory() as folder:
            words.option("calls", recording.write(folder))
            words.option("compare", "eager")
            words.flag("json", True)
            outcome = words.call()
        if not outcome.output:
            raise ValueError(outcome.complaints.strip() or "no call was made")
        return [Row.of(line) for line in outcome.lines() if "result" in line]

    def _shown(self, calls: list[Call]) -> Tried:
        """The shortest sequence that shows the difference, and where it is."""
        k = 0
        while k < len(calls) - 1:
            fewer = calls[:k] + calls[k + 1 :]
            if self._rows(fewer)[-1].differs:
                calls = fewer
            else:
                k += 1
        what = self._rows(calls)[-1].reason
        between = self._between(calls)
        order = ", ".join(f"'{name}'" for name, _ in calls)
        text = f"{between} differ: after the calls {order}: {what}"
        return Tried("differs", 0, [name for name, _ in calls], between, text)

    def _between(self, calls: Sequence[Call]) -> str:
        if self.model is None:
            return "the model and the file"
        rows = self._rows_of(self.model, calls)
        if any(not row.differs and not row.agrees for row in rows):
            return "the model and the file"
        of_model = any(row.differs for row in rows)
        return "the model and the edge program" if of_model else "the edge program and the file"

    def _rows_of(self, model: Module, calls: Sequence[Call]) -> list[Row]:
        """The calls by the reference, of the edge programs."""
        words = Words("eval")
        words.program(model)
        words.option("policy", "share-all")
        return self._compared(words, calls)


class RefusedCallError(Exception):
    """The model does not take a call, such as an index beyond a tensor."""

    def __init__(self, method: str, why: str) -> None:
        super().__init__(why)
        self.method = method


class _Eager:
    """PyTorch's modules of exported programs, on a copy of their tensors."""

    def __init__(
        self, programs: Mapping[str, ExportedProgram], edge: Mapping[str, ExportedProgram]
    ) -> None:
        copies = copied(programs)
        self._modules = {name: program.module() for name, program in copies.items()}
        self._structures = {name: program.call_spec.in_spec for name, program in copies.items()}
        held = [t for m in self._modules.values() for t in (*m.parameters(), *m.buffers())]
        state = {id(t): t for t in held if isinstance(t, torch.Tensor)}
        for program in programs.values():  # their own, which only are read
            for tensor in program.state_dict.values():
                state.pop(id(tensor), None)
        self._first = [(tensor, tensor.detach().clone()) for tensor in state.values()]
        self._updated = {name: _updated(program) for name, program in edge.items()}

    def begin(self) -> None:
        """Back to the first state."""
        with torch.no_grad():
            for tensor, first in self._first:
                tensor.copy_(first)

    def call(self, method: str, inputs: Sequence[Any]) -> list[Any]:
        """The outputs of a call, in the order of the file: updated inputs are ahead."""
        given = [each.clone() if isinstance(each, torch.Tensor) else each for each in inputs]
        positional, named = pytree.tree_unflatten(given, self._structures[method])
        try:
            with torch.no_grad():
                returned = self._modules[method](*positional, **named)
        except (RuntimeError, IndexError, AssertionError, ValueError) as error:
            raise RefusedCallError(method, told(error)) from error
        ahead = [given[k] for k in self._updated[method]]
        leaves = [*ahead, *pytree.tree_leaves(returned)]
        return [each.clone() if isinstance(each, torch.Tensor) else each for each in leaves]


def _updated(program: ExportedProgram) -> list[int]:
    """The positions of inputs that the file returns, updated, ahead of its outputs."""
    signature = program.graph_signature
    specs = [s for s in signature.output_specs if s.kind == OutputKind.USER_INPUT_MUTATION]
    return [signature.user_inputs.index(spec.target) for spec in specs]


def _elements(program: ExportedProgram) -> int:
    """What a call makes, about; elements of weights are read in rows, and count less."""
    work = 0.0
    for node in program.graph.nodes:
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor):
            work += _count(value) / (16 if node.op == "placeholder" else 1)
    return int(work)


def _count(tensor: torch.Tensor) -> int:
    count = 1
    for size in tensor.shape:
        count *= size if isinstance(size, int) else 16
    return count


def told(error: BaseException) -> str:
    """An exception in a line: its type, and the first line of its words."""
    first = str(error).strip().split("\n", 1)[0]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__

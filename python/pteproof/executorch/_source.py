"""Which line of Python a finding is about.

The nodes of the lowered graph keep the stack trace of the line that was traced, and the emitter
makes an instruction of each in their order, with a few of its own between them for control flow.
So both lists are matched by operators' names; if a node is left over, no line is given at all.
A store that the exporter adds has no line: it takes that of the store in the program as
torch.export made it.
"""

from __future__ import annotations

import pathlib
import re
from typing import TYPE_CHECKING, Any

import torch

from pteproof.executorch._manifest import (
    STORES,
    Facts,
    calls_of,
    functional,
    is_delegate,
    signature_of,
    written_operands,
)
from pteproof.reports import Source

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch.export import ExportedProgram
    from torch.fx import Node

    from pteproof.reports import Finding

_FRAME = re.compile(r'File "(.*?)", line (\d+), in (.*?)\n([^\n]*)')
# PyTorch itself, and the code that it makes of graphs.
_NOT_THE_MODEL = (str(pathlib.Path(torch.__file__).parent), "<eval_with_key>")


class Sources:
    """The lines of one program's methods."""

    def __init__(self, made: Any, exported: Mapping[str, ExportedProgram], facts: Facts) -> None:
        self._values = {name: m.get("values", {}) for name, m in facts["methods"].items()}
        # By method and buffer: the line that stores it, or else one that reads it.
        self._buffers = {
            name: {**_reads(program), **_stores(program)} for name, program in exported.items()
        }
        self._instructions = {
            plan.name: _instructions(made.exported_program(plan.name), plan)
            for plan in made.executorch_program.execution_plan
            if plan.name in made.methods
        }

    def of(self, finding: Finding) -> Source | None:
        """Returns the line of the instruction, or else of the buffer's use, if known."""
        method = finding.method or ""
        made = self._instructions.get(method, {}).get(finding.instruction)
        return made or self._use(method, finding.values)

    def _use(self, method: str, values: list[int]) -> Source | None:
        names = [self._values.get(method, {}).get(str(value)) for value in values]
        lines = [self._buffers.get(method, {}).get(name) for name in names]
        return next((line for line in lines if line), None)


def line_of(trace: str | None) -> Source | None:
    r"""Returns the innermost line of a stack trace that is not PyTorch's own.

    >>> line_of('File "project/model.py", line 42, in forward\n    self.cache.copy_(x)\n')
    Source(file='project/model.py', line=42, text='self.cache.copy_(x)')
    """
    frames = [f for f in _FRAME.findall(trace or "") if not f[0].startswith(_NOT_THE_MODEL)]
    return Source(frames[-1][0], int(frames[-1][1]), frames[-1][3].strip()) if frames else None


def _stores(program: ExportedProgram) -> dict[str, Source]:
    """By buffer: the line that stores it last."""
    found = {**_stores_at_the_end(program), **_stores_in_place(program)}
    return {name: line for name, line in found.items() if line}


def _reads(program: ExportedProgram) -> dict[str, Source]:
    """By buffer: the line that reads it first."""
    found: dict[str, Source] = {}
    buffers = {s.arg.name: s.target for s in program.graph_signature.input_specs if s.target}
    for node in program.graph.nodes:
        line = line_of(node.meta.get("stack_trace"))
        if line is None:
            continue
        for operand in node.all_input_nodes:
            if operand.name in buffers:
                found.setdefault(buffers[operand.name], line)
    return found


def _stores_in_place(program: ExportedProgram) -> dict[str, Source | None]:
    """Those that torch.export has left as operators that write an argument."""
    buffers = {s.arg.name: s.target for s in program.graph_signature.input_specs}
    found = {}
    for node, _ in calls_of(program.graph_module):
        for operand in written_operands(node):
            buffer = buffers.get(_root_of(operand))
            if buffer:
                found[buffer] = line_of(node.meta.get("stack_trace"))
    return found


def _root_of(operand: Any) -> str:
    """The name of the placeholder that a view is of."""
    while getattr(operand, "op", "") == "call_function" and operand.args:
        operand = operand.args[0]
    return getattr(operand, "name", "")


def _stores_at_the_end(program: ExportedProgram) -> dict[str, Source | None]:
    """Those that are outputs of the functional graph."""
    program = functional(program)
    nodes = {node.name: node for node in program.graph.nodes}
    stored = [s for s in program.graph_signature.output_specs if s.kind in STORES]
    return {s.target: line_of(nodes[s.arg.name].meta.get("stack_trace")) for s in stored}


def _instructions(program: ExportedProgram, plan: Any) -> dict[int | None, Source]:
    """By instruction: the line of the node that it was made of."""
    nodes = [node for node, _ in calls_of(program.graph_module) if _makes_a_call(node)]
    names = [_operator_of(node) for node in nodes]
    found: dict[int | None, Source] = {}
    at = 0
    for index, instruction in enumerate(plan.chains[0].instructions):
        if at < len(names) and names[at] == _name_in(plan, instruction.instr_args):
            line = line_of(nodes[at].meta.get("stack_trace"))
            if line:
                found[index] = line
            at += 1
    return found if at == len(names) else {}


_DELEGATE = "a delegate"


def _makes_a_call(node: Node) -> bool:
    return is_delegate(node) or hasattr(node.target, "_schema")


def _operator_of(node: Node) -> str:
    return _DELEGATE if is_delegate(node) else signature_of(node)[0]


def _name_in(plan: Any, call: Any) -> str:
    """The operator of an instruction; empty: it calls none."""
    if hasattr(call, "delegate_index"):
        return _DELEGATE
    if not hasattr(call, "op_index"):
        return ""
    operator = plan.operators[call.op_index]
    return f"{operator.name}.{operator.overload}" if operator.overload else str(operator.name)

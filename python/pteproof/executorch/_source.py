"""Which lines of Python a program's instructions and values come from: NAME.source.json.

The nodes of the lowered graph keep the stack trace of the line that was traced, and the emitter
makes an instruction of each in their order, with a few of its own between them for control flow.
So both lists are matched by operators' names; if a node is left over, no line is given at all.
A store that the exporter adds has no line: its buffer or input has that of the store in the program
as torch.export made it.

A node's line is the innermost one that is neither PyTorch's nor ExecuTorch's; the lines that called
it are kept with it. PyTorch's tracer keeps those of functions named `forward` alone, which may be
thin wrappers, so `keep_frames` lets it keep all of the model.
"""

from __future__ import annotations

import dataclasses
import pathlib
import re
import traceback
from typing import TYPE_CHECKING, Any

import executorch.exir
import torch
from torch.export.graph_signature import InputKind, OutputKind
from torch.fx.proxy import TracerBase

from pteproof.executorch._manifest import (
    STORES,
    calls_of,
    functional,
    is_delegate,
    signature_of,
    written_operands,
)
from pteproof.reports import Source

if TYPE_CHECKING:
    from torch.export import ExportedProgram
    from torch.fx import Node

    from pteproof.executorch._manifest import Facts, Programs

_FRAME = re.compile(r'File "(.*?)", line (\d+), in (.*?)\n([^\n]*)')
# PyTorch and ExecuTorch themselves, and the code that they make of graphs.
_NOT_THE_MODEL = (
    f"{pathlib.Path(torch.__file__).parent}/",
    f"{pathlib.Path(torch.__file__).parents[1] / 'functorch'}/",
    f"{pathlib.Path(executorch.exir.__file__).parents[1]}/",
    "<",
)


class Callers:
    """The lines that called others, each once, and behind its own caller."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, int, str, int | None], int] = {}
        self.lines: list[Facts] = []

    def json(self, line: Source) -> Facts:
        """A line, which names its caller by its place here."""
        caller = None
        for above in reversed(line.called_from):
            caller = self._place(above, caller)
        return _with_caller(line, caller)

    def _place(self, line: Source, caller: int | None) -> int:
        key = (line.file, line.line, line.text, caller)
        if key not in self._places:
            self._places[key] = len(self.lines)
            self.lines.append(_with_caller(line, caller))
        return self._places[key]


def keep_frames() -> None:
    """Lets torch.export keep all lines of the model in a node's stack trace, for as long as Python
    runs. No node changes otherwise. Without effect if this PyTorch has another tracer."""
    kept = getattr(TracerBase, "_filter_traceback_frames", None)
    if kept is None or hasattr(kept, "of_pteproof"):
        return

    def filtered(self: Any, stack: traceback.StackSummary) -> traceback.StackSummary:
        chosen: traceback.StackSummary = kept(self, stack)
        if not getattr(self, "_record_forward_stack_traces_only", False) or not chosen:
            return chosen
        first = next((k for k, frame in enumerate(stack) if frame == chosen[0]), 0)
        frames = [f for f in stack[first:] if f in chosen or _is_of_the_model(f.filename)]
        return traceback.StackSummary.from_list(frames)

    filtered.of_pteproof = True  # type: ignore[attr-defined]
    TracerBase._filter_traceback_frames = filtered


def sources(lowered: Any, programs: Programs | None = None, *, instructions: bool = True) -> Facts:
    """Returns the lines and names of a program, as a dict (docs/reference/output.md).

    lowered: what to_executorch returned.
    programs: what torch.export returned, by method; the lines of buffers come from them.
    instructions: False if those of the file are not the exporter's, such as after a repair.
    """
    programs = programs or {}
    methods = {}
    callers = Callers()
    for plan in lowered.executorch_program.execution_plan:
        if plan.name not in lowered.methods:
            continue
        program = lowered.exported_program(plan.name)
        lines, values = _instructions(program, plan, callers) if instructions else ({}, {})
        for index, name in enumerate(placeholders(program)):
            values[index] = {"name": name}
        if plan.name in programs:
            for index, line in buffer_lines(program, programs[plan.name]).items():
                values[index]["at"] = callers.json(line)
        methods[plan.name] = {
            "instructions": {str(k): lines[k] for k in sorted(lines)},
            "values": {str(k): values[k] for k in sorted(values)},
        }
    return source_file(methods, callers)


def source_file(methods: Facts, callers: Callers) -> Facts:
    """What NAME.source.json holds, but for the sum of its program."""
    above = {"callers": callers.lines} if callers.lines else {}
    return {"pteproof_source": 1, **above, "methods": methods}


def line_of(trace: str | None) -> Source | None:
    r"""Returns the innermost line of a stack trace that is not PyTorch's or ExecuTorch's, with the
    lines that called it.

    >>> line_of('File "project/model.py", line 42, in forward\n    self.cache.copy_(x)\n')
    Source(file='project/model.py', line=42, text='self.cache.copy_(x)', called_from=[])
    """
    frames = [
        Source(file, int(line), text.strip())
        for file, line, _, text in _FRAME.findall(trace or "")
        if _is_of_the_model(file)
    ]
    return dataclasses.replace(frames[-1], called_from=frames[-2::-1]) if frames else None


def _is_of_the_model(file: str) -> bool:
    return not file.startswith(_NOT_THE_MODEL)


def _with_caller(line: Source, caller: int | None) -> Facts:
    """A line; its file as seen from the working folder, if it lies below."""
    file = pathlib.Path(line.file)
    below = file.is_relative_to(pathlib.Path.cwd())
    out: Facts = {
        "file": str(file.relative_to(pathlib.Path.cwd()) if below else file),
        "line": line.line,
    }
    if line.text:
        out["text"] = line.text
    return out if caller is None else {**out, "caller": caller}


def placeholders(program: ExportedProgram) -> list[str]:
    """The names of the values that the emitter numbers first: of state those in the model."""
    return [
        s.target if s.kind != InputKind.USER_INPUT and s.target else s.arg.name
        for s in program.graph_signature.input_specs
    ]


def buffer_lines(lowered: ExportedProgram, program: ExportedProgram) -> dict[int, Source]:
    """By value: the line that stores the buffer or the input, or else one that reads it."""
    lines = {**_reads(program), **_stores(program)}
    names = [s.target or s.arg.name for s in lowered.graph_signature.input_specs]
    return {k: lines[name] for k, name in enumerate(names) if name in lines}


def lines_of_tensors(facts: Facts | None, programs: Programs) -> list[str]:
    """Of each tensor that methods hold under several names: where each of them uses it."""
    found = []
    for key, buffer in (facts or {}).get("buffers", {}).items():
        for method, names in buffer.get("names", {}).items():
            lines = {**_reads(programs[method]), **_stores(programs[method])}
            for name in names:
                line = f"  {lines[name]}" if name in lines else ""
                found.append(f"'{name}' of method '{method}' is the tensor '{key}'{line}")
    return found


def _stores(program: ExportedProgram) -> dict[str, Source]:
    """By buffer: the line that stores it last."""
    found = {**_stores_at_the_end(program), **_stores_in_place(program)}
    return {name: line for name, line in found.items() if line}


def _reads(program: ExportedProgram) -> dict[str, Source]:
    """By buffer or input: the line that reads it first."""
    found: dict[str, Source] = {}
    names = {s.arg.name: s.target or s.arg.name for s in program.graph_signature.input_specs}
    for node in program.graph.nodes:
        line = line_of(node.meta.get("stack_trace"))
        if line is None:
            continue
        for operand in node.all_input_nodes:
            if operand.name in names:
                found.setdefault(names[operand.name], line)
    return found


def _stores_in_place(program: ExportedProgram) -> dict[str, Source | None]:
    """Those that torch.export has left as operators that write an argument."""
    names = {s.arg.name: s.target or s.arg.name for s in program.graph_signature.input_specs}
    found = {}
    for node, _ in calls_of(program.graph_module):
        for operand in written_operands(node):
            name = names.get(_root_of(operand))
            if name:
                found[name] = line_of(node.meta.get("stack_trace"))
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
    kinds = (*STORES, OutputKind.USER_INPUT_MUTATION)
    stored = [s for s in program.graph_signature.output_specs if s.kind in kinds]
    return {s.target: line_of(nodes[s.arg.name].meta.get("stack_trace")) for s in stored}


def _instructions(
    program: ExportedProgram, plan: Any, callers: Callers
) -> tuple[dict[int, Facts], dict[int, Facts]]:
    """By instruction: the line of the node that it was made of. By value: that node's name, too."""
    nodes = [node for node, _ in calls_of(program.graph_module) if _makes_a_call(node)]
    names = [_operator_of(node) for node in nodes]
    lines: dict[int, Facts] = {}
    values: dict[int, Facts] = {}
    at = 0
    for index, instruction in enumerate(plan.chains[0].instructions):
        if at < len(names) and names[at] == name_in(plan, instruction.instr_args):
            line = _line_of(nodes[at])
            if line:
                lines[index] = callers.json(line)
            for value, name in _results(nodes[at], instruction.instr_args).items():
                values[value] = {"name": name, **({"at": lines[index]} if line else {})}
            at += 1
    return (lines, values) if at == len(names) else ({}, {})


def _line_of(node: Node) -> Source | None:
    """The node's line. One that is put in another's place has lost it, and takes its operand's. A
    store that the exporter adds has none: the line of its buffer is nearer."""
    line = line_of(node.meta.get("stack_trace"))
    if line or node.target is torch.ops.aten.copy_.default or node.op != "call_function":
        return line
    return next((line for line in map(_line_of, node.all_input_nodes[:1]) if line), None)


def _results(node: Node, call: Any) -> dict[int, str]:
    """The names of the values that a call of an operator makes."""
    if is_delegate(node):
        return {}
    made = [
        value
        for argument, value in zip(node.target._schema.arguments, call.args, strict=False)
        if argument.is_out
    ]
    return {v: node.name if len(made) == 1 else f"{node.name}[{k}]" for k, v in enumerate(made)}


_DELEGATE = "a delegate"


def _makes_a_call(node: Node) -> bool:
    return is_delegate(node) or hasattr(node.target, "_schema")


def _operator_of(node: Node) -> str:
    return _DELEGATE if is_delegate(node) else signature_of(node)[0]


def name_in(plan: Any, call: Any) -> str:
    """The operator of an instruction; empty: it calls none."""
    if hasattr(call, "delegate_index"):
        return _DELEGATE
    if not hasattr(call, "op_index"):
        return ""
    operator = plan.operators[call.op_index]
    return f"{operator.name}.{operator.overload}" if operator.overload else str(operator.name)

"""Lines of the model from an ETRecord, for a program file that was exported elsewhere.

An ETRecord has the edge program, whose nodes have handles and stack traces, and says which handle
each instruction has. Nothing is guessed: an instruction has a line only if a node of its handle
calls its operator, and values have names only if the first values of the file are, one by one, of
the types of the edge program's placeholders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from executorch.exir._serialize._program import deserialize_pte_binary
from executorch.exir.tensor import scalar_type_enum

from pteproof.executorch._manifest import calls_of
from pteproof.executorch._source import (
    Callers,
    buffer_lines,
    line_of,
    name_in,
    placeholders,
    source_file,
)

if TYPE_CHECKING:
    from torch.export import ExportedProgram

    from pteproof.executorch._manifest import Facts


def record_sources(record: Any, program: bytes) -> Facts:
    """Returns the lines and names of a program, as a dict (docs/reference/output.md).

    record: what ExecuTorch's `parse_etrecord` or `get_etrecord` returned.
    program: the bytes of the program file.

    Raises ValueError if the record is of other methods, or was made without the edge program.
    """
    edges, exported = _methods(record.edge_dialect_program), _methods(record.exported_program)
    handles = record._debug_handle_map or {}
    plans = {p.name: p for p in deserialize_pte_binary(program).program.execution_plan}
    if not edges or edges.keys() - plans.keys():
        raise ValueError(
            f"the record has the methods {sorted(edges)}, the program has {sorted(plans)}"
        )
    callers = Callers()
    methods = {
        name: {
            "instructions": _instructions(edge, plans[name], handles.get(name) or {}, callers),
            "values": _values(edge, plans[name], exported.get(name), callers),
        }
        for name, edge in edges.items()
    }
    return source_file(methods, callers)


def _methods(programs: Any) -> dict[str, ExportedProgram]:
    if programs is None:
        return {}
    return dict(programs) if hasattr(programs, "items") else {"forward": programs}


def _instructions(
    edge: ExportedProgram, plan: Any, handles: dict[Any, Any], callers: Callers
) -> Facts:
    """By instruction: the line of the node of its handle that calls its operator."""
    lines: dict[tuple[int, str], Any] = {}
    for node, _ in calls_of(edge.graph_module):
        if hasattr(node.target, "_schema"):
            key = (node.meta.get("debug_handle"), node.target._schema.name)
            lines.setdefault(key, line_of(node.meta.get("stack_trace")))
    found = {}
    for index, call in enumerate(plan.chains[0].instructions):
        operator = name_in(plan, call.instr_args).partition(".")[0]
        handle = handles.get(index, handles.get(str(index)))  # texts, once it was stored
        line = lines.get((handle, operator)) if isinstance(handle, int) else None
        if line:
            found[str(index)] = callers.json(line)
    return found


def _values(
    edge: ExportedProgram, plan: Any, exported: ExportedProgram | None, callers: Callers
) -> Facts:
    """By value: the names of state and inputs, and the lines that store or read them."""
    nodes = [node for node in edge.graph.nodes if node.op == "placeholder"]
    if len(nodes) > len(plan.values) or not all(map(_is_of, nodes, plan.values)):
        return {}
    values: Facts = {str(k): {"name": name} for k, name in enumerate(placeholders(edge))}
    if exported is not None:
        for index, line in buffer_lines(edge, exported).items():
            values[str(index)]["at"] = callers.json(line)
    return values


def _is_of(node: Any, value: Any) -> bool:
    """Whether a value of the file has the type of a placeholder."""
    tensor, stored = node.meta.get("val"), value.val
    if not hasattr(tensor, "dtype") or not hasattr(stored, "scalar_type"):
        return False
    upper = [size if isinstance(size, int) else None for size in tensor.shape]
    same = all(u is None or u == s for u, s in zip(upper, stored.sizes, strict=False))
    return same and (len(upper), scalar_type_enum(tensor.dtype)) == (
        len(stored.sizes),
        stored.scalar_type,
    )

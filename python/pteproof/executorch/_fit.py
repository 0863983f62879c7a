"""Whether the edge programs were made of what is said to be exported: methods, inputs, state.

Values are compared by calls (_tried.py). This is what can be told before anything is run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import ConstantArgument, InputKind

from pteproof.errors import ModelError
from pteproof.executorch._manifest import RETURNED, STORES
from pteproof.executorch._module import by_name, outputs_of
from pteproof.executorch._state import HELD, registered

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from executorch.exir import EdgeProgramManager


def by_method(
    exported: ExportedProgram | Mapping[str, ExportedProgram] | None, edge: EdgeProgramManager
) -> Mapping[str, ExportedProgram]:
    """Returns the exported programs by method, which are those of the edge programs.

    Raises ModelError, with both sides, if methods, inputs, outputs or buffers differ.
    """
    if exported is None:
        return {}
    programs = by_name(exported, edge.methods)
    for name, program in programs.items():
        if not isinstance(program, ExportedProgram):
            kind = type(program).__name__
            raise ModelError(f"`exported` has a {kind} as '{name}', not an ExportedProgram")
    if set(programs) != set(edge.methods):
        raise ModelError(
            f"`exported` has {_methods(programs)}, the edge program has {_methods(edge.methods)}: "
            "give all programs that were lowered, by their methods"
        )
    for name, program in programs.items():
        _require(name, "inputs", _inputs(program), _inputs(edge.exported_program(name)))
        _require(name, "outputs", _outputs(program), _outputs(edge.exported_program(name)))
        _require_buffers(name, program, edge.exported_program(name))
    return programs


def _methods(names: Iterable[str]) -> str:
    listed = sorted(names)
    words = ", ".join(f"'{name}'" for name in listed) or "no method"
    return f"the method {words}" if len(listed) == 1 else words


def _require(method: str, what: str, of_exported: list[str], of_edge: list[str]) -> None:
    if of_exported != of_edge:
        raise ModelError(
            f"method '{method}': `exported` has the {what} ({', '.join(of_exported)}), the edge "
            f"program has ({', '.join(of_edge)}): it was made of another program"
        )


def _inputs(program: ExportedProgram) -> list[str]:
    nodes = [node for node in program.graph.nodes if node.op == "placeholder"]
    pairs = zip(program.graph_signature.input_specs, nodes, strict=True)
    return [_input(spec.arg, node) for spec, node in pairs if spec.kind == InputKind.USER_INPUT]


def _input(argument: Any, node: Any) -> str:
    if isinstance(argument, ConstantArgument):
        return repr(argument.value)
    return _words(node.meta.get("val"))


def _outputs(program: ExportedProgram) -> list[str]:
    found = [node for spec, node in outputs_of(program) if spec.kind in RETURNED]
    return [_words(node.meta.get("val")) if node is not None else "value" for node in found]


def _words(value: Any) -> str:
    """A value's type; a size that varies is "n", whatever it is called."""
    if not isinstance(value, torch.Tensor):
        return "number"
    sizes = ", ".join(str(size) if isinstance(size, int) else "n" for size in value.shape)
    return f"{str(value.dtype).removeprefix('torch.')}[{sizes}]"


def _require_buffers(method: str, exported: ExportedProgram, edge: ExportedProgram) -> None:
    """State and what both have by one name. Lowering adds constants, and delegates take some."""
    given, lowered = _held(exported), _held(edge)
    stored = {s.target for s in edge.graph_signature.output_specs if s.kind in STORES}
    for name in sorted(stored - given.keys()):
        known = ", ".join(f"'{each}'" for each in given) or "none"
        raise ModelError(
            f"method '{method}': the edge program stores to '{name}'; `exported` has no such "
            f"buffer (it has {known}): it was made of another program"
        )
    for name in given.keys() & lowered.keys():
        one, other = _words(given[name]), _words(lowered[name])
        if name in stored and one != other:
            raise ModelError(
                f"method '{method}': buffer '{name}' is {one} in `exported`, and {other} in the "
                "edge program: it was made of another program"
            )


def _held(program: ExportedProgram) -> dict[str, torch.Tensor]:
    specs = program.graph_signature.input_specs
    held = {s.target: registered(program, s.target) for s in specs if s.kind in HELD and s.target}
    return {name: tensor for name, tensor in held.items() if isinstance(tensor, torch.Tensor)}

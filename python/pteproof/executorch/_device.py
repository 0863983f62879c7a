"""The same calls in ExecuTorch's own runtime: of files with delegates, which nothing else runs."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import torch

from pteproof.executorch._manifest import calls_of, is_delegate
from pteproof.executorch._recording import Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from torch.export import ExportedProgram
    from torch.fx import GraphModule, Node

_SHARES_ALL = "share-all"  # what the Python Runtime does
# Of a tensor's largest number: backends order sums in their own way. Narrow numbers are a step
# apart then, and quantised ones as many steps, of the widest in the program.
_OF_LARGEST = 1e-3
_OF_LARGEST_STEP = 3e-2
_ABSOLUTE = 1e-5
_STEPS = 2


class RuntimeCalls:
    """Runs a file from its first state."""

    def __init__(self, load: Any, step: float | None) -> None:
        """step: the widest of quantised numbers; None: there are none."""
        self._load, self._step = load, step

    @staticmethod
    def of(
        edge: Mapping[str, ExportedProgram], checked: Any, policy: str | None
    ) -> RuntimeCalls | None:
        """None if the file has no delegate. Raises ValueError if the runtime does not take it."""
        if not has_delegates(edge.values()):
            return None
        nodes = _all_calls(edge.values())
        if len(edge) > 1 and policy != _SHARES_ALL:
            raise ValueError(
                f"ExecuTorch's Python Runtime is not a loader with the policy '{policy}'"
            )
        if checked._tensor_data:
            raise ValueError("the delegates' data lie outside of the file")
        from executorch.runtime import Runtime, Verification

        runtime = Runtime.get()
        registered = set(runtime.backend_registry.registered_backend_names)
        wanted = {d.id for p in checked.executorch_program.execution_plan for d in p.delegates}
        if missing := sorted(wanted - registered):
            raise ValueError(f"ExecuTorch's runtime does not have the backend '{missing[0]}' here")
        buffer = bytes(checked.buffer)
        return RuntimeCalls(
            lambda: runtime.load_program(buffer, verification=Verification.Minimal),
            _widest_step(nodes),
        )

    def rows(self, calls: Sequence[tuple[str, list[Any]]], eager: Any) -> list[Any]:
        """Each call, compared with PyTorch's outputs."""
        program = self._load()
        loaded = {name: program.load_method(name) for name in sorted({name for name, _ in calls})}
        eager.begin()
        rows: list[Row] = []
        for name, inputs in calls:
            wanted = eager.call(name, inputs)
            given = [each.clone() if isinstance(each, torch.Tensor) else each for each in inputs]
            try:
                found = loaded[name].execute(given)
            except RuntimeError as error:
                return [*rows, Row(False, True, f"the runtime refuses it: {error}")]
            reason = _difference(found, wanted, self._step)
            rows.append(Row(not reason, bool(reason), reason))
        return rows


def has_delegates(programs: Iterable[ExportedProgram]) -> bool:
    """Whether edge programs call a delegate, in a region too."""
    return any(is_delegate(node) for p in programs for node, _ in calls_of(p.graph_module))


def is_quantised(programs: Iterable[ExportedProgram]) -> bool:
    """Whether a number is quantised, in a delegate too."""
    return _widest_step(_all_calls(programs)) is not None


def _all_calls(programs: Iterable[ExportedProgram]) -> list[Node]:
    return [node for program in programs for node in _calls_of(program.graph_module)]


def _calls_of(module: GraphModule) -> Iterator[Node]:
    """Calls, with those that were lowered to a delegate."""
    for node, owner in calls_of(module):
        yield node
        if is_delegate(node):
            lowered = operator.attrgetter(node.args[0].target)(owner)
            yield from _calls_of(lowered.original_module.graph_module)


def _widest_step(nodes: Sequence[Node]) -> float | None:
    """The largest scale of quantised tensors; 0 if none is a number; None: nothing is quantised."""
    quantised = [node for node in nodes if "quantize" in str(node.target)]
    scales = [node.args[1] for node in quantised if len(node.args) > 1]
    steps = [float(scale) for scale in scales if isinstance(scale, (int, float))]
    return max(steps, default=0.0) if quantised else None


def _difference(found: Sequence[Any], wanted: Sequence[Any], step: float | None) -> str:
    """The first output that differs; empty: none does."""
    if len(found) != len(wanted):
        return f"{len(found)} outputs instead of {len(wanted)}"
    for k, (one, other) in enumerate(zip(found, wanted, strict=True)):
        if isinstance(other, torch.Tensor):
            if text := _of_tensors(one, other, step):
                return f"output {k}: {text}"
        elif one != other:
            return f"output {k}: {one} instead of {other}"
    return ""


def _of_tensors(found: torch.Tensor, wanted: torch.Tensor, step: float | None) -> str:
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return f"{found.dtype}{list(found.shape)} instead of {wanted.dtype}{list(wanted.shape)}"
    if not wanted.dtype.is_floating_point:
        return "" if torch.equal(found, wanted) else "integers differ"
    finite = wanted[torch.isfinite(wanted)]
    largest = float(finite.abs().max()) if finite.numel() else 0.0
    coarse = step is not None or wanted.element_size() < 4
    share = (_OF_LARGEST_STEP if coarse else _OF_LARGEST) * largest
    bound = _ABSOLUTE + max(share, _STEPS * (step or 0.0))
    if torch.allclose(found, wanted, rtol=0.0, atol=bound, equal_nan=True):
        return ""
    apart = (found - wanted).abs().nan_to_num(float("inf")).reshape(-1)
    at = int(apart.argmax())
    one, other = found.reshape(-1)[at], wanted.reshape(-1)[at]
    return f"element {at}: {float(one):.6g} instead of {float(other):.6g}"

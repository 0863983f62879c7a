"""The names of state, written into the program file, which then tells one buffer from two alone.

ExecuTorch writes them too, if its config asks for it (`emit_mutable_buffer_names`). But then an
initial value of the bytes of a constant is mistaken for that constant, and one that several methods
hold is stored once for each. So the names are put into the emitted program instead, whose other
bytes of meaning stay. Names that it has stay too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from executorch.exir import schema
from executorch.exir._serialize._serialize import serialize_for_executorch

from pteproof.executorch._state import HELD, Tensors

if TYPE_CHECKING:
    from executorch.exir import ExecutorchBackendConfig, ExecutorchProgramManager

    from pteproof.executorch._manifest import Programs


def name_state(
    made: ExecutorchProgramManager, config: ExecutorchBackendConfig, programs: Programs
) -> None:
    """Gives the planned state of a program its names, and serializes it again if any are new.

    programs: what torch.export returned, by method. Of these one tensor has one name, and two have
      two, as in the manifest. Without them the names are those of the edge program.
    """
    tensors = Tensors(programs)
    new = [
        _named(value.val, tensors.key(plan.name, spec.target) or spec.target)
        for plan in made.executorch_program.execution_plan
        if plan.name in made.methods
        for value, spec in zip(plan.values, _inputs(made, plan.name), strict=False)
        if spec.kind in HELD and spec.target and _has_no_name(value.val)
    ]
    if new:
        made._pte_data, made._tensor_data = serialize_for_executorch(
            made._emitter_output, config, made._data_serializer, made._named_data
        )
        made._buffer = None


def _inputs(made: ExecutorchProgramManager, method: str) -> list[Any]:
    """The emitter numbers them first, in their order."""
    specs: list[Any] = made.exported_program(method).graph_signature.input_specs
    return specs


def _has_no_name(value: Any) -> bool:
    """Whether it is a tensor in planned memory that has none: a constant needs none."""
    is_planned = isinstance(value, schema.Tensor) and value.allocation_info is not None
    return is_planned and value.extra_tensor_info is None


def _named(tensor: schema.Tensor, name: str) -> schema.Tensor:
    tensor.extra_tensor_info = schema.ExtraTensorInfo(
        fully_qualified_name=name, location=schema.TensorDataLocation.SEGMENT
    )
    return tensor

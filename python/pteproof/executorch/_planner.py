"""The program of pteproof's own planner, in place of ExecuTorch's passes, planner and emitter.

The Module of the edge program (`module`) is planned (docs/reference/planning.md). What a Module
does not hold is put into the program afterwards: the blobs of delegates, the values of inputs that
are fixed numbers, constant methods, and the guard bytes that XNNPACK reads. ExecuTorch's own
serializer then writes the file. No delegate is guessed: each is planned under a name with its
number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from executorch.exir import ExecutorchBackendConfig, ExecutorchProgramManager, schema
from executorch.exir._serialize._program import deserialize_pte_binary
from executorch.exir._serialize._serialize import serialize_for_executorch
from executorch.exir.passes import MemoryPlanningPass
from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass
from executorch.exir.passes.sym_shape_eval_pass import ConstraintBasedSymShapeEvalPass
from torch.export.graph_signature import ConstantArgument, InputKind
from torch.utils import _pytree as pytree

from pteproof import _verbs
from pteproof._words import Module
from pteproof.errors import NoPlanError, PteproofError
from pteproof.executorch._manifest import GRADIENTS
from pteproof.executorch._module import text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from executorch.exir import EdgeProgramManager
    from torch.export import ExportedProgram

    from pteproof._words import Policy
    from pteproof.executorch._manifest import Facts

# What ExecuTorch's passes or its emitter would do, and the planner does not.
_NOT_TAKEN = (
    "external_constants",
    "external_mutable_weights",
    "do_quant_fusion_and_const_prop",
    "emit_stacktrace",
)
_INITIALISATION = "et_module_init"
_GUARD = 64  # bytes behind each bank that XNNPACK may read, as ExecuTorch's planner adds them


def planned(
    edge: EdgeProgramManager,
    config: ExecutorchBackendConfig | None,
    policy: Policy | None,
    exported: Mapping[str, ExportedProgram],
) -> ExecutorchProgramManager:
    """Returns what `edge.to_executorch(config)` does, by pteproof's planner. `edge` stays as it is.

    policy: the loader in use; None: one that shares all banks, as a plan for it serves the others.
    exported: by method, what torch.export returned, which tells what tensors are one; may be empty.

    Raises NoModuleError for a model that a Module has no words for, and NoPlanError for a config
    that the planner does not take, or a Module without a plan for the loader.
    """
    refuse(edge, config)
    config = config or ExecutorchBackendConfig()
    programs = {name: edge.exported_program(name) for name in sorted(edge.methods)}
    delegates: list[Any] = []
    text = text_of(edge, exported or None, delegates)
    file = _verbs.plan(text.encode(), policy=policy or "share-all", **_flags(config))
    pte = deserialize_pte_binary(file.program)
    pte.program.segments = []  # an empty one stays without constants
    pte.program.constant_buffer = pte.program.constant_buffer or [schema.Buffer(b"")]
    _add_delegates(pte.program, delegates)
    for plan in pte.program.execution_plan:
        if plan.name in programs:
            _add_numbers(plan, programs[plan.name])
    pte.program.execution_plan += _constant_methods(edge._config_methods or {})
    made = ExecutorchProgramManager({}, None, config)
    made._execution_programs = programs
    made._config_methods = edge._config_methods
    made._named_data = edge._named_data_store.get_named_data_store_output()
    made._emitter_output.program = pte.program
    made._emitter_output.mutable_data = pte.mutable_data
    made._pte_data, made._tensor_data = serialize_for_executorch(
        made._emitter_output, config, made._data_serializer, made._named_data
    )
    return made


def with_initialisation(facts: Facts, made: ExecutorchProgramManager) -> Facts:
    """The manifest of the file: its method that gives shared buffers their first values, if it has
    one, is called first."""
    methods = [plan.name for plan in made.executorch_program.execution_plan]
    if _INITIALISATION not in methods:
        return facts
    buffers = facts["buffers"]
    given = [n for n, b in buffers.items() if b.get("shared") and b["initial"] == "stored"]
    for name in given:
        buffers[name]["initial"] = "any"  # no method but that one holds it
        del buffers[name]["initial_sha256"]
    others = " | ".join(facts["methods"])
    facts["methods"][_INITIALISATION] = {"reads": [], "mutates": given, "outputs": []}
    return {**facts, "calls": f"{_INITIALISATION} ({others})*"}


def outlook(model: Module | str, policy: Policy | None) -> str:
    """What the planner can do for a model whose other plan is unsafe.

    model: what is planned, or why nothing is.
    """
    under: Policy = policy or "share-all"
    why = "" if isinstance(model, Module) else model
    try:
        if isinstance(model, Module):
            _verbs.plan(model.encode(), policy=under)
    except PteproofError as error:
        why = str(error).rstrip()
    if why:
        return f'planner="pteproof" has no plan for this model either: {why}'
    return (
        f'planner="pteproof" has a plan for this model, made for {under}: call to_executorch with '
        "it, on an edge program made again."
    )


def refuse(edge: EdgeProgramManager, config: ExecutorchBackendConfig | None) -> None:
    """Raises NoPlanError for what the planner does not take."""
    config = config or ExecutorchBackendConfig()
    for name in _NOT_TAKEN:
        if getattr(config, name, False):
            raise NoPlanError(f"planner='pteproof' does not take the config's '{name}'")
    for each in passes_of_ones_own(config):
        kind = type(each).__name__
        raise NoPlanError(f"planner='pteproof' runs no passes, but the config has a {kind}")
    for field, known in (
        ("memory_planning_pass", MemoryPlanningPass),
        ("sym_shape_eval_pass", ConstraintBasedSymShapeEvalPass),
    ):
        found: Any = type(getattr(config, field))
        if found is not known:
            raise NoPlanError(
                f"planner='pteproof' takes a {known.__name__} as the config's '{field}', "
                f"not a {found.__name__}"
            )
    for name in sorted(edge.methods):
        specs = edge.exported_program(name).graph_signature.output_specs
        if any(spec.kind in GRADIENTS for spec in specs):
            raise NoPlanError(f"planner='pteproof': method '{name}' returns gradients")


def passes_of_ones_own(config: ExecutorchBackendConfig) -> list[Any]:
    """Those that may rewrite the model. Initial values come along without a pass."""
    return [p for p in config.passes if not isinstance(p, InitializedMutableBufferPass)]


def _flags(config: ExecutorchBackendConfig) -> dict[str, Any]:
    """Those of `pteproof plan` that the memory planning pass asks for."""
    asked = config.memory_planning_pass
    return {
        "alignment": asked.alignment,
        "unplanned_inputs": not asked.alloc_graph_input,
        "unplanned_outputs": not asked.alloc_graph_output,
        "unplanned_buffers": not asked.alloc_mutable_buffers,
    }


def _add_delegates(program: schema.Program, lowered: list[Any]) -> None:
    """Gives the delegates their names, blobs and specs."""
    places: dict[bytes, int] = {}
    for plan in program.execution_plan:
        for delegate in plan.delegates:
            name, _, number = delegate.id.rpartition("#")
            module = lowered[int(number)]
            delegate.id = name
            delegate.compile_specs = module.compile_specs
            place = places.setdefault(module.processed_bytes, len(places))
            delegate.processed = schema.BackendDelegateDataReference(
                location=schema.DataLocation.INLINE, index=place
            )
    program.backend_delegate_data = [schema.BackendDelegateInlineData(data=d) for d in places]
    if any("xnnpack" in module.backend_id.lower() for module in lowered):
        for plan in program.execution_plan:
            sizes = plan.non_const_buffer_sizes
            sizes[1:] = [size + _GUARD if size else 0 for size in sizes[1:]]


def _add_numbers(plan: schema.ExecutionPlan, program: ExportedProgram) -> None:
    """Gives inputs that are numbers, fixed at export, their values. The runtime takes no others."""
    specs = program.graph_signature.input_specs
    inputs = [spec.arg for spec in specs if spec.kind == InputKind.USER_INPUT]
    for place, argument in zip(plan.inputs, inputs, strict=True):
        if isinstance(argument, ConstantArgument):
            plan.values[place] = schema.EValue(_number(argument.value))


def _constant_methods(methods: dict[str, Any]) -> Iterator[schema.ExecutionPlan]:
    """Methods that return values which were known at export."""
    for name, returned in methods.items():
        leaves, _ = pytree.tree_flatten(returned)
        if any(isinstance(leaf, torch.Tensor) for leaf in leaves):
            raise NoPlanError(f"planner='pteproof': constant method '{name}' returns a tensor")
        yield schema.ExecutionPlan(
            name=name,
            container_meta_type=schema.ContainerMetadata("", ""),
            values=[schema.EValue(_number(leaf)) for leaf in leaves],
            inputs=[],
            outputs=list(range(len(leaves))),
            chains=[schema.Chain(inputs=[], outputs=[], instructions=[], stacktrace=None)],
            operators=[],
            delegates=[],
            non_const_buffer_sizes=[0],
        )


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        return schema.Bool(value)
    if isinstance(value, int):
        return schema.Int(value)
    return schema.Double(value) if isinstance(value, float) else schema.String(value)

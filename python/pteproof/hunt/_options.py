"""The options of an export that a hunt draws, as data and as the lines of Python that make them.

The installed version decides which there are: an option that it lacks is not drawn.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from pteproof.hunt._text import Module

# Operators without a form that updates in place: the result is given the operand's bytes instead.
_EXTRA = ("maximum.default", "minimum.default")
_NOT_ELEMENTWISE = ("flip.default", "mm.default")
_PASSES = "executorch.exir.passes"
_INITIAL = f"{_PASSES}.init_mutable_pass"
_BANKED = "executorch.exir.banked_memory_planning"
_PARTITIONER = "executorch.backends.xnnpack.partition.xnnpack_partitioner"
_CONFIGS = "executorch.backends.xnnpack.partition.config.generic_node_configs"


@dataclasses.dataclass
class Options:
    """One choice of options. The defaults are ExecuTorch's."""

    share: bool = False  # MemoryPlanningPass(share_mutable_buffers)
    names: bool = False  # emit_mutable_buffer_names
    reinplace: bool = False  # run_reinplace_pass
    extra: list[str] = dataclasses.field(default_factory=list)  # reinplace_extra_ops
    keep_views: bool = False  # not remove_view_copy
    free_inputs: bool = False  # not alloc_graph_input
    free_outputs: bool = False  # not alloc_graph_output
    alignment: int = 16
    algorithm: str = ""  # "naive", "banked", "only": greedy alone; "MODULE:CALLABLE"
    initial: list[str] = dataclasses.field(default_factory=list)  # InitializedMutableBufferPass
    fold: bool = False  # do_quant_fusion_and_const_prop
    delegate: str = ""  # XNNPACK: "all" that it takes, or "sums" only
    each: str = ""  # a pass for "each" method, or one that shares for all but the "last"
    unbounded: bool = False  # dims without an upper bound

    def drawn(self) -> list[str]:
        """The names of those that differ from the defaults."""
        default = Options()
        names = [field.name for field in dataclasses.fields(self)]
        return [name for name in names if getattr(self, name) != getattr(default, name)]


def _has(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


class Available:
    """What the installed version has."""

    def __init__(self) -> None:
        from executorch.exir import ExecutorchBackendConfig
        from executorch.exir.passes import MemoryPlanningPass

        self.config = set(inspect.signature(ExecutorchBackendConfig.__init__).parameters)
        self.planning = set(inspect.signature(MemoryPlanningPass.__init__).parameters)
        self.initial = _has(_INITIAL)
        self.banked = _has(_BANKED)
        self.delegate = _has(_PARTITIONER)


def draw(dice: random.Random, module: Module, available: Available, planner: str | None) -> Options:
    """Draws options for a Module. planner: the user's own algorithm, in place of the others.

    The dice are thrown in the same way for every version; what a version lacks is left out after.
    """
    options = Options()
    stateful = any(m.stores for m in module.methods) or any(m.entries for m in module.methods)
    options.share = dice.random() < 0.88 and len(module.methods) > 1
    options.names = dice.random() < 0.6
    updates = any("index_put" in n.op for m in module.methods for n in m.nodes)
    options.reinplace = dice.random() < (0.7 if updates else 0.3)
    some = _NOT_ELEMENTWISE if dice.random() < 0.1 else _EXTRA
    extra = [each for each in some if dice.random() < 0.7]
    options.extra = extra if dice.random() < 0.6 and options.reinplace else []
    options.keep_views = dice.random() < 0.15
    options.free_inputs = dice.random() < 0.2
    options.free_outputs = dice.random() < 0.2
    options.alignment = dice.choice([1, 4, 8, 32, 64]) if dice.random() < 0.05 else 16
    algorithm = dice.choice(["naive", "only", "" if options.share else "banked"])
    options.algorithm = planner or (algorithm if dice.random() < 0.25 else "")
    valued = [b.name for b in module.buffers if b.values is not None]
    options.initial = valued if stateful and dice.random() < 0.9 else []
    options.fold = dice.random() < 0.06
    options.delegate = dice.choice(["all", "sums"]) if dice.random() < 0.2 else ""
    each = dice.choice(["each", "last"])
    options.each = each if dice.random() < 0.08 and options.share else ""
    options.unbounded = any(m.dims for m in module.methods) and dice.random() < 0.08
    _leave_out(options, available)
    return options


def _leave_out(options: Options, available: Available) -> None:
    """What the installed version lacks."""
    default = Options()
    lacking = {
        "share": "share_mutable_buffers" not in available.planning,
        "each": "share_mutable_buffers" not in available.planning,
        "names": "emit_mutable_buffer_names" not in available.config,
        "reinplace": "run_reinplace_pass" not in available.config,
        "extra": "reinplace_extra_ops" not in available.config,
        "fold": "do_quant_fusion_and_const_prop" not in available.config,
        "initial": not available.initial,
        "delegate": not available.delegate,
        "algorithm": options.algorithm == "banked" and not available.banked,
    }
    for name, lacks in lacking.items():
        if lacks:
            setattr(options, name, getattr(default, name))


def import_lines(options: Options) -> list[str]:
    """What the lines of the options need."""
    lowering = "to_edge_transform_and_lower" if options.delegate else "to_edge"
    names = ["EdgeCompileConfig", "ExecutorchBackendConfig", lowering]
    lines = [f"from executorch.exir import {', '.join(names)}"]
    if options.algorithm == "banked":
        lines.append(f"from {_BANKED} import Bank, TargetMemoryMap, banked_memory_planning_pass")
    else:
        lines.append(f"from {_PASSES} import MemoryPlanningPass")
    if options.algorithm in ("naive", "only"):
        name = "greedy" if options.algorithm == "only" else "naive"
        planning = "executorch.exir.memory_planning"
        lines.append(f"from {planning} import MemoryPlanningAlgorithmSuite, {name}")
    elif ":" in options.algorithm:
        module, _, name = options.algorithm.partition(":")
        lines.append("from executorch.exir.memory_planning import MemoryPlanningAlgorithmSuite")
        lines.append(f"from {module} import {name}")
    if options.initial:
        lines.append(f"from {_INITIAL} import InitializedMutableBufferPass")
    if options.extra:
        lines.append("from executorch.exir.dialects._ops import ops")
    if options.delegate:
        lines.append(f"from {_PARTITIONER} import XnnpackPartitioner")
    if options.delegate == "sums":
        lines.append(f"from {_CONFIGS} import AddConfig, MulConfig")
    return lines


def _planning(options: Options, share: bool) -> str:
    words = []
    if options.algorithm == "naive":
        words.append("memory_planning_algo=MemoryPlanningAlgorithmSuite([naive])")
    elif options.algorithm == "only":
        words.append("memory_planning_algo=MemoryPlanningAlgorithmSuite([greedy])")
    elif ":" in options.algorithm:
        name = options.algorithm.partition(":")[2]
        words.append(f"memory_planning_algo=MemoryPlanningAlgorithmSuite([{name}])")
    words += ["alloc_graph_input=False"] if options.free_inputs else []
    words += ["alloc_graph_output=False"] if options.free_outputs else []
    words += ["share_mutable_buffers=True"] if share else []
    words += [f"alignment={options.alignment}"] if options.alignment != 16 else []
    if options.algorithm == "banked":
        banks = 'TargetMemoryMap([Bank("fast", 96, 1), Bank("slow", 1 << 20, 3)])'
        return f"banked_memory_planning_pass({', '.join([banks, *words])})"
    return f"MemoryPlanningPass({', '.join(words)})"


def config_line(options: Options, methods: Sequence[str]) -> str:
    """The expression of the config."""
    words = []
    if options.initial:
        words.append(f"passes=[InitializedMutableBufferPass({options.initial})]")
    if options.each:
        parts = [
            f'"{name}": {_planning(options, options.each == "each" or name != methods[-1])}'
            for name in methods
        ]
        words.append(f"memory_planning_pass={{{', '.join(parts)}}}")
    else:
        words.append(f"memory_planning_pass={_planning(options, options.share)}")
    words += ["emit_mutable_buffer_names=True"] if options.names else []
    words += ["run_reinplace_pass=True"] if options.reinplace else []
    if options.extra:
        some = ", ".join(f"ops.edge.aten.{name}" for name in options.extra)
        words.append(f"reinplace_extra_ops=frozenset([{some}])")
    words += ["remove_view_copy=False"] if options.keep_views else []
    words += ["do_quant_fusion_and_const_prop=True"] if options.fold else []
    return f"ExecutorchBackendConfig({', '.join(words)})"


def lowering_line(options: Options) -> str:
    """The expression of the edge program."""
    check = "compile_config=EdgeCompileConfig(_check_ir_validity=False)"
    if not options.delegate:
        return f"to_edge(exported, {check})"
    configs = "configs=[AddConfig, MulConfig]" if options.delegate == "sums" else ""
    some = f"partitioner=[XnnpackPartitioner({configs})]"
    return f"to_edge_transform_and_lower(exported, {some}, {check})"


def space_of(options: Options) -> dict[str, Any]:
    """The names that the expressions use."""
    space: dict[str, Any] = {}
    exec("\n".join(import_lines(options)), space)
    return space

"""Writes the manifest of an ExecuTorch program: what its source model says and the `.pte` cannot.

Takes the programs as torch.export made them, before to_edge and to_executorch: what those two get
wrong must not leak into the facts they are checked against. The format is described in
docs/reference/manifest.md.
"""

from __future__ import annotations

import hashlib
import operator
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from torch.export.graph_signature import ConstantArgument, InputKind, OutputKind
from torch.utils import _pytree as pytree
from torch.utils._sympy.value_ranges import bound_sympy

from pteproof.executorch._operators import KNOWN
from pteproof.executorch._ranges import bounds_of
from pteproof.executorch._state import HELD, Tensors

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from torch.export import ExportedProgram
    from torch.fx import GraphModule, Node

    # Of each method, as torch.export made it.
    Programs: TypeAlias = Mapping[str, ExportedProgram]
# A JSON object.
Facts: TypeAlias = dict[str, Any]

POLICIES = ("private", "share-1-2", "share-all")
LOADS = ("lazy", "all-first")

# Operators whose result is the value of one operand, with its position.
_COPIES = {
    torch.ops.aten.copy.default: 1,
    torch.ops.aten.clone.default: 0,
    torch.ops.aten.alias.default: 0,
}
# The same, and those that keep the elements in their order.
_VIEWS = {
    **_COPIES,
    torch.ops.aten.view.default: 0,
    torch.ops.aten.view_copy.default: 0,
    torch.ops.aten.reshape.default: 0,
    torch.ops.aten.detach.default: 0,
    torch.ops.aten.squeeze.dim: 0,
    torch.ops.aten.squeeze.dims: 0,
    torch.ops.aten.unsqueeze.default: 0,
}
STORES = tuple(
    getattr(OutputKind, name)
    for name in ("BUFFER_MUTATION", "PARAMETER_MUTATION")
    if hasattr(OutputKind, name)
)
# Backends that never write to an argument which the lowered program does not mutate.
_WRITES_RESULTS_ONLY = ("XnnpackBackend",)
# What training programs return besides (`_export_forward_backward`), in the signature's order.
GRADIENTS = tuple(
    getattr(OutputKind, name) for name in ("GRADIENT_TO_PARAMETER",) if hasattr(OutputKind, name)
)
RETURNED = (
    OutputKind.USER_OUTPUT,
    *(getattr(OutputKind, name) for name in ("LOSS_OUTPUT",) if hasattr(OutputKind, name)),
    *GRADIENTS,
)
# Operators that take the shape and the type of their first argument, but not its value.
_IGNORE_FIRST_VALUE = frozenset(
    "aten::" + name
    for name in (
        "copy copy_ fill fill_ zero zero_ full_like zeros_like ones_like empty_like rand_like "
        "randn_like new_empty new_full new_ones new_zeros sym_size sym_numel sym_stride"
    ).split()
)


def manifest(
    programs: Programs,
    *,
    policy: str | None = None,
    load: str | None = None,
    lowered: Any = None,
) -> Facts:
    """Returns the manifest, as a dict, of the program made from these methods.

    programs: {method name: torch.export.ExportedProgram}, before to_edge.
    policy: the loader in use, one of POLICIES; load: one of LOADS. None: left out of the manifest.
    lowered: what to_executorch returned. Only then is known which value of the file is which
      buffer (`values`), what each delegate call makes (`delegates`), and which operators the file
      calls (`operators`: the signatures of those that pteproof has no table entry for). What
      to_edge returned, after its delegates were made, tells `delegates` alone.

    A buffer is a tensor of the model, under whatever names its methods hold it (`names`). Raises
    ModelError if one that is stored to shares a part of its memory with another.
    """
    _check_choice("policy", policy, POLICIES)
    _check_choice("load", load, LOADS)
    tensors = Tensors(programs)
    methods = {name: _Method(name, program, tensors) for name, program in programs.items()}
    state = []  # in the order of the methods' signatures
    for method in methods.values():
        state += [name for name in method.planned if name not in state]
    tensors.refuse_parts(state)
    out: Facts = {"pteproof": 1}
    if policy is not None:
        out["policy"] = policy
    if load is not None:
        out["load"] = load
    out["buffers"] = {name: _buffer(name, methods.values(), tensors) for name in state}
    out["methods"] = {name: method.facts(state) for name, method in methods.items()}
    if lowered is not None:
        _add_lowered(out, {n: lowered.exported_program(n) for n in programs}, state, tensors)
        if not hasattr(lowered, "executorch_program"):  # numbers and operators will change
            del out["operators"]
            for facts in out["methods"].values():
                del facts["values"]
    return out


def functional(program: ExportedProgram) -> ExportedProgram:
    """Returns the program with each write to state as an output of its graph.

    Decompositions make it so: export alone leaves in-place operators, and hides writes inside
    composite ones such as batch norm.
    """
    for mode in _fake_modes(program):
        # Lowering traces by the same environment, and may have left sizes there that no trace has
        # taken up: the next trace would look for them.
        pending = getattr(mode.shape_env, "pending_fresh_unbacked_symbols", None)
        if pending:
            pending.clear()
    return program.run_decompositions()


def _fake_modes(program: ExportedProgram) -> list[Any]:
    """What the program was traced with."""
    values = (node.meta.get("val") for node in program.graph.nodes)
    modes = {id(v.fake_mode): v.fake_mode for v in values if hasattr(v, "fake_mode")}
    return list(modes.values())


def stored_names(programs: Programs) -> set[tuple[str, str]]:
    """The buffers and parameters that methods store: (method, name there)."""
    found = set()
    for name, program in programs.items():
        specs = functional(program).graph_signature.output_specs
        found |= {(name, spec.target) for spec in specs if spec.kind in STORES}
    return found


class _Method:
    """One exported method, made functional: each write to state is an output of its graph."""

    def __init__(self, name: str, program: ExportedProgram, tensors: Tensors) -> None:
        self.program = functional(program)
        signature = self.program.graph_signature
        nodes = {n.name: n for n in self.program.graph.nodes if n.op == "placeholder"}
        self.buffers: dict[str, list[Node]] = {}  # by key: the placeholders
        self.user_inputs = []  # (name, placeholder or None for a value fixed at export)
        for spec in signature.input_specs:
            if spec.kind in HELD:
                key = tensors.key(name, spec.target)
                if key:
                    self.buffers.setdefault(key, []).append(nodes[spec.arg.name])
            elif spec.kind == InputKind.USER_INPUT:
                fixed = isinstance(spec.arg, ConstantArgument)
                self.user_inputs.append((spec.arg.name, None if fixed else nodes[spec.arg.name]))
        self.shared_dims = _shared_dims(node for _, node in self.user_inputs)
        self.positions = {name: i for i, (name, _) in enumerate(self.user_inputs)}
        specs = signature.output_specs
        self.values = values = {n.name: n for n in self.program.graph.nodes}
        stored = [(tensors.key(name, s.target), s.arg.name) for s in specs if s.kind in STORES]
        written = {
            key
            for key, value in stored
            if _copied_from(values[value]) not in self.buffers.get(key or "", [])
        }
        self.mutates = [key for key in self.buffers if key in written]
        # A store of the value that it has changes nothing, but makes the exporter plan the buffer.
        self.planned = [key for key in self.buffers if any(key == k for k, _ in stored)]
        used = _used_nodes(self.program.graph)
        self.reads = [key for key, held in self.buffers.items() if not used.isdisjoint(held)]
        self.mutates_inputs = sorted(
            self.positions[s.target] for s in specs if s.kind == OutputKind.USER_INPUT_MUTATION
        )
        self.outputs = [s.arg for s in specs if s.kind in RETURNED]
        trained = {tensors.key(name, s.target) for s in specs if s.kind in GRADIENTS}
        # The export returns each parameter that has a gradient behind all other outputs.
        self.trained = [key for key in self.buffers if key in trained]

    def facts(self, state: list[str]) -> Facts:
        return {
            "reads": [name for name in self.reads if name in state],
            "mutates": self.mutates,
            "mutates_inputs": self.mutates_inputs,
            "inputs": [self._input(name, node) for name, node in self.user_inputs],
            "outputs": [
                *(
                    {**self._output(argument, state), **self._same_as(k)}
                    for k, argument in enumerate(self.outputs)
                ),
                *({"value": "entry", "of_parameter": name} for name in self.trained),
            ],
        }

    def _input(self, name: str, node: Node | None) -> Facts:
        value = None if node is None else node.meta.get("val")
        out: Facts = {"name": name}
        if isinstance(value, torch.Tensor):
            ranges = self.program.range_constraints
            out["sizes"] = [_dim(size, ranges, self.shared_dims) for size in value.shape]
        return out

    def _output(self, argument: Any, state: list[str]) -> Facts:
        # In a functional graph a placeholder is the value at entry, also where the method then
        # writes the buffer or the input: the new value is another node.
        name = getattr(argument, "name", None)
        if isinstance(argument, ConstantArgument) or not name:
            return {"value": "result"}
        if name in self.positions:
            return {"value": "entry", "of_input": self.positions[name]}
        for buffer, nodes in self.buffers.items():
            if buffer in state and any(node.name == name for node in nodes):
                return {"value": "entry", "of": buffer}
        return {"value": "result"}

    def _same_as(self, position: int) -> Facts:
        """The first output with the same elements: a node of the functional graph is one value."""
        nodes = [self._source(argument) for argument in self.outputs]
        return {} if nodes[position] is None else {"same_as": nodes.index(nodes[position])}

    def _source(self, argument: Any) -> Node | None:
        """The node whose elements an output has; None for one that is no tensor."""
        node = self.values.get(getattr(argument, "name", None))
        if isinstance(argument, ConstantArgument) or node is None:
            return None
        if not isinstance(node.meta.get("val"), torch.Tensor):
            return None
        return _copied_from(node, _VIEWS)


def _add_lowered(
    out: Facts, programs: dict[str, ExportedProgram], state: list[str], tensors: Tensors
) -> None:
    """What the lowered programs say beyond the exported ones."""
    signatures: dict[str, str] = {}
    for name, program in programs.items():
        calls = list(calls_of(program.graph_module))
        facts = out["methods"][name]
        keys = {k: v for k, v in _keys(name, program, tensors).items() if v in state}
        facts["values"] = {str(index): key for (index, _), key in keys.items()}
        held = {argument for _, argument in keys}
        buffers = {n for n in program.graph.nodes if n.op == "placeholder" and n.name in held}
        facts["delegates"] = [
            {"index": index, **_delegate(node, module, buffers)}
            for index, (node, module) in enumerate(c for c in calls if is_delegate(c[0]))
        ]
        signatures.update(
            signature_of(node) for node, _ in calls if hasattr(node.target, "_schema")
        )
    out["operators"] = sorted(text for name, text in signatures.items() if name not in KNOWN)


def _keys(
    method: str, program: ExportedProgram, tensors: Tensors
) -> dict[tuple[int, str], str | None]:
    """The buffer that an input is, by its position and name: the emitter numbers the placeholders
    first, in their order."""
    specs = enumerate(program.graph_signature.input_specs)
    return {(k, s.arg.name): tensors.key(method, s.target) for k, s in specs if s.kind in HELD}


def calls_of(module: GraphModule) -> Iterator[tuple[Node, GraphModule]]:
    """(node, its module) of each call, as the file lists them: those of a branch or a loop lie in
    its place."""
    for node in module.graph.nodes:
        if node.op != "call_function":
            continue
        parts = [_attribute(module, a) for a in node.args if _is_attribute(a)]
        for part in parts:
            if isinstance(part, torch.fx.GraphModule):
                yield from calls_of(part)
        yield node, module


def _is_attribute(argument: Any) -> bool:
    return isinstance(argument, torch.fx.Node) and argument.op == "get_attr"


def _attribute(module: GraphModule, node: Node) -> Any:
    return operator.attrgetter(node.target)(module)


def is_delegate(node: Node) -> bool:
    return getattr(node.target, "__name__", "") == "executorch_call_delegate"


def _delegate(node: Node, module: GraphModule, buffers: set[Node]) -> Facts:
    """How many results a call makes, and which of its arguments it changes in place, if known."""
    arguments = node.args[1:]
    out: Facts = {"outputs": len(pytree.tree_leaves(node.meta["val"]))}
    lowered = _attribute(module, node.args[0])
    signature = lowered.original_module.graph_signature
    changed = [s.target for s in signature.output_specs if s.kind == OutputKind.USER_INPUT_MUTATION]
    # A buffer without a store of its own may be one that the backend changes: nobody has said so.
    if lowered.backend_id in _WRITES_RESULTS_ONLY or all(
        _is_stored_to(a) for a in arguments if a in buffers
    ):
        out["updates"] = sorted(signature.user_inputs.index(name) for name in changed)
    return out


def _is_stored_to(node: Node) -> bool:
    """Whether some operator is given the node to write to it."""
    return any(node in written_operands(user) for user in node.users)


def written_operands(node: Node) -> list[Any]:
    schema = getattr(node.target, "_schema", None)
    if schema is None:
        return []
    named = {argument.name: a for argument, a in zip(schema.arguments, node.args, strict=False)}
    named.update(node.kwargs)
    written = [a.name for a in schema.arguments if a.alias_info and a.alias_info.is_write]
    return [named[name] for name in written if name in named]


def signature_of(node: Node) -> tuple[str, str]:
    """The operator's name in the file, and its signature."""
    schema = node.target._schema
    overload = "." + schema.overload_name if schema.overload_name else ""
    return schema.name + overload, str(schema)


def _copied_from(node: Node, copies: dict[Any, int] | None = None) -> Node:
    """The node whose value this one holds: a copy of a buffer onto itself mutates nothing."""
    copies = _COPIES if copies is None else copies
    while node.op == "call_function" and node.target in copies:
        node = node.args[copies[node.target]]
    return node


def _used_nodes(graph: torch.fx.Graph) -> set[Node]:
    """The nodes whose values reach an output or an effect; taking a shape is no use of a value."""
    used = set()
    for node in reversed(graph.nodes):
        if node not in used and not node.is_impure():
            continue
        used.add(node)
        used.update(_value_operands(node))
    return {node for node in used if node.op != "placeholder" or _has_use(node, used)}


def _has_use(placeholder: Node, used: set[Node]) -> bool:
    # Placeholders count as impure, so they need a user that wants their value.
    return any(user in used and placeholder in _value_operands(user) for user in placeholder.users)


def _value_operands(node: Node) -> list[Node]:
    operands = list(node.all_input_nodes)
    if not node.args or not isinstance(node.args[0], torch.fx.Node):
        return operands
    first = node.args[0]
    if _ignores_first_value(node) and not _mentions(first, node.args[1:], node.kwargs):
        operands.remove(first)
    return operands


def _mentions(wanted: Node, *arguments: Any) -> bool:
    found = []
    torch.fx.node.map_arg(arguments, lambda node: found.append(node is wanted))
    return any(found)


def _ignores_first_value(node: Node) -> bool:
    schema = getattr(node.target, "_schema", None)
    if schema is None:
        return False
    if schema.name in _IGNORE_FIRST_VALUE:
        return True
    return schema.name == "aten::slice_scatter" and _covers_all(node)


def _covers_all(node: Node) -> bool:
    """Whether a slice_scatter overwrites all of its first argument."""
    base, source = (argument.meta.get("val") for argument in node.args[:2])
    if base is None or source is None:
        return False
    return str(tuple(base.shape)) == str(tuple(source.shape))  # symbolic sizes too, without guards


def _dim(size: Any, ranges: Any, shared: Collection[str]) -> Any:
    """A fixed size as a number, a dynamic one as the range and the steps it was exported for.

    shared: the expressions that several dimensions of the method have; their size is one.
    """
    if isinstance(size, int):
        return size
    expression = size.node.expr
    bounds = ranges.get(expression)
    if bounds is None:
        bounds = bound_sympy(expression, ranges)
    lower, upper = bounds_of(bounds)
    if lower == upper:
        return lower
    out: Facts = {"min": lower, "max": upper}
    step = _step(expression)
    if step > 1 and (upper is None or (upper - lower) % step == 0):
        out["step"] = step
    if str(expression) in shared:
        out["name"] = str(expression)
    return out


def _step(expression: Any) -> int:
    """The a of a size a * s + b, where s is the size of another dimension; else 1."""
    if len(expression.free_symbols) != 1:
        return 1
    [symbol] = expression.free_symbols
    factor = expression.coeff(symbol)
    is_linear = factor.is_Integer and (expression - factor * symbol).is_Integer
    return max(1, int(factor)) if is_linear else 1


def _shared_dims(nodes: Iterable[Node | None]) -> set[str]:
    """The expressions of dynamic sizes that several dimensions of the inputs have."""
    counts: Counter[str] = Counter()
    for node in nodes:
        value = None if node is None else node.meta.get("val")
        if isinstance(value, torch.Tensor):
            counts.update(str(s.node.expr) for s in value.shape if not isinstance(s, int))
    return {expression for expression, count in counts.items() if count > 1}


def _buffer(name: str, methods: Iterable[_Method], tensors: Tensors) -> Facts:
    """What all methods that use a buffer agree on; else nobody can say that it is one buffer."""
    users = [m for m in methods if name in m.reads or name in m.mutates]
    facts = [_registered_facts(tensor) for tensor in tensors.of(name)]
    out = {k: v for k, v in facts[0].items() if all(f.get(k) == v for f in facts)}
    if len(users) > 1 and all(f == facts[0] for f in facts):
        out["shared"] = True
    names = tensors.names(name)
    if names:
        out["names"] = names
    return out


def _registered_facts(tensor: torch.Tensor) -> Facts:
    data = _bytes(tensor)
    out = {"dtype": str(tensor.dtype).removeprefix("torch."), "sizes": list(tensor.shape)}
    if any(data):
        out["initial"] = "stored"
        out["initial_sha256"] = hashlib.sha256(data).hexdigest()
    else:
        out["initial"] = "zero"
    return out


def _bytes(tensor: torch.Tensor) -> bytes:
    """The elements, row-major and little endian."""
    flat = tensor.detach().cpu().contiguous().reshape(-1)
    raw = flat.view(torch.uint8).numpy()
    if sys.byteorder == "big":
        raw = raw.reshape(-1, flat.element_size())[:, ::-1]
    return bytes(raw.tobytes())


def _check_choice(what: str, value: str | None, allowed: tuple[str, ...]) -> None:
    if value is not None and value not in allowed:
        raise ValueError(f"{what} is {value!r}; allowed: {', '.join(allowed)}")

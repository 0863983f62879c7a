"""What a model computes, as the text of a Module (docs/reference/modules.md).

Each method is walked in the edge dialect: functional, with the operators that the program file
will call, but before anything is planned. A node is a node of the Module, called by the name of the
operator's out variant. A symbolic integer is a function of the dims, written wherever it is used,
so nodes that compute one are left out. What the grammar has no words for is refused by name.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import torch
from executorch.exir import to_edge
from executorch.exir.operator.convert import to_out_variant
from executorch.exir.tensor import dim_order_from_stride, scalar_type_enum
from torch.export.graph_signature import ConstantArgument, InputKind, OutputKind, TensorArgument

from pteproof._words import Module
from pteproof.executorch._manifest import GRADIENTS, RETURNED, STORES, is_delegate
from pteproof.executorch._module_text import (
    Dims,
    contents_text,
    flat_bytes,
    is_name,
    is_short,
    literal_text,
    type_text,
)
from pteproof.executorch._state import HELD, Tensors, copied, registered

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from executorch.exir import EdgeProgramManager
    from torch.export import ExportedProgram
    from torch.export.graph_signature import OutputSpec
    from torch.fx import GraphModule, Node
    from typing_extensions import Buffer

# Their values are of no use to a program: what they say is in the ranges of the dims.
_ASSERTIONS = ("_assert", "sym_constrain", "_assert_scalar", "_assert_tensor_metadata")
_HIGHER = torch.ops.higher_order


class NoModuleError(ValueError):
    """The text of a Module cannot say what the model does."""


def module(
    exported: ExportedProgram | Mapping[str, ExportedProgram] | None = None,
    edge: EdgeProgramManager | None = None,
) -> Module:
    """Returns what methods compute, as the text of a Module.

    exported: what torch.export returned, of the only method (`forward`) or by method; it is
      brought to the edge dialect first, if `edge` is not given. It tells which tensors are one.
    edge: what to_edge or to_edge_transform_and_lower returned. Not after to_executorch, which
      changes it.

    A delegate is an opaque call. A buffer that several methods use is shared if they agree on its
    first value. The text refers to the values of large constants and buffers, which `data` of the
    Module has; those of constants are the model's own memory.

    Raises NoModuleError, a ValueError, for what a Module has no words for.
    """
    if edge is None:
        if exported is None:
            raise ValueError("give `exported`, or `edge`")
        edge = to_edge(copied(by_name(exported)))
    return text_of(edge, exported)


def text_of(
    edge: EdgeProgramManager,
    exported: ExportedProgram | Mapping[str, ExportedProgram] | None = None,
    delegates: list[Any] | None = None,
    opened: bool = False,
) -> Module:
    """Returns the Module of edge programs.

    exported: as in `module`; these tell which tensors are one, else the edge programs do.
    delegates: lowered modules are appended, and each call then names its backend and the place of
      its module here, as "backend#0".
    opened: a delegate is what it was lowered from, in place of an opaque call.
    """
    held = programs_of(edge) if exported is None else by_name(exported, edge.methods)
    methods = [
        _Method(name, edge.exported_program(name), held.get(name)) for name in sorted(edge.methods)
    ]
    buffers = _Buffers(methods, Tensors(held))
    bodies = [_body_of(method, buffers, delegates, opened) for method in methods]
    data: dict[str, Buffer] = {}
    lines = list(buffers.lines(data))
    return Module("\n".join([*lines, *bodies]), data)


class _Method:
    """An edge program, and which of its placeholders are what.

    ranges: of the dims. Lowering forgets that a dim may be 0 or 1, so that those of the exported
    program count, if it is given.
    """

    def __init__(
        self, name: str, program: ExportedProgram, exported: ExportedProgram | None
    ) -> None:
        self.name, self.program = name, program
        self.ranges = dict(program.range_constraints)
        if exported is not None:
            self.ranges.update(exported.range_constraints)
        signature = program.graph_signature
        self.nodes = {node.name: node for node in program.graph.nodes}
        self.live = _live(program.graph_module)
        self.state: dict[str, str] = {}  # placeholder -> name in the model
        self.inputs: list[tuple[str, Node | None, Any]] = []
        for spec in signature.input_specs:
            if spec.kind in HELD:
                self.state[spec.arg.name] = spec.target
            elif spec.kind == InputKind.USER_INPUT:
                fixed = isinstance(spec.arg, ConstantArgument)
                node = self.nodes.get(spec.arg.name)
                self.inputs.append((spec.arg.name, node, spec.arg.value if fixed else None))
            else:
                raise NoModuleError(f"method '{name}': an input is of kind {spec.kind.name}")
        self.outputs = outputs_of(program)
        self.stores = {spec.target for spec, _ in self.outputs if spec.kind in STORES}


class _Buffers:
    """The buffers and constants of all methods, and what they are called in the Module."""

    def __init__(self, methods: Sequence[_Method], tensors: Tensors) -> None:
        self._values: dict[str, torch.Tensor] = {}
        self._users: dict[str, set[str]] = {}  # of state: methods
        self._names: dict[tuple[str, str], str] = {}
        self._tensors = tensors
        self._stored = {self._key(m, target) for m in methods for target in m.stores}
        self._tensors.refuse_parts(self._stored)
        for method in methods:
            for node, target in method.state.items():
                if method.nodes[node] in method.live or target in method.stores:
                    self._add(method, target)

    def _key(self, method: _Method, target: str) -> str:
        return self._tensors.key(method.name, target) or target

    def _add(self, method: _Method, target: str) -> None:
        held = registered(method.program, target)
        if not isinstance(held, torch.Tensor):
            raise NoModuleError(f"the program has no value of '{target}'")
        tensor = held.detach()
        key = self._key(method, target)
        is_state = key in self._stored
        name = key if is_state else target
        known = self._values.get(name)
        if is_state and known is not None and not _equal(known, tensor):
            raise NoModuleError(f"buffer '{target}' does not have one first value in all methods")
        if not is_state and (
            name in self._stored or (known is not None and not _equal(known, tensor))
        ):
            name = f"{method.name}.{target}"
        if not is_name(name, of_buffer=True):
            raise NoModuleError(f"'{name}' is not a name that a buffer may have")
        if is_state:
            self._users.setdefault(name, set()).add(method.name)
        self._values[name] = tensor
        self._names[method.name, target] = name

    def add_constant(self, tensor: torch.Tensor) -> str:
        """A constant that has no name, and the one that it gets."""
        name = f"_constant.{len(self._values)}"
        self._values[name] = tensor.detach()
        return name

    def name(self, method: _Method, target: str) -> str:
        """What a method's buffer or constant is called in the Module."""
        return self._names[method.name, target]

    def lines(self, data: dict[str, Buffer]) -> Iterable[str]:
        """A line for each; the values of large ones go to `data`, without a copy if they can."""
        for name, tensor in self._values.items():
            shared = " shared" if len(self._users.get(name, ())) > 1 else ""
            contents = contents_text(tensor) if is_short(tensor) else self._by_handle(name, data)
            yield f"buffer @{name}: {type_text(tensor, None)}{shared}{contents}"

    def _by_handle(self, name: str, data: dict[str, Buffer]) -> str:
        values = flat_bytes(self._values[name])
        if name in self._users:  # state, which a call changes
            if not bool(values.any()):
                return ""
            values = values.clone()
        data[name] = values.numpy()
        return f' = data "{name}"[0, {values.numel()}]'


def by_name(
    exported: ExportedProgram | Mapping[str, ExportedProgram], methods: Collection[str] = ()
) -> dict[str, ExportedProgram]:
    """What was exported, by method: one program alone is that of the only method."""
    if hasattr(exported, "items"):
        return dict(exported.items())
    return {next(iter(methods)) if len(methods) == 1 else "forward": exported}


def programs_of(edge: EdgeProgramManager) -> dict[str, ExportedProgram]:
    """The edge programs, by method."""
    return {name: edge.exported_program(name) for name in edge.methods}


def outputs_of(program: ExportedProgram) -> list[tuple[OutputSpec, Node | None]]:
    """What a program returns: how it is meant, and the node (None: a value without one).

    They belong together by their places. Passes that ran on a program may have renamed nodes.
    """
    [output] = [node for node in program.graph.nodes if node.op == "output"]
    nodes = [n if isinstance(n, torch.fx.Node) else None for n in output.args[0]]
    return list(zip(program.graph_signature.output_specs, nodes, strict=True))


def _equal(left: torch.Tensor, right: torch.Tensor) -> bool:
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    a, b = (t.contiguous().reshape(-1).view(torch.uint8) for t in (left, right))
    return bool(torch.equal(a, b))


def _body_of(method: _Method, buffers: _Buffers, delegates: list[Any] | None, opened: bool) -> str:
    try:
        return _Writer(method, buffers, delegates, opened).text()
    except NoModuleError as error:
        raise NoModuleError(f"method '{method.name}': {error}") from None


class _Writer:
    """The text of one method."""

    def __init__(
        self,
        method: _Method,
        buffers: _Buffers,
        delegates: list[Any] | None = None,
        opened: bool = False,
    ) -> None:
        self.method, self.buffers = method, buffers
        self.delegates, self.opened = delegates, opened
        self.dims = Dims(method.ranges, NoModuleError)
        self.values: dict[Node, Any] = {}  # a name, or a list of names
        # By id, of the region at hand: the names of constants that regions hold as attributes.
        self.constants: dict[int, str] = {}
        self.count = 0
        self.lines: list[str] = []
        self.depth = 1

    def text(self) -> str:
        inputs = [self._input(*each) for each in self.method.inputs]
        entries: dict[str, str] = {}  # by buffer: a tensor may have several names
        for name, target in self.method.state.items():
            node = self.method.nodes[name]
            if node in self.method.live:
                self._type(node.meta["val"])
                buffer = self.buffers.name(self.method, target)
                if buffer not in entries:
                    entries[buffer] = self._fresh()
                    self._line(f"{entries[buffer]} = entry @{buffer}")
                self.values[node] = entries[buffer]
        for tensor in _constants_of(self.method.program.graph_module, self.opened):
            self.constants[id(tensor)] = self._fresh()
            buffer = self.buffers.add_constant(tensor)
            self._line(f"{self.constants[id(tensor)]} = entry @{buffer}")
        self._nodes(self.method.program.graph_module)
        self._outputs()
        head = f"method {self.method.name}({', '.join(inputs)})"
        return "\n".join([f"\n{head}{self.dims.text()} {{", *self.lines, "}"])

    def _input(self, name: str, node: Node | None, fixed: Any) -> str:
        if node is None or fixed is not None or not isinstance(node.meta.get("val"), torch.Tensor):
            kind = type(fixed if node is None else node.meta.get("val", fixed)).__name__
            words = {"int": "int", "bool": "bool", "float": "real"}
            if kind not in words:
                raise NoModuleError(f"input '{name}' is of type {kind}")
            return f"%{name}: {words[kind]}"
        self.values[node] = f"%{name}"
        return f"%{name}: {self._type(node.meta['val'])}"

    def _outputs(self) -> None:
        outputs = self.method.outputs
        returned = [self._output(spec, node) for spec, node in outputs if spec.kind in RETURNED]
        trained = {spec.target for spec, _ in outputs if spec.kind in GRADIENTS}
        returned += [
            self.values[self.method.nodes[name]]
            for name, target in self.method.state.items()
            if target in trained
        ]
        self._line("return " + ", ".join(returned) if returned else "return")
        for spec, node in outputs:
            if spec.kind in STORES:
                buffer = self.buffers.name(self.method, spec.target)
                self._line(f"store @{buffer} = {self._output(spec, node)}")
            elif spec.kind == OutputKind.USER_INPUT_MUTATION:
                self._line(f"store %{spec.target} = {self._output(spec, node)}")
            elif spec.kind not in RETURNED:
                raise NoModuleError(f"an output is of kind {spec.kind.name}")

    def _output(self, spec: OutputSpec, node: Node | None) -> str:
        if not isinstance(spec.arg, TensorArgument):
            raise NoModuleError(f"an output is not a tensor, but {type(spec.arg).__name__}")
        return self._value(node)

    def _nodes(self, graph: GraphModule) -> None:
        live = _live(graph)
        for node in graph.graph.nodes:
            if node.op == "call_function" and node in live:
                self._node(node, graph)
            elif node.op == "get_attr":
                held = operator.attrgetter(node.target)(graph)
                if isinstance(held, torch.Tensor):
                    self.values[node] = self.constants[id(held)]

    def _node(self, node: Node, graph: GraphModule) -> None:
        value = node.meta.get("val")
        name = getattr(node.target, "__name__", str(node.target))
        if name.rpartition("::")[2].startswith(_ASSERTIONS) or "._assert" in name:
            return
        if node.target is operator.getitem:
            made = self.values.get(node.args[0])
            self.values[node] = made[node.args[1]] if isinstance(made, list) else made
        elif isinstance(value, (int, float, bool, torch.SymInt, torch.SymBool, torch.SymFloat)):
            return  # it is written where it is used
        elif is_delegate(node):
            self._delegate(node, graph)
        elif node.target in _REGIONS:
            _REGIONS[node.target](self, node, graph)
        else:
            self._call(node)

    def _call(self, node: Node) -> None:
        out = _out_variant(node)
        schema = out._schema
        given = dict(zip((a.name for a in schema.arguments), node.args, strict=False))
        given.update(node.kwargs)
        operands = []
        for argument in schema.arguments:
            if argument.is_out:
                continue
            value = given.get(argument.name, argument.default_value)
            operands.append(self._operand(value, str(argument.type)))
        overload = "." + schema.overload_name if schema.overload_name else ""
        results = self._results(node)
        self._line(f"{results} = {schema.name}{overload}({', '.join(operands)})")

    def _delegate(self, node: Node, graph: GraphModule) -> None:
        lowered = operator.attrgetter(node.args[0].target)(graph)
        program = lowered.original_module
        outputs = program.graph_signature.output_specs
        kept = [spec.target for spec in outputs if spec.kind == OutputKind.BUFFER_MUTATION]
        if kept:
            raise NoModuleError(f"delegate '{lowered.backend_id}' keeps buffer '{kept[0]}'")
        if self.opened:
            self._inlined(node, program)
            return
        name = lowered.backend_id
        if self.delegates is not None:
            name += f"#{len(self.delegates)}"
            self.delegates.append(lowered)
        operands = ", ".join(self._operand(a, "") for a in node.args[1:])
        results = self._results(node)
        self._line(f"{results} = delegate {literal_text(name)}({operands})")

    def _inlined(self, call: Node, program: ExportedProgram) -> None:
        """The nodes of a program in place of a call of it."""
        nodes = {node.name: node for node in program.graph.nodes}
        given = iter(call.args[1:])
        for spec in program.graph_signature.input_specs:
            if spec.kind in HELD:
                tensor = registered(program, spec.target)
                self.values[nodes[spec.arg.name]] = self.constants[id(tensor)]
            elif spec.kind != InputKind.USER_INPUT:
                raise NoModuleError(f"an input of a delegate is of kind {spec.kind.name}")
            elif _is_tensor(operand := next(given)):
                self.values[nodes[spec.arg.name]] = self._value(operand)
        self._nodes(program.graph_module)
        self.values[call] = [self._value(node) for _, node in outputs_of(program)]

    def _cond(self, node: Node, graph: GraphModule) -> None:
        predicate, then, otherwise, operands = node.args
        if not isinstance(predicate.meta.get("val"), torch.Tensor):
            raise NoModuleError(f"the condition of '{node.name}' is not a tensor")
        self._control(node, graph, "cond", [then, otherwise], operands, first=[predicate])

    def _map(self, node: Node, graph: GraphModule) -> None:
        body, mapped, rest = node.args
        self._control(node, graph, f"map mapped {len(mapped)}", [body], [*mapped, *rest])

    def _scan(self, node: Node, graph: GraphModule) -> None:
        body, first, mapped, rest = node.args
        words = f"scan carried {len(first)} mapped {len(mapped)}"
        self._control(node, graph, words, [body], [*first, *mapped, *rest])

    def _while(self, node: Node, graph: GraphModule) -> None:
        test, body, carried, rest = node.args
        words = f"while carried {len(carried)}"
        self._control(node, graph, words, [test, body], [*carried, *rest])

    def _control(
        self,
        node: Node,
        graph: GraphModule,
        words: str,
        parts: Sequence[Node],
        operands: Sequence[Any],
        first: Sequence[Node] = (),
    ) -> None:
        """A node with regions. They take no numbers, which are functions of the dims."""
        modules = [operator.attrgetter(part.target)(graph) for part in parts]
        constants = {id(t): t for each in modules for t in _constants_of(each, self.opened)}
        passed = [self._value(o) for o in operands if _is_tensor(o)]
        passed += [self.constants[each] for each in constants]
        values = ", ".join([*(self._value(o) for o in first), *passed])
        results = self._results(node)
        self._line(f"{results} = {words}({values}) {{")
        self.depth += 1
        for each in modules:
            self._region(each, constants)
        self.depth -= 1
        self._line("}")

    def _region(self, graph: GraphModule, constants: Mapping[int, torch.Tensor]) -> None:
        params = []
        outside, self.constants = self.constants, {}
        for node in graph.graph.nodes:
            if node.op == "placeholder" and _is_tensor(node):
                self.values[node] = self._fresh()
                params.append(f"{self.values[node]}: {self._type(node.meta['val'])}")
        for key, tensor in constants.items():
            self.constants[key] = self._fresh()
            params.append(f"{self.constants[key]}: {self._type(tensor)}")
        self._line(f"({', '.join(params)}) {{")
        self.depth += 1
        self._nodes(graph)
        [output] = [node for node in graph.graph.nodes if node.op == "output"]
        returned = output.args[0]
        listed = returned if isinstance(returned, (tuple, list)) else [returned]
        self._line("return " + ", ".join(self._value(each) for each in listed))
        self.depth -= 1
        self._line("}")
        self.constants = outside

    def _results(self, node: Node) -> str:
        """Names the results of a node: their declarations."""
        value = node.meta["val"]
        many = isinstance(value, (tuple, list))
        values = list(value) if many else [value]
        if not all(isinstance(each, torch.Tensor) for each in values):
            raise NoModuleError(f"'{node.name}' makes a value that is not a tensor")
        names = [self._fresh() for _ in values]
        self.values[node] = names if many else names[0]
        return ", ".join(
            f"{name}: {self._type(each)}" for name, each in zip(names, values, strict=True)
        )

    def _operand(self, value: Any, kind: str) -> str:
        if isinstance(value, torch.fx.Node):
            number = value.meta.get("val")
            if isinstance(number, (int, float, bool, torch.SymInt, torch.SymBool, torch.SymFloat)):
                return self._operand(number, kind)
            return self._value(value)
        if isinstance(value, torch.SymInt):
            return self.dims.size(value)
        if isinstance(value, (list, tuple)):
            return f"[{', '.join(self._operand(each, kind) for each in value)}]"
        if isinstance(value, torch.dtype):
            return str(int(scalar_type_enum(value)))
        if isinstance(value, int) and not isinstance(value, bool) and "float" in kind:
            return literal_text(float(value))
        if value is None or isinstance(value, (bool, int, float, str)):
            return literal_text(value)
        if isinstance(value, (torch.layout, torch.device, torch.memory_format)):
            return _CODES.get(value, "None")
        raise NoModuleError(f"an operand is {value!r}, of type {type(value).__name__}")

    def _value(self, node: Any) -> str:
        name = self.values.get(node)
        if not isinstance(name, str):
            raise NoModuleError(f"the value of '{node}' is not a tensor")
        return name

    def _type(self, value: torch.Tensor) -> str:
        text = type_text(value, self.dims)
        order = list(dim_order_from_stride(value.stride()))  # as the exporter does
        if order != sorted(order):
            raise NoModuleError(f"a tensor lies in memory in the dim order {order}")
        return text

    def _fresh(self) -> str:
        self.count += 1
        return f"%{self.count - 1}"

    def _line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)


_REGIONS = {
    _HIGHER.cond: _Writer._cond,
    _HIGHER.map_impl: _Writer._map,
    _HIGHER.scan: _Writer._scan,
    _HIGHER.while_loop: _Writer._while,
}
# As ExecuTorch's emitter numbers them.
_CODES = {torch.contiguous_format: "0", torch.preserve_format: "1", torch.strided: "0"}


def _is_tensor(node: Any) -> bool:
    return isinstance(node, torch.fx.Node) and isinstance(node.meta.get("val"), torch.Tensor)


def _out_variant(node: Node) -> Any:
    """The operator that the program will call in its place."""
    target = node.target
    try:
        if hasattr(target, "to_out_variant"):
            return target.to_out_variant()
        if isinstance(target, torch._ops.OpOverload):
            return to_out_variant(target)[0]
    except RuntimeError as error:
        raise NoModuleError(f"'{node.name}' has no out variant: {error}") from None
    raise NoModuleError(f"'{node.name}' calls {target}, which is not an operator")


def _constants_of(module: GraphModule, opened: bool) -> list[torch.Tensor]:
    """Tensors that the graph or a region in it holds as attributes, each once.

    opened: those of delegates' programs, too.
    """
    found: dict[int, torch.Tensor] = {}
    for node in module.graph.nodes:
        if node.op != "get_attr":
            continue
        held = operator.attrgetter(node.target)(module)
        for tensor in [held] if isinstance(held, torch.Tensor) else _inside(node, held, opened):
            found.setdefault(id(tensor), tensor)
    return list(found.values())


def _inside(node: Node, held: Any, opened: bool) -> list[torch.Tensor]:
    """Those of a region, or of a delegate."""
    if any(user.target in _REGIONS for user in node.users):
        return _constants_of(held, opened)
    if not opened or not any(map(is_delegate, node.users)):
        return []
    program = held.original_module
    names = [s.target for s in program.graph_signature.input_specs if s.kind in HELD]
    return [
        *(registered(program, name) for name in names),
        *_constants_of(program.graph_module, opened),
    ]


def _live(module: GraphModule) -> set[Node]:
    """Nodes whose values reach an output or an effect."""
    live: set[Node] = set()
    for node in reversed(module.graph.nodes):
        if node.op == "output" or node in live or (node.op == "call_function" and node.is_impure()):
            live.add(node)
            live.update(node.all_input_nodes)
    return live

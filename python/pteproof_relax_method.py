"""One Relax function as a method of a Module."""

import re

import tvm
from pteproof_relax_dims import Dims, Unsupported, dtype_of, word
from pteproof_relax_ops import ELEMENTWISE, OPERATORS, TAKE_NUMBERS
from pteproof_relax_text import Node, Region, Tensor, Value, method_text
from pteproof_relax_tvm import reshaped, source_call, viewed
from tvm import relax

# The operand itself, or a copy on another device: taken as one more name of the operand.
_NAMES_OF_OPERAND = frozenset(
    ("relax.hint_on_device", "relax.to_vdevice", "relax.memory.ensure_zero_offset")
)
# What memory planning and the virtual machine put in, and calls of functions that are values.
_LOWERED = (
    "relax.memory.",
    "relax.builtin.",
    "relax.vm.",
    "relax.call_builtin",
    "relax.call_py_func",
    "relax.invoke_",
    "relax.make_closure",
)
_PACKED = ("relax.call_pure_packed", "relax.call_dps_packed", "relax.call_inplace_packed")


class Method:
    def __init__(self, mod, name, function, buffers, bounds, fresh):
        self.mod, self.name, self.function = mod, name, function
        self.buffers, self.fresh = buffers, frozenset(fresh)
        self.inputs, self.entries, self.nodes = [], [], []
        self.dims = Dims(function.attrs, bounds, self._fail)
        self.seen = {}  # of match_cast: variable -> the type that it is found to have
        self.known = {}  # variable -> Value, tuple of these, Sizes, or a number
        self.names = set()  # of inputs
        self.calls = []  # functions under expansion
        self.label = None  # of the binding at work
        self.is_output = False

    def text(self):
        function = self.function
        self._note_casts(function.body)
        in_place = self._in_place_inputs()
        for index, param in enumerate(function.params):
            name = self._new_name(word(param.name))
            self.known[param] = self._input(name, self._type_of(param), index in in_place)
        outputs = self._outputs(self._body(function.body))
        entries = [value for _, value in self.entries]
        dims = self.dims.declared
        return method_text(word(self.name), self.inputs, dims, entries, self.nodes, outputs)

    def _outputs(self, results):
        outputs = list(_leaves(results))
        if not all(isinstance(output, Value) for output in outputs):
            self._fail("returns a value that is not a tensor")
        return outputs

    def _fail(self, what):
        where = f"{self.name}: {self.label}: " if self.label else f"{self.name}: "
        raise Unsupported(where + what)

    # --- Inputs, types, sizes.

    def _in_place_inputs(self):
        """Indices from the attribute `relax.inplace_arg` of R.func_attr: one, or a list."""
        given = (self.function.attrs or {}).get("relax.inplace_arg")
        if given is None:
            return frozenset()
        listed = given if hasattr(given, "__len__") else [given]
        indices = frozenset(int(index) for index in listed)
        if not indices <= set(range(len(self.function.params))):
            self._fail(f"relax.inplace_arg names parameter {max(indices)}, which does not exist")
        return indices

    def _new_name(self, name):
        while name in self.names:
            name += ".1"
        self.names.add(name)
        return name

    def _input(self, name, of_type, in_place):
        kind = type(of_type).__name__
        if kind == "TupleType":
            fields = enumerate(of_type.fields)
            return tuple(self._input(self._new_name(f"{name}.{i}"), t, in_place) for i, t in fields)
        if kind == "ShapeType":
            values = [
                self.dims.size(v) for v in of_type.values or self._fail(f"{name} has no sizes")
            ]
            names = [self._new_name(f"{name}.{i}") for i in range(len(values))]
            self.inputs += [(name, "int", False) for name in names]
            return tuple(values)
        if kind == "PrimType":
            kinds = {"int": "int", "uint": "int", "bool": "bool", "float": "real"}
            kind = kinds.get(re.sub(r"\d+$", "", str(of_type.dtype)))
            if kind is None:
                self._fail(f"{name} is a number of type {of_type.dtype}")
            self.inputs.append((name, kind, False))
            return Value(None, name)
        tensor = self._tensor(of_type, name)
        self.inputs.append((name, tensor.text(), in_place))
        return Value(tensor, name)

    def _type_of(self, var):
        """What match_cast says of a variable counts if its own type has no sizes."""
        own = var.ty
        if type(own).__name__ == "TensorType" and own.shape is None or own.is_missing():
            return self.seen.get(var, own)
        return own

    def _tensor(self, of_type, name):
        if type(of_type).__name__ != "TensorType":
            self._fail(f"{name} is not a tensor, a tuple, a shape or a number")
        values = getattr(of_type.shape, "values", None)
        if values is None:
            self._fail(f"the sizes of {name} are not known; match_cast gives them")
        return Tensor(dtype_of(of_type), [self.dims.size(v) for v in values])

    def _note_casts(self, body):
        for block in body.blocks:
            for binding in block.bindings:
                if isinstance(binding, relax.MatchCast) and hasattr(binding.value, "name"):
                    self.seen[binding.value] = binding.ty

    # --- Bindings.

    def _body(self, body):
        if not isinstance(body, relax.SeqExpr):
            return self._value(body)
        self._note_casts(body)
        for block in body.blocks:
            for binding in block.bindings:
                self.label = binding.var.name
                self.is_output = _is_output(block, binding.var)
                self.known[binding.var] = self._binding(binding)
        self.label = None
        return self._value(body.body)

    def _binding(self, binding):
        if not isinstance(binding, relax.MatchCast):
            return self._value(binding.value, self._type_of(binding.var))
        value = self._value(binding.value, binding.ty)
        pairs = [(binding.ty, value)]
        while pairs:
            pattern, given = pairs.pop()
            if isinstance(given, tuple) and hasattr(pattern, "fields"):
                pairs += zip(pattern.fields, given, strict=True)
            elif isinstance(given, Value) and given.type is not None:
                self.dims.bind(pattern, given.type)
        return value

    def _value(self, expr, of_type=None):
        kind = type(expr).__name__
        if kind in ("Var", "DataflowVar"):
            if expr in self.known:
                return self.known[expr]
            return self.dims.size(expr)  # a symbolic dim as a number
        if kind == "Tuple":
            return tuple(self._value(field) for field in expr.fields)
        if kind == "TupleGetItem":
            return self._value(expr.tuple_value)[int(expr.index)]
        if kind == "GenericConst":
            return self._constant(expr)
        if kind == "ShapeExpr":
            return tuple(self.dims.size(v) for v in expr.values)
        if kind == "Call":
            return self._call(expr, expr.ty if of_type is None else of_type)
        if kind == "If":
            return self._if(expr, expr.ty if of_type is None else of_type)
        if kind == "FloatImm":
            return float(expr.value)
        if kind == "IntImm":
            return bool(expr.value) if str(expr.ty.dtype) == "bool" else int(expr.value)
        if kind == "StringImm":
            return str(expr.value)
        if isinstance(expr, tvm.ir.Expr) and tvm.ir.is_prim_expr(expr):
            return self.dims.size(expr)
        return self._fail(f"{kind} is not expressed in a Module")

    def _constant(self, constant):
        for known, value in self.entries:
            if known.same_as(constant):
                return value
        value = Value(self._tensor(constant.ty, "a constant"), label=self.label)
        value.buffer = self.buffers.of(constant)
        self.entries.append((constant, value))
        return value

    def _if(self, branches, of_type):
        """A cond. What its branches read from outside becomes operands, and parameters of both."""
        types, outer, regions = self._result_type(of_type), self.nodes, []
        predicate, label = self._value(branches.cond), self.label
        for branch in (branches.true_branch, branches.false_branch):
            self.nodes = []
            outputs = self._outputs(self._body(branch))
            regions.append(Region([], self.nodes, outputs))
        self.nodes, self.label = outer, label
        captured = list(dict.fromkeys(v for region in regions for v in region.captured()))
        for region in regions:
            region.take(captured)
        results = [Value(t, label=label) for t in _leaves(types)]
        self.nodes.append(Node("cond", [predicate, *captured], results, regions=regions))
        return _nest(types, iter(results))

    # --- Calls.

    def _call(self, call, of_type):
        if isinstance(call.op, tvm.ir.GlobalVar):
            return self._expand(call)
        if not isinstance(call.op, tvm.ir.Op):
            name = getattr(call.op, "global_symbol", None)
            if name is None:
                self._fail("the called function is a value; it must be a global function")
            self._ask_fresh(name, "write an argument, or return one")
            return self._unknown(f"packed::{word(name)}", call.args, of_type)
        name = call.op.name
        if name in ("relax.call_tir", "relax.call_tir_inplace"):
            return self._call_tir(call, of_type)
        if name in _PACKED:
            return self._call_packed(call, of_type)
        if name == "relax.shape_of":
            return tuple(self._value(call.args[0]).type.sizes)
        if name == "relax.null_value":
            return None
        if name in _NAMES_OF_OPERAND:
            return self._value(call.args[0])
        if name == "relax.memory.view":
            return self._memory_view(call, of_type)
        if name.startswith(_LOWERED):
            self._fail(f"{name} is a part of a lowered program; give it as it was before")
        return self._operator(call, of_type)

    def _operator(self, call, of_type, in_place=None):
        """An operator of Relax: the counterpart in our table, or unknown under its own name."""
        if call.op.name not in ELEMENTWISE:
            view = self._view(viewed(call), of_type)
            if view is not None:
                return view
        made = OPERATORS.get(call.op.name)
        if made is not None:
            args = [self._argument(a, call) for a in call.args]
            result = made(_Emitter(self, in_place), args, call.attrs, self._result_type(of_type))
            if result is not None:
                return result
        name = "::".join(word(part) for part in call.op.name.split(".", 1))
        return self._unknown(name, call.args, of_type, in_place=[in_place], attrs=call.attrs)

    def _argument(self, expr, call):
        """A constant that the operator takes as a number does not become a buffer."""
        if type(expr).__name__ == "GenericConst" and call.op.name in TAKE_NUMBERS:
            return expr.value.numpy().item()
        return self._value(expr)

    def _result_type(self, of_type):
        if hasattr(of_type, "fields"):
            return tuple(self._result_type(field) for field in of_type.fields)
        return self._tensor(of_type, "the result")

    def _expand(self, call):
        function = self.mod[call.op]
        if not isinstance(function, relax.Function):
            self._fail(f"{call.op.name_hint} is called, and is not a Relax function")
        if call.op.name_hint in self.calls:
            self._fail(f"{call.op.name_hint} calls itself")
        self.calls.append(call.op.name_hint)
        for param, arg in zip(function.params, call.args, strict=True):
            value = self._value(arg)
            if isinstance(value, Value) and value.type is not None:
                self.dims.bind(param.ty, value.type)
            self.known[param] = value
        label, result = self.label, self._body(function.body)
        self.label = label
        self.calls.pop()
        return result

    def _call_tir(self, call, of_type):
        function, args = self.mod[call.args[0]], call.args[1]
        indices = [int(i) for i in getattr(call.attrs, "inplace_indices", None) or ()]
        view = None if indices else self._view(reshaped(function, args), of_type)
        if view is not None:
            return view
        found = source_call(call.args[0], function, list(getattr(args, "fields", ())), indices)
        if found is not None:
            same, written = found
            return self._operator(same, of_type, in_place=written)
        name = f"tir::{word(call.args[0].name_hint)}"
        return self._unknown(name, [args, *call.args[2:]], of_type, in_place=indices)

    def _view(self, base, of_type):
        """Of an operand (or None) whose elements a call keeps, unless TVM copies it after all."""
        if base is None or self.is_output:
            return None
        operand, tensor = self._value(base), self._result_type(of_type)
        if not isinstance(tensor, Tensor) or not _keeps_elements(operand.type, tensor):
            return None
        return _Emitter(self).view(operand, tensor)

    def _call_packed(self, call, of_type):
        name = call.args[0].global_symbol
        indices = [int(i) for i in getattr(call.attrs, "inplace_indices", None) or ()]
        if call.op.name == "relax.call_pure_packed":
            self._ask_fresh(name, "return an argument")
        return self._unknown(f"packed::{word(name)}", call.args[1:], of_type, in_place=indices)

    def _ask_fresh(self, name, what):
        if name not in self.fresh:
            self._fail(
                f"the packed function {name} may {what}; "
                f"if it never does, say so by --fresh {name}, fresh="
            )

    def _memory_view(self, call, of_type):
        operand, tensor = self._value(call.args[0]), self._result_type(of_type)
        offset = self._value(call.args[3])
        if offset not in (None, (), 0) or not _keeps_elements(operand.type, tensor):
            self._fail("memory.view of a part, or as another type, is not expressed in a Module")
        return _Emitter(self).view(operand, tensor)

    def _unknown(self, name, args, of_type, in_place=(), attrs=None):
        """A call under its own name. in_place: for each result the operand that it is made in."""
        operands = []
        for arg in args:
            value = self._value(arg)
            # The arguments of call_tir are a tuple, and in-place indices count its fields.
            spread = arg is args[0] and isinstance(value, tuple) and name.startswith("tir::")
            operands += value if spread else [value]
        if attrs is not None:
            operands += [_attribute(getattr(attrs, key)) for key in _keys(attrs)]
        types = self._result_type(of_type)
        results = list(_leaves(types))
        at = [index if index is not None and index >= 0 else None for index in in_place]
        at += [None] * (len(results) - len(at))
        # A node makes its first result in place; what others do follows as copies in place.
        order = sorted(range(len(results)), key=lambda r: at[r] is None)
        values = _Emitter(self, at[order[0]] if order else None).emit(
            name, operands, [results[r] for r in order]
        )
        made = [values[order.index(r)] for r in range(len(results))]
        for r in order[1:]:
            if at[r] is not None:
                emitter = _Emitter(self, 0)
                copied = [operands[at[r]], made[r], False]
                made[r] = emitter.emit("aten::copy.out", copied, [results[r]])[0]
        return _nest(types, iter(made))


class _Emitter:
    """Appends the nodes of one binding."""

    def __init__(self, method, in_place=None):
        self._method, self._in_place = method, in_place

    def emit(self, op, operands, types, view=False):
        values = [Value(t, label=self._method.label) for t in types]
        self._method.nodes.append(Node(op, operands, values, view, self._in_place))
        return values

    def is_in_place(self):
        return self._in_place is not None

    def one(self, op, operands, tensor):
        return self.emit(op, operands, [tensor])[0]

    def view(self, operand, tensor):
        """The same elements in the same order: one memory under TVM, whoever asks for it."""
        if operand.type == tensor:
            return operand
        self._in_place = None
        return self.emit("aten::view_copy.out", [operand, tuple(tensor.sizes)], [tensor], True)[0]


def _is_output(block, var):
    """Of a dataflow block: what it gives to the outside."""
    inside = isinstance(block, relax.DataflowBlock)
    return inside and not isinstance(var, relax.DataflowVar)


def _keeps_elements(a, b):
    return a.dtype == b.dtype and a.count() == b.count()


def _leaves(value):
    if isinstance(value, (tuple, list)):
        for field in value:
            yield from _leaves(field)
    else:
        yield value


def _nest(types, values):
    if isinstance(types, tuple):
        return tuple(_nest(field, values) for field in types)
    return next(values)


def _keys(attrs):
    """The attributes in the order of their declaration."""
    return [field.name for field in type(attrs).__tvm_ffi_type_info__.fields]


def _attribute(value):
    """An operator's attribute as an operand: numbers and lists as they are, all else as text."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    kind = type(value).__name__
    if kind in ("IntImm", "FloatImm"):
        return value.value
    if isinstance(value, str):
        return str(value)
    if hasattr(value, "__len__"):
        return tuple(_attribute(v) for v in value)
    return str(value)

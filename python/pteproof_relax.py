"""Writes a TVM Relax program as a Module (docs/modules.md), for `pteproof lint`, `plan`, `prove`, `diff`.

Names that Relax gives to one tensor (tuples and their elements, variables, match_cast) become one
value, and a reshape becomes a view, so that lint sees every reader of the bytes. What the program
does not say (how large a dim may be, whether a packed function returns its argument) is asked for,
never guessed.
"""

import argparse
import pathlib
import pickle
import re
import runpy
import sys

import tvm
import tvm_ffi
from pteproof_relax_ops import IN_PLACE, OPERATORS, TAKE_NUMBERS
from pteproof_relax_text import Node, Sizes, Tensor, Value, literal, method_text, tensor_type
from tvm import relax

# The operand itself, or a copy on another device: taken as one more name of the operand.
_NAMES_OF_OPERAND = frozenset(
    ("relax.hint_on_device", "relax.to_vdevice", "relax.memory.ensure_zero_offset")
)
_PACKED = ("relax.call_pure_packed", "relax.call_dps_packed", "relax.call_inplace_packed")


class Unsupported(ValueError):
    """A construct that a Module does not express, or something that the program does not say."""


def module(mod, *, dims=None, fresh=()):
    """Returns the Module, as text, of a tvm.ir.IRModule, before or after DataflowUseInplaceCalls.

    Its methods are the public Relax functions; calls of the others are expanded.
    dims: {name: (least, most)} for symbolic dims that have no bounds in the function's attributes
      `tir_var_lower_bound` and `tir_var_upper_bound`.
    fresh: the packed functions whose results are new memory, never an argument.
    """
    buffers = _Buffers()
    functions = sorted(
        ((var.name_hint, f) for var, f in mod.functions.items() if isinstance(f, relax.Function)),
        key=lambda named: named[0],
    )
    public = [(n, f) for n, f in functions if f.attrs and "global_symbol" in f.attrs]
    if not public:
        raise Unsupported("the module has no public Relax function")
    texts = [_Method(mod, name, f, buffers, dims or {}, fresh).text() for name, f in public]
    return "\n".join([*buffers.lines(), *texts])


class _Buffers:
    """Constants, by their node: one node is one memory."""

    def __init__(self):
        self._constants = []

    def of(self, constant):
        for index, known in enumerate(self._constants):
            if known.same_as(constant):
                return f"@constant{index}"
        self._constants.append(constant)
        return f"@constant{len(self._constants) - 1}"

    def lines(self):
        for constant in self._constants:
            array = constant.value.numpy()
            kind = tensor_type(_dtype(constant.ty), [Sizes.of(n) for n in array.shape])
            elements = ", ".join(literal(e) for e in array.reshape(-1))
            yield f"buffer {self.of(constant)}: {kind} = [{elements}]\n"


class _Method:
    def __init__(self, mod, name, function, buffers, bounds, fresh):
        self.mod, self.name, self.function = mod, name, function
        self.buffers, self.bounds, self.fresh = buffers, bounds, frozenset(fresh)
        self.inputs, self.entries, self.nodes = [], [], []
        self.dims = {}  # symbolic variable -> its Sizes
        self.declared = {}  # name of a dim -> (least, most)
        self.seen = {}  # of match_cast: variable -> the type that it is found to have
        self.known = {}  # variable -> Value, tuple of these, Sizes, or a number
        self.calls = []  # functions under expansion
        self.label = None

    def text(self):
        function = self.function
        self._note_casts(function.body)
        self.in_place = self._in_place_inputs()
        for index, param in enumerate(function.params):
            self.known[param] = self._input(
                _word(param.name), self._type_of(param), index in self.in_place
            )
        results = self._body(function.body)
        outputs = list(_leaves(results))
        for output in outputs:
            if not isinstance(output, Value):
                self._fail("returns a value that is not a tensor")
        return method_text(self.name, self.inputs, self.declared, self.entries, self.nodes, outputs)

    def _fail(self, what):
        where = f"{self.name}: {self.label}: " if self.label else f"{self.name}: "
        raise Unsupported(where + what)

    # --- Inputs, types, sizes.

    def _in_place_inputs(self):
        """Indices from the attribute `relax.inplace_arg` of R.func_attr: one, or a list."""
        given = (self.function.attrs or {}).get("relax.inplace_arg")
        if given is None:
            return frozenset()
        listed = given if isinstance(given, (list, tuple)) or hasattr(given, "__len__") else [given]
        indices = frozenset(int(index) for index in listed)
        if not indices <= set(range(len(self.function.params))):
            self._fail(f"relax.inplace_arg names parameter {max(indices)}, which does not exist")
        return indices

    def _input(self, name, of_type, in_place):
        kind = type(of_type).__name__
        if kind == "TupleType":
            fields = enumerate(of_type.fields)
            return tuple(self._input(f"{name}.{i}", t, in_place) for i, t in fields)
        if kind == "ShapeType":
            values = [self._size(v) for v in of_type.values or self._fail(f"{name} has no sizes")]
            self.inputs += [(f"{name}.{i}", "int", False) for i in range(len(values))]
            return tuple(values)
        if kind == "PrimType":
            number = {"int": "int", "uint": "int", "bool": "bool", "float": "real"}
            word = number.get(re.sub(r"\d+$", "", str(of_type.dtype)))
            if word is None:
                self._fail(f"{name} is a number of type {of_type.dtype}")
            self.inputs.append((name, word, False))
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
        return Tensor(_dtype(of_type), [self._size(v) for v in values])

    def _size(self, expr):
        """A PrimExpr of integers as Sizes."""
        kind = type(expr).__name__
        if isinstance(expr, int):
            return Sizes.of(expr)
        if kind == "IntImm":
            return Sizes.of(int(expr.value))
        if kind in ("Var", "SizeVar"):
            return self._dim(expr)
        if kind == "Cast":
            return self._size(expr.value)
        if kind in ("Add", "Sub", "Mul", "FloorDiv", "FloorMod", "Min", "Max"):
            a, b = self._size(expr.a), self._size(expr.b)
            if kind == "Add":
                return a + b
            if kind == "Sub":
                return a - b
            if kind == "Mul":
                return a * b
            function = {"FloorDiv": "floordiv", "FloorMod": "mod", "Min": "min", "Max": "max"}
            return Sizes.call(function[kind], a, b)
        return self._fail(f"the size {expr} is not expressed")

    def _dim(self, var):
        if var not in self.dims:
            name = _word(var.name)
            while name in self.declared:
                name += ".1"
            self.dims[var] = Sizes.named(name)
            self.declared[name] = self._range(var.name)
        return self.dims[var]

    def _range(self, name):
        if name in self.bounds:
            return self.bounds[name]
        attrs = self.function.attrs or {}
        most = dict(attrs.get("tir_var_upper_bound") or {}).get(name)
        if most is None:
            self._fail(
                f"dim {name} has no upper bound: give one by --dim {name}=LEAST..MOST, dims="
            )
        least = dict(attrs.get("tir_var_lower_bound") or {}).get(name, 0)
        return int(least), int(most)

    def _bind_dims(self, pattern, tensor):
        """match_cast, and arguments of an expanded call: new dims of the pattern get a meaning."""
        values = getattr(getattr(pattern, "shape", None), "values", None)
        if values is None:
            return
        for value, size in zip(values, tensor.sizes, strict=True):
            if type(value).__name__ == "Var" and value not in self.dims:
                self.dims[value] = size
            elif self._size(value) != size:
                self._fail(
                    f"a tensor with the size {size} is cast to {self._size(value)}; "
                    "its signature must give this size"
                )

    def _note_casts(self, body):
        for block in body.blocks:
            for binding in block.bindings:
                if isinstance(binding, relax.MatchCast) and hasattr(binding.value, "name"):
                    self.seen[binding.value] = binding.ty

    # --- Bindings.

    def _body(self, body):
        if not isinstance(body, relax.SeqExpr):
            return self._value(body)
        for block in body.blocks:
            for binding in block.bindings:
                self.label = binding.var.name
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
                self._bind_dims(pattern, given.type)
        return value

    def _value(self, expr, of_type=None):
        kind = type(expr).__name__
        if kind in ("Var", "DataflowVar"):
            if expr in self.known:
                return self.known[expr]
            return self._size(expr)  # a symbolic dim as a number
        if kind == "Tuple":
            return tuple(self._value(field) for field in expr.fields)
        if kind == "TupleGetItem":
            return self._value(expr.tuple_value)[int(expr.index)]
        if kind == "GenericConst":
            return self._constant(expr)
        if kind == "ShapeExpr":
            return tuple(self._size(v) for v in expr.values)
        if kind == "Call":
            return self._call(expr, expr.ty if of_type is None else of_type)
        if kind == "FloatImm":
            return float(expr.value)
        if kind == "IntImm":
            return bool(expr.value) if str(expr.ty.dtype) == "bool" else int(expr.value)
        if kind == "StringImm":
            return str(expr.value)
        if isinstance(expr, tvm.ir.Expr) and tvm.ir.is_prim_expr(expr):
            return self._size(expr)
        return self._fail(f"{kind} is not expressed in a Module")

    def _constant(self, constant):
        for known, value in self.entries:
            if known.same_as(constant):
                return value
        value = Value(self._tensor(constant.ty, "a constant"), label=self.label)
        value.buffer = self.buffers.of(constant)
        self.entries.append((constant, value))
        return value

    # --- Calls.

    def _call(self, call, of_type):
        if isinstance(call.op, tvm.ir.GlobalVar):
            return self._expand(call)
        if not isinstance(call.op, tvm.ir.Op):
            name = getattr(call.op, "global_symbol", None)
            if name is None:
                self._fail("the called function is a value; it must be a global function")
            self._ask_fresh(name)
            return self._unknown(f"packed::{_word(name)}", call.args, of_type)
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
        return self._operator(call, of_type)

    def _operator(self, call, of_type, in_place=None):
        """An operator of Relax: the counterpart in our table, or unknown under its own name."""
        made = OPERATORS.get(call.op.name)
        if made is not None:
            args = [self._argument(a, call) for a in call.args]
            result = made(_Emitter(self, in_place), args, call.attrs, self._result_type(of_type))
            if result is not None:
                return result
        word = "::".join(_word(part) for part in call.op.name.split(".", 1))
        return self._unknown(word, call.args, of_type, in_place=[in_place], attrs=call.attrs)

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
        self._note_casts(function.body)
        for param, arg in zip(function.params, call.args, strict=True):
            value = self._value(arg)
            if isinstance(value, Value) and value.type is not None:
                self._bind_dims(param.ty, value.type)
            self.known[param] = value
        label, result = self.label, self._body(function.body)
        self.label = label
        self.calls.pop()
        return result

    def _call_tir(self, call, of_type):
        function, args = self.mod[call.args[0]], call.args[1]
        indices = [int(i) for i in getattr(call.attrs, "inplace_indices", None) or ()]
        if not indices and relax.analysis.has_reshape_pattern(function):
            tensor = self._result_type(of_type)
            operand = self._value(args)[0]
            if isinstance(tensor, Tensor) and isinstance(operand, Value):
                return _Emitter(self).view(operand, tensor)
        if len(indices) == 1 and hasattr(args, "fields"):
            for same, written in _calls_that_may_be(
                call.args[0].name_hint, function, list(args.fields), indices[0]
            ):
                if tvm_ffi.structural_equal(_made_in_place(same, indices), function):
                    return self._operator(same, of_type, in_place=written)
        name = f"tir::{_word(call.args[0].name_hint)}"
        return self._unknown(name, [args, *call.args[2:]], of_type, in_place=indices)

    def _call_packed(self, call, of_type):
        name = call.args[0].global_symbol
        indices = [int(i) for i in getattr(call.attrs, "inplace_indices", None) or ()]
        if call.op.name == "relax.call_pure_packed":
            self._ask_fresh(name)
        return self._unknown(f"packed::{_word(name)}", call.args[1:], of_type, in_place=indices)

    def _ask_fresh(self, name):
        if name not in self.fresh:
            self._fail(
                f"the packed function {name} may return an argument; "
                f"if its results are always new memory, say so by --fresh {name}, fresh="
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
            if type(arg).__name__ == "Tuple" and not arg.fields:
                continue
            value = self._value(arg)
            # The arguments of call_tir are a tuple, and in-place indices count its fields.
            spread = arg is args[0] and isinstance(value, tuple) and name.startswith("tir::")
            operands += value if spread else [value]
        if attrs is not None:
            operands += [_attribute(getattr(attrs, key)) for key in _keys(attrs)]
        types = () if getattr(of_type, "fields", None) == [] else self._result_type(of_type)
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

    def one(self, op, operands, tensor):
        return self.emit(op, operands, [tensor])[0]

    def view(self, operand, tensor):
        """The same elements in the same order: one memory under TVM, whoever asks for it."""
        if operand.type == tensor:
            return operand
        self._in_place = None
        return self.emit("aten::view_copy.out", [operand, tuple(tensor.sizes)], [tensor], True)[0]


def _calls_that_may_be(name, function, args, at):
    """Calls that DataflowUseInplaceCalls may have made the function from, and the operand that is
    written. The name only shortens the search. A number that an operator took is a part of the
    function."""
    numbers = _numbers_in(function, args[0].ty) if len(args) == 1 else []
    for op in IN_PLACE:
        if op.split(".")[-1] not in name:
            continue
        calls = []
        if len(args) == (1 if op.startswith("relax.nn.") else 2):
            calls.append((args, at))
        elif not op.startswith("relax.nn."):
            calls += [([args[0], n], 0) for n in numbers]  # n as the first crashes the pass
        for operands, written in calls:
            yield tvm.ir.Call(tvm.ir.Op.get(op), operands), written


def _numbers_in(function, of_type):
    """The numbers of an element type in a function's body, as constants. 0 is left out: TVM cannot
    divide by it."""
    numbers, dtype = {}, _dtype(of_type)

    def note(number):
        if str(number.ty.dtype) == dtype and number.value != 0:
            numbers[number.value] = relax.const(number.value, dtype)

    tvm_ffi.structural_walk(function.body, ((tvm.tirx.FloatImm, tvm.tirx.IntImm), note))
    return list(numbers.values())


def _made_in_place(call, indices):
    """The function that DataflowUseInplaceCalls makes of a call."""
    single = tvm.get_global_func("relax.testing.transform.SingleInplaceCall")
    call = relax.BlockBuilder().normalize(call)
    made, module_made = single(tvm.IRModule(), call, indices)
    return module_made[made.args[0]]


def _dtype(of_type):
    return str(of_type.dtype.dtype if hasattr(of_type.dtype, "dtype") else of_type.dtype)


def _keeps_elements(a, b):
    return a.dtype == b.dtype and a.count() == b.count()


def _word(name):
    """A name as Modules write it: letters, digits, dots; a letter first."""
    word = re.sub(r"[^A-Za-z0-9_.]", "_", str(name))
    return word if re.match(r"[A-Za-z_]", word) else "_" + word


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


def load(path, name=None):
    """The IRModule of a file: Python that defines it, JSON of tvm.ir.save_json, or a pickle."""
    path = pathlib.Path(path)
    if path.suffix == ".json":
        return tvm.ir.load_json(path.read_text())
    if path.suffix in (".pkl", ".pickle"):
        return pickle.loads(path.read_bytes())
    defined = runpy.run_path(str(path))
    found = {n: v for n, v in defined.items() if isinstance(v, tvm.IRModule)}
    if name is not None:
        found = {n: v for n, v in found.items() if n == name}
    if len(found) != 1:
        raise Unsupported(
            f"{path} defines {len(found)} modules" + (": choose by --name" if found else "")
        )
    return next(iter(found.values()))


def _bounds(text):
    match = re.fullmatch(r"(\w+)=(\d+)\.\.(\d+)", text)
    if match is None:
        raise argparse.ArgumentTypeError("must be NAME=LEAST..MOST")
    return match[1], (int(match[2]), int(match[3]))


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="pteproof_relax", description="Writes a TVM Relax program as a Module."
    )
    parser.add_argument("program", help="Python that defines an IRModule, its JSON, or a pickle")
    parser.add_argument("-o", "--output", help="the Module's file (default: standard output)")
    parser.add_argument("--name", help="the variable of the Python file")
    parser.add_argument(
        "--in-place", action="store_true", help="run DataflowUseInplaceCalls before"
    )
    parser.add_argument(
        "--dim", action="append", default=[], type=_bounds, metavar="NAME=LEAST..MOST",
        help="the range of a symbolic dim; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--fresh", action="append", default=[], metavar="FUNCTION",
        help="a packed function whose results are new memory; may be repeated",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    try:
        mod = load(options.program, options.name)
        if options.in_place:
            mod = relax.transform.DataflowUseInplaceCalls()(mod)
        text = module(mod, dims=dict(options.dim), fresh=options.fresh)
    except OSError as error:
        print(f"pteproof_relax: {error}", file=sys.stderr)
        return 66
    except Unsupported as error:
        print(f"pteproof_relax: {error}", file=sys.stderr)
        return 2
    if options.output:
        pathlib.Path(options.output).write_text(text)
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

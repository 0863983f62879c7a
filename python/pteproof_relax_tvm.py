"""Questions that TVM itself answers: which operator its DataflowUseInplaceCalls has made a function
from, and which calls it lowers to views."""

import tvm
import tvm_ffi
from pteproof_relax_dims import dtype_of
from tvm import relax

# The operators that the pass rewrites.
IN_PLACE = (
    "relax.add",
    "relax.subtract",
    "relax.multiply",
    "relax.divide",
    "relax.nn.silu",
    "relax.nn.relu",
)


def viewed(call):
    """The operand whose elements a call keeps in order, as TVM lowers it; None if there is not one.

    TVM makes views of such calls: of a reshape, and of copies such as the flip of a dim of size 1.
    """
    legalize, builder = call.op.get_attr("FLegalize"), relax.BlockBuilder()
    if legalize is None:
        return None
    try:
        lowered = legalize(builder, call)
    except Exception:  # it has no implementation, or takes more than one function
        return None
    if not isinstance(lowered, tvm.ir.Call) or lowered.op != tvm.ir.Op.get("relax.call_tir"):
        return None
    return reshaped(builder.get()[lowered.args[0]], lowered.args[1])


def reshaped(function, args):
    """The argument of call_tir that a function reshapes; None if it does something else. Of several
    arguments it reads one."""
    if not hasattr(args, "fields") or not relax.analysis.has_reshape_pattern(function):
        return None
    read = []
    tvm_ffi.structural_walk(function.body, ((tvm.ir.Var,), read.append))
    pairs = zip(args.fields, function.params, strict=False)
    used = [arg for arg, param in pairs if any(param.same_as(var) for var in read)]
    return used[0] if len(used) == 1 else None


def source_call(called, function, args, indices):
    """The call, and which of its operands is written; None if there is not one."""
    if len(indices) != 1 or not args:
        return None
    for call, written in _calls_that_may_be(called.name_hint, function, args, indices[0]):
        if tvm_ffi.structural_equal(_made_in_place(call, indices), function):
            return call, written
    return None


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
    numbers, dtype = {}, dtype_of(of_type)

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

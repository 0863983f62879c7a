"""Which call of a Relax operator TVM's DataflowUseInplaceCalls has made a function from: the pass
itself is asked, and its function must be equal."""

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

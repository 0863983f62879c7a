"""Six programs that TVM's DataflowUseInplaceCalls (0.27) turns into programs of another meaning.

In each, a call is made in the bytes of a tensor that has a second name, and the second name is read
afterwards: that of the constant in the next call of the function.
"""

import numpy
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class ElementTakenTwice:
    @R.function
    def main(x: R.Tensor((16, 32), "float32")):
        with R.dataflow():
            a = R.negative(x)
            b = R.exp(a)
            t = (a, b)
            c = t[0]
            d = R.nn.relu(c)
            e = t[0]
            f = R.concat((d, e), axis=1)
            R.output(f)
        return f


@I.ir_module
class VariableAndElement:
    @R.function
    def main(x: R.Tensor((16, 32), "float32")):
        with R.dataflow():
            a = R.negative(x)
            b = R.exp(a)
            t = (a, b)
            d = R.nn.relu(a)
            e = t[0]
            f = R.concat((d, e), axis=1)
            R.output(f)
        return f


@I.ir_module
class TupleIsAnOutput:
    @R.function
    def main(x: R.Tensor((16, 32), "float32")):
        with R.dataflow():
            a = R.negative(x)
            b = R.exp(a)
            t = (a, b)
            d = R.nn.relu(a)
            R.output(t, d)
        return (t, d)


@I.ir_module
class NestedTuple:
    @R.function
    def main(x: R.Tensor((16, 32), "float32")):
        with R.dataflow():
            a = R.negative(x)
            b = R.exp(a)
            t = (a, b)
            u = (t, b)
            d = R.nn.relu(a)
            v = u[0]
            e = v[0]
            f = R.concat((d, e), axis=1)
            R.output(f)
        return f


@I.ir_module
class VariableOfAConstant:
    @R.function
    def main(x: R.Tensor((16, 32), "float32")):
        with R.dataflow():
            c = R.const(numpy.arange(-16, 16, dtype="float32"))
            d = R.add(c, c)
            f = R.add(d, x)
            R.output(f)
        return f


@I.ir_module
class CopyThatBecomesAView:
    @R.function
    def main(x: R.Tensor((16, 32), "float32")):
        with R.dataflow():
            a = R.negative(x)
            b = R.broadcast_to(a, (1, 16, 32))
            d = R.nn.relu(a)
            e = R.concat((R.expand_dims(d, 0), b), axis=0)
            R.output(e)
        return e


PROGRAMS = {
    "element_taken_twice": ElementTakenTwice,
    "variable_and_element": VariableAndElement,
    "tuple_is_an_output": TupleIsAnOutput,
    "nested_tuple": NestedTuple,
    "variable_of_a_constant": VariableOfAConstant,
    "copy_that_becomes_a_view": CopyThatBecomesAView,
}

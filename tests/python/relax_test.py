"""The converter of TVM Relax against TVM itself: what it writes means what TVM computes, and lint
refuses what TVM's in-place pass gets wrong."""

import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest

import numpy

SOURCE = pathlib.Path(os.environ.get("PTEPROOF_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
sys.path[:0] = [str(SOURCE / "python"), str(SOURCE / "bench"), str(pathlib.Path(__file__).parent)]

import pteproof_relax  # noqa: E402
import tvm  # noqa: E402
from pteproof_relax import Unsupported  # noqa: E402
from relax_cases import CASES, tensor  # noqa: E402
from relax_graphs import GRAPHS  # noqa: E402
from relax_miscompiled import PROGRAMS  # noqa: E402
from relax_support import BINARY, Recording, flat, machine_of, run  # noqa: E402
from tvm import relax  # noqa: E402
from tvm.relax import op as R  # noqa: E402
from tvm.script import ir as I  # noqa: E402
from tvm.script import relax as S  # noqa: E402

STORED = SOURCE / "corpus/lint/relax"
# TVM 0.27 has no implementation of it.
NOT_IN_TVM = ("m_pixel_shuffle",)
in_place = relax.transform.DataflowUseInplaceCalls()


def built(functions):
    """An IRModule of functions: name -> (params, function that emits and returns the result)."""
    builder = relax.BlockBuilder()
    for name, (params, body) in functions.items():
        with builder.function(name, params):
            with builder.dataflow():
                result = builder.emit_output(body(builder))
            builder.emit_func_output(result)
    return builder.finalize()


def one(params, body):
    return built({"main": (params, body)})


def nodes(text):
    """The lines of nodes, without types and comments."""
    lines = [line.split("  #")[0].strip() for line in text.splitlines()]
    return [line.split(" = ", 1)[1] for line in lines if " = " in line]


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def written(self, text, name="a.module"):
        (self.folder / name).write_text(text)
        return str(self.folder / name)


class Operators(Folder):
    def functions(self):
        for name, case in CASES.items():
            call, params = case()
            yield f"m_{name}", (params, lambda builder, call=call: builder.emit(call))

    def test_each_has_its_counterpart(self):
        for name, made in self.functions():
            with self.subTest(name):
                text = pteproof_relax.module(built({name: made}))
                self.assertNotIn("relax::", text)
        self.assertGreaterEqual(len(pteproof_relax.OPERATORS), 60)

    @unittest.skipUnless(os.path.exists(BINARY), "the pteproof command is not built")
    def test_the_module_computes_what_tvm_computes(self):
        mod = built({n: f for n, f in self.functions() if n not in NOT_IN_TVM})
        text = pteproof_relax.module(mod)
        machine = machine_of(mod)
        random, recording = numpy.random.default_rng(7), Recording()
        for var, function in mod.functions.items():
            if not isinstance(function, relax.Function):
                continue
            inputs = [drawn(random, param.ty) for param in function.params]
            given = [tvm.runtime.tensor(array) for array in inputs]
            recording.add(var.name_hint, inputs, flat(machine[var.name_hint](*given)))
        recording.write(self.folder, "a.module")
        done = run("eval", "-q", self.written(text))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(
            f"{len(CASES) - len(NOT_IN_TVM)} calls agree, 0 differ, 0 have nothing", done.stdout
        )


def drawn(random, of_type):
    sizes = [int(size) for size in of_type.shape.values]
    dtype = str(of_type.dtype.dtype)
    if dtype == "bool":
        return random.integers(0, 2, sizes).astype(bool)
    if dtype.startswith("int"):
        return random.integers(1, 7, sizes).astype(dtype)
    return random.uniform(-2, 2, sizes).astype(dtype)


class Miscompiled(Folder):
    @unittest.skipUnless(os.path.exists(BINARY), "the pteproof command is not built")
    def test_lint_refuses_what_the_pass_made_of_them(self):
        for name, program in PROGRAMS.items():
            with self.subTest(name):
                self.assertEqual(
                    run("lint", self.written(pteproof_relax.module(program))).returncode, 0
                )
                done = run("lint", self.written(pteproof_relax.module(in_place(program))))
                self.assertEqual(done.returncode, 1)
                self.assertIn(": 1 wrong in place", done.stdout)

    def test_tvm_computes_something_else_after_the_pass(self):
        x = numpy.random.default_rng(7).uniform(-2, 2, (16, 32)).astype("float32")
        for name, program in PROGRAMS.items():
            with self.subTest(name):
                results = []
                # A copy: what the pass makes of a constant writes to the constant of the program.
                copy = tvm.ir.load_json(tvm.ir.save_json(program))
                for mod in (copy, in_place(copy)):
                    machine = machine_of(mod)
                    calls = [flat(machine["main"](tvm.runtime.tensor(x))) for _ in range(2)]
                    results.append([array for call in calls for array in call])
                self.assertFalse(all(map(numpy.array_equal, *results)))


class Stored(unittest.TestCase):
    def test_modules_are_what_the_converter_writes(self):
        for name, mod in GRAPHS.items():
            with self.subTest(name):
                text, after = pteproof_relax.module(mod), pteproof_relax.module(in_place(mod))
                self.assertEqual((STORED / f"{name}.module").read_text(), text)
                file = STORED / f"{name}.tvm.module"
                self.assertEqual(file.read_text() if file.exists() else text, after)


class Names(unittest.TestCase):
    def test_one_tensor_is_one_value(self):
        x = tensor(2, 3)

        def body(b):
            a = b.emit(R.exp(x))
            t = b.emit(relax.Tuple([a, relax.Tuple([x, a])]))
            u = b.emit(relax.TupleGetItem(t, 1))
            c = b.emit(relax.TupleGetItem(u, 1))
            d = b.match_cast(c, relax.TensorType((2, 3), "float32"))
            return relax.Tuple([b.emit(R.add(d, a)), u])

        text = pteproof_relax.module(one([x], body))
        self.assertEqual(nodes(text), [f"aten::exp.out(%{x.name})", "aten::add.out(%0, %0, 1)"])
        self.assertIn(f"return %1, %{x.name}, %0", text)

    def test_views_and_copies_that_tvm_makes_views(self):
        x = tensor(1, 4)

        def body(b):
            a = b.emit(R.exp(x))
            c = b.emit(R.permute_dims(a, [1, 0]))
            d = b.emit(R.reshape(c, (2, 2)))
            e = b.emit(R.permute_dims(d, [1, 0]))
            return b.emit(R.memory.view(e, (4,)))

        self.assertEqual(
            nodes(pteproof_relax.module(one([x], body)))[1:],
            [
                "view aten::view_copy.out(%0, [4, 1])",
                "view aten::view_copy.out(%1, [2, 2])",
                "aten::permute_copy.out(%2, [1, 0])",
                "view aten::view_copy.out(%3, [4])",
            ],
        )

    def test_a_function_that_reshapes_is_a_view(self):
        x = tensor(2, 3)
        mod = one([x], lambda b: b.emit(R.reshape(b.emit(R.exp(x)), (6,))))
        text = pteproof_relax.module(relax.transform.LegalizeOps()(mod))
        self.assertEqual(nodes(text)[1], "view aten::view_copy.out(%0, [6])")
        self.assertRegex(nodes(text)[0], r"tir::tir_exp\(")

    def test_private_functions_are_expanded(self):
        x, y, z = tensor(2, 3), tensor(2, 3), tensor(2, 3)
        builder = relax.BlockBuilder()
        with builder.function("twice", [y, z], private=True):
            builder.emit_func_output(builder.emit(R.add(y, z)))
        called = builder.get().get_global_var("twice")
        with builder.function("main", [x]):
            a = builder.emit(relax.Call(called, [x, x]))
            builder.emit_func_output(builder.emit(relax.Call(called, [a, x])))
        text = pteproof_relax.module(builder.finalize())
        self.assertEqual(text.count("method"), 1)
        name = x.name
        self.assertEqual(
            nodes(text), [f"aten::add.out(%{name}, %{name}, 1)", f"aten::add.out(%0, %{name}, 1)"]
        )


class Inputs(unittest.TestCase):
    def test_tuples_shapes_and_numbers(self):
        n = tvm.tirx.Var("n", "int64")
        kind = relax.TensorType((4,), "float32")
        pair = relax.Var("p", relax.TupleType([kind, relax.TupleType([kind])]))
        shape = relax.Var("s", relax.ShapeType([n, 3]))
        number = relax.Var("k", tvm.ir.PrimType("int64"))

        def body(b):
            inner = b.emit(relax.TupleGetItem(pair, 1))
            a = b.emit(relax.TupleGetItem(inner, 0))
            call = R.call_dps_packed("f", (a, number), out_ty=relax.TensorType((n,), "int64"))
            return b.emit(call)

        text = pteproof_relax.module(one([pair, shape, number], body), dims={"n": (1, 8)})
        inputs = "%p.0: float32[4], %p.1.0: float32[4], %s.0: int, %s.1: int, %k: int"
        self.assertIn(f"method main({inputs}) dims(n in 1..8) {{", text)
        self.assertEqual(nodes(text), ["packed::f([%p.1.0, %k])"])

    def test_of_one_name(self):
        x, y = (relax.Var("x-", relax.TensorType((4,), "float32")) for _ in range(2))
        text = pteproof_relax.module(one([x, y], lambda b: b.emit(R.subtract(x, y))))
        self.assertIn("method main(%x_: float32[4], %x_.1: float32[4])", text)
        self.assertEqual(nodes(text), ["aten::sub.out(%x_, %x_.1, 1)"])


class Constants(Folder):
    def test_keep_their_data(self):
        x = tensor(3)
        values = numpy.array([1e-30, numpy.inf, -0.1], "float32")
        both = lambda b: b.emit(R.add(b.emit(R.add(x, c)), c))  # noqa: E731
        c = relax.const(values)
        text = pteproof_relax.module(one([x], both))
        self.assertIn("buffer @constant0: float32[3] = [1e-30, inf, -0.1]\n", text)
        self.assertEqual(text.count("entry"), 1)
        c = relax.const(numpy.array([[True], [False]]))
        text = pteproof_relax.module(one([], lambda b: b.emit(R.logical_not(c))))
        self.assertIn("buffer @constant0: bool[2, 1] = [true, false]\n", text)
        c = relax.const(numpy.array([-3, 5], "int8"))
        text = pteproof_relax.module(one([], lambda b: b.emit(R.negative(c))))
        self.assertIn("= [-3, 5]\n", text)

    @unittest.skipUnless(os.path.exists(BINARY), "the pteproof command is not built")
    def test_of_every_type_are_read_bit_for_bit(self):
        recording, functions = Recording(), {}
        for dtype in ("float16", "bfloat16", "float32", "float64", "int8", "uint8", "int64"):
            numbers = [0, 1, 100]
            if "float" in dtype:
                numbers += [1e-5, 1 / 3, 6e4, -2.5e-7, numpy.inf, -0.0, numpy.nan]
            c = relax.const(tvm.runtime.tensor(numpy.array(numbers).astype(numpy.dtype(dtype))))
            functions[f"f_{dtype}"] = ([], lambda b, c=c: b.emit(R.expand_dims(c, 0)))
            recording.add(f"f_{dtype}", [], [c.value.numpy().reshape(1, -1)])
        recording.write(self.folder, "a.module")
        file = self.written(pteproof_relax.module(built(functions)))
        done = run("eval", "-q", "--rtol", "0", "--atol", "0", file)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Calls(unittest.TestCase):
    def test_in_place_results_beyond_the_first(self):
        x, y = tensor(4), tensor(4)
        kinds = [relax.TensorType((4,), "float32")] * 2

        def body(b):
            a, c = b.emit(R.exp(x)), b.emit(R.exp(y))
            packed = R.call_inplace_packed(
                "swap", a, c, inplace_indices=[1, 0], ty_args=[relax.TupleType(kinds)]
            )
            return b.emit(packed)

        text = pteproof_relax.module(one([x, y], body))
        self.assertEqual(
            nodes(text)[2:],
            ["packed::swap(%0, %1) in_place(1)", "aten::copy.out(%0, %3, false) in_place(0)"],
        )
        self.assertIn("return %2, %4", text)

    def test_an_operator_without_a_counterpart_keeps_its_name_and_attributes(self):
        x = tensor(2, 4)
        text = pteproof_relax.module(one([x], lambda b: b.emit(R.cumprod(x, axis=1))))
        self.assertEqual(nodes(text), [f"relax::cumprod(%{x.name}, 1, None, false)"])

    def test_the_pass_writes_functions_that_are_known_again(self):
        x = tensor(2, 4)

        def body(b):
            a = b.emit(R.nn.silu(b.emit(R.exp(x))))
            return b.emit(R.multiply(x, a))

        self.assertEqual(
            nodes(pteproof_relax.module(in_place(one([x], body))))[1:],
            ["relax::nn.silu(%0) in_place(0)", f"aten::mul.out(%{x.name}, %1) in_place(1)"],
        )

    def test_a_number_in_the_function_is_an_operand_again(self):
        x = tensor(2, 4)

        text = pteproof_relax.module(
            in_place(
                one([x], lambda b: b.emit(R.divide(b.emit(R.exp(x)), relax.const(4.0, "float32"))))
            )
        )
        self.assertIn("buffer @constant0: float32[] = [4.0]\n", text)
        self.assertEqual(nodes(text)[3:], ["aten::div.out(%1, %0) in_place(0)"])

    def test_a_function_of_the_same_name_is_not_taken_for_it(self):
        x = tensor(2, 4)
        mod = in_place(one([x], lambda b: b.emit(R.nn.relu(b.emit(R.exp(x))))))
        other = in_place(one([x], lambda b: b.emit(R.nn.silu(b.emit(R.exp(x))))))
        mod["relu_inplace"] = other["silu_inplace"]
        self.assertEqual(nodes(pteproof_relax.module(mod))[1], "tir::relu_inplace(%0) in_place(0)")

    def test_in_place_arguments(self):
        x = tensor(4)
        mod = one([x, tensor(4)], lambda b: b.emit(R.exp(x)))
        mod["main"] = mod["main"].with_attr("relax.inplace_arg", 0)
        self.assertIn(f"(%{x.name}: float32[4] in_place, %", pteproof_relax.module(mod))
        mod["main"] = mod["main"].with_attr("relax.inplace_arg", [5])
        with self.assertRaisesRegex(Unsupported, "names parameter 5"):
            pteproof_relax.module(mod)


@I.ir_module
class Branches:
    @S.function
    def main(p: S.Tensor((), "bool"), x: S.Tensor((4,), "float32"), y: S.Tensor((4,), "float32")):
        a = S.exp(x)
        if p:
            b = S.add(a, y)
            c = S.add(b, S.const(numpy.array([1, 2, 3, 4], "float32")))
        else:
            c = a
        d = S.add(c, x)
        return d


class If(Folder):
    def test_is_a_cond_that_takes_what_it_reads(self):
        self.assertIn(
            """
  %2: float32[4] = cond(%p, %1, %y, %0) {  # c
    (%3: float32[4], %4: float32[4], %5: float32[4]) {
      %6: float32[4] = aten::add.out(%3, %4, 1)  # b
      %7: float32[4] = aten::add.out(%6, %5, 1)  # c_then
      return %7
    }
    (%8: float32[4], %9: float32[4], %10: float32[4]) {
      return %8
    }
  }
""",
            pteproof_relax.module(Branches),
        )

    @unittest.skipUnless(os.path.exists(BINARY), "the pteproof command is not built")
    def test_means_what_tvm_computes(self):
        machine = machine_of(Branches)
        recording = Recording()
        for flag in (True, False):
            inputs = [numpy.array(flag), *numpy.array([[1, -2, 3, 0], [4, 4, 1, -1]], "float32")]
            recording.add("main", inputs, flat(machine["main"](*map(tvm.runtime.tensor, inputs))))
        recording.write(self.folder, "a.module")
        done = run("eval", "-q", self.written(pteproof_relax.module(Branches)))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Dims(unittest.TestCase):
    def mod(self):
        n = tvm.tirx.Var("n", "int64")
        x, y = tensor(n, 2), tensor(2 * n + 1, 2)
        return one([x, y], lambda b: b.emit(R.concat([x, y], 0)))

    def test_come_with_their_bounds(self):
        text = pteproof_relax.module(self.mod(), dims={"n": (1, 8)})
        self.assertIn("dims(n in 1..8)", text)
        self.assertIn(": float32[2*n + 1, 2]", text)
        self.assertIn(": float32[3*n + 1, 2] = aten::cat.out", text)
        mod = self.mod()
        mod["main"] = mod["main"].with_attr("tir_var_upper_bound", {"n": 16})
        self.assertIn("dims(n in 0..16)", pteproof_relax.module(mod))

    def test_are_not_guessed(self):
        with self.assertRaisesRegex(Unsupported, "dim n has no upper bound"):
            pteproof_relax.module(self.mod())


class Refused(unittest.TestCase):
    def refused(self, why, params, body, **given):
        with self.assertRaisesRegex(Unsupported, why):
            pteproof_relax.module(one(params, body), **given)

    def test_packed_functions_that_may_return_an_argument(self):
        x = tensor(4)
        call = lambda b: b.emit(R.call_pure_packed("f", x, ty_args=x.ty))  # noqa: E731
        self.refused("packed function f may return an argument", [x], call)
        text = pteproof_relax.module(one([x], call), fresh=["f"])
        self.assertEqual(nodes(text), [f"packed::f(%{x.name})"])

    def test_packed_functions_that_may_write_an_argument(self):
        x = tensor(4)
        builder = relax.BlockBuilder()
        with builder.function("main", [x], pure=False):
            call = relax.Call(relax.ExternFunc("f"), [x], ty_args=[x.ty])
            builder.emit_func_output(builder.emit(call))
        mod = builder.finalize()
        with self.assertRaisesRegex(Unsupported, "f may write an argument, or return one"):
            pteproof_relax.module(mod)
        self.assertEqual(nodes(pteproof_relax.module(mod, fresh=["f"])), [f"packed::f(%{x.name})"])

    def test_sizes_that_are_not_known(self):
        x = relax.Var("x", relax.TensorType(dtype="float32", ndim=2))
        self.refused("the sizes of x are not known", [x], lambda b: b.emit(R.exp(x)))

    def test_lowered_programs(self):
        x = tensor(4)
        mod = one([x], lambda b: b.emit(R.exp(x)))
        mod = relax.transform.CallTIRRewrite()(relax.transform.LegalizeOps()(mod))
        with self.assertRaisesRegex(
            Unsupported, "relax.builtin.alloc_tensor is a part of a lowered"
        ):
            pteproof_relax.module(mod)

    def test_a_module_without_a_public_function(self):
        with self.assertRaisesRegex(Unsupported, "no public Relax function"):
            pteproof_relax.module(tvm.IRModule())

    def test_a_cast_that_tells_sizes_apart(self):
        x = tensor(tvm.tirx.Var("n", "int64"))
        cast = lambda b: b.match_cast(x, relax.TensorType((4,), "float32"))  # noqa: E731
        self.refused("size n is cast to 4; its signature", [x], cast, dims={"n": (1, 8)})

    def test_a_view_of_a_part(self):
        x = tensor(4)
        part = lambda b: b.emit(R.memory.view(x, (2,), relative_byte_offset=8))  # noqa: E731
        self.refused("memory.view of a part", [x], part)


class Command(Folder):
    def test_reads_python_json_and_pickles(self):
        program = SOURCE / "bench/relax_miscompiled.py"
        mod = PROGRAMS["nested_tuple"]
        wanted = pteproof_relax.module(in_place(mod))
        (self.folder / "a.json").write_text(tvm.ir.save_json(mod))
        (self.folder / "a.pkl").write_bytes(pickle.dumps(mod))
        for arguments in (
            [str(program), "--name", "NestedTuple"],
            [str(self.folder / "a.json")],
            [str(self.folder / "a.pkl")],
        ):
            output = self.folder / "out.module"
            code = pteproof_relax.main([*arguments, "--in-place", "-o", str(output)])
            self.assertEqual((code, output.read_text()), (0, wanted))

    def test_tells_what_is_wrong(self):
        program = str(SOURCE / "bench/relax_miscompiled.py")
        script = [sys.executable, str(SOURCE / "python/pteproof_relax.py")]
        for arguments, code, words in (
            ([program], 2, "defines 6 modules: choose by --name"),
            (["missing.json"], 66, "missing.json"),
            ([program, "--dim", "n=8"], 2, "must be NAME=LEAST..MOST"),
        ):
            done = subprocess.run(
                [*script, *arguments], capture_output=True, text=True, check=False
            )
            self.assertEqual(done.returncode, code)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()

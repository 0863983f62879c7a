"""Random programs of Relax: where TVM's in-place pass changes what a program computes, lint refuses
what the pass has made. The judge is TVM, which runs each program before and after.

PTEPROOF_RANDOM_CASES=N tries N programs, PTEPROOF_SEED others."""

import json
import os
import pathlib
import random
import sys
import tempfile
import unittest

import numpy

SOURCE = pathlib.Path(os.environ.get("PTEPROOF_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
sys.path[:0] = [str(SOURCE / "python"), str(pathlib.Path(__file__).parent)]

import pteproof_relax  # noqa: E402
import tvm  # noqa: E402
from relax_support import BINARY, Recording, flat, machine_of, run  # noqa: E402
from tvm import relax  # noqa: E402
from tvm.relax import op as R  # noqa: E402

CASES = int(os.environ.get("PTEPROOF_RANDOM_CASES", "100"))
SEED = int(os.environ.get("PTEPROOF_SEED", "1"))
SHAPES = ((4,), (2, 2))


class Program:
    """Draws one function: names of tensors and of tuples, and calls that read them."""

    def __init__(self, builder, draw):
        self._builder, self._draw = builder, draw
        self._tensors, self._tuples, self._used = [], [], set()

    def add_to(self, name):
        params = [relax.Var(p, relax.TensorType((4,), "float32")) for p in "xy"]
        self._tensors += params
        with self._builder.function(name, params):
            with self._builder.dataflow():
                for _ in range(self._draw.randint(4, 12)):
                    self._step()
                # What nothing has read, and some of the rest: each wrong value shows.
                everything = self._tensors + self._tuples
                outputs = [
                    v for v in everything if v not in self._used or self._draw.random() < 0.15
                ]
                results = [self._builder.emit_output(v) for v in outputs]
            self._builder.emit_func_output(results)

    def _step(self):
        kind = self._draw.choice(
            ("call",) * 6 + ("tuple", "element", "element", "name", "view", "copy", "constant")
        )
        getattr(self, f"_{kind}")()

    def _pick(self, values):
        value = self._draw.choice(values)
        self._used.add(value)
        return value

    def _bind(self, value):
        self._tensors.append(self._builder.emit(value))

    def _call(self):
        a = self._pick(self._tensors)
        like = [v for v in self._tensors if list(v.ty.shape) == list(a.ty.shape)]
        call = self._draw.choice((R.add, R.subtract, R.multiply, R.tanh, R.negative))
        self._bind(call(a) if call in (R.tanh, R.negative) else call(a, self._pick(like)))

    def _tuple(self):
        fields = [self._pick(self._tensors) for _ in range(2)]
        if self._tuples and self._draw.random() < 0.3:
            fields[0] = self._pick(self._tuples)
        self._tuples.append(self._builder.emit(relax.Tuple(fields)))

    def _element(self):
        if not self._tuples:
            return
        element = self._builder.emit(
            relax.TupleGetItem(self._pick(self._tuples), self._draw.randint(0, 1))
        )
        (self._tuples if isinstance(element.ty, tvm.ir.TupleType) else self._tensors).append(
            element
        )

    def _name(self):
        self._bind(self._pick(self._tensors))

    def _view(self):
        self._bind(R.reshape(self._pick(self._tensors), self._draw.choice(SHAPES)))

    def _copy(self):
        a = self._pick(self._tensors)
        copies = (
            R.astype(a, "float32"),
            R.broadcast_to(a, (1, *a.ty.shape)),
            R.tile(a, [1] * len(a.ty.shape)),
        )
        self._bind(self._draw.choice(copies))

    def _constant(self):
        self._bind(
            relax.const(numpy.array([self._draw.uniform(-1, 1) for _ in range(4)], "float32"))
        )


def drawn(count, seed):
    builder, draw = relax.BlockBuilder(), random.Random(seed)
    for index in range(count):
        Program(builder, draw).add_to(f"f{index}")
    return builder.finalize()


GIVEN = [
    numpy.array(numbers, "float32") for numbers in ([0.5, -0.75, 0.3, 0.9], [-0.4, 0.8, 0.6, -0.2])
]


def results(mod, count):
    """By function the outputs of two calls, and the inputs after them: the second call shows what
    the first did to constants."""
    machine, found = machine_of(mod), []
    for index in range(count):
        found.append([])
        for _ in range(2):
            given = [tvm.runtime.tensor(array) for array in GIVEN]
            outputs = [array.copy() for array in flat(machine[f"f{index}"](*given))]
            found[-1] += [*outputs, *(tensor.numpy() for tensor in given)]
    return found


@unittest.skipUnless(os.path.exists(BINARY), "the pteproof command is not built")
class RandomPrograms(unittest.TestCase):
    def test_lint_refuses_all_that_the_pass_gets_wrong(self):
        mod = drawn(CASES, SEED)
        after = relax.transform.DataflowUseInplaceCalls()(tvm.ir.load_json(tvm.ir.save_json(mod)))
        answer = json.loads(run("lint", "--json", "-", given=pteproof_relax.module(after)).stdout)
        refused = {finding["method"] for finding in answer["findings"]}
        wrong = set()
        for index, pair in enumerate(zip(results(mod, CASES), results(after, CASES), strict=True)):
            if not all(map(numpy.array_equal, *pair)):
                wrong.add(f"f{index}")
        counts = f"{len(wrong)} wrong after the pass, {len(refused)} refused"
        print(f"{CASES} programs: {counts}", file=sys.stderr)
        self.assertEqual(wrong - refused, set())
        self.assertGreater(len(wrong), 0)
        # Refused, and yet right in these calls: what is overwritten may be equal.
        self.assertLessEqual(len(refused - wrong), CASES // 20)

    def test_modules_mean_what_tvm_computes(self):
        mod, recording = drawn(CASES, SEED), Recording()
        for index, arrays in enumerate(results(mod, CASES)):
            outputs = arrays[: len(arrays) // 2 - len(GIVEN)]
            recording.add(f"f{index}", GIVEN, outputs)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a.module"
            file.write_text(pteproof_relax.module(mod))
            recording.write(pathlib.Path(folder), "a.module")
            done = run("eval", "-q", str(file))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{CASES} calls agree, 0 differ", done.stdout)


if __name__ == "__main__":
    unittest.main()

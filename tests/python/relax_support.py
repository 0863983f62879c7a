"""What relax_test.py and relax_random_test.py share: TVM's results, and recordings of them."""

import json
import os
import subprocess

import numpy
import tvm
from tvm import relax

BINARY = os.environ.get("PTEPROOF_BINARY", "")


def run(*arguments, given=""):
    return subprocess.run(
        [BINARY, *arguments], input=given, capture_output=True, text=True, check=False
    )


def machine_of(mod):
    return relax.VirtualMachine(tvm.compile(mod, target="llvm"), tvm.cpu())


def flat(result):
    """The arrays of a result, which may be a tuple of tuples."""
    if hasattr(result, "numpy"):
        return [result.numpy()]
    return [array for part in result for array in flat(part)]


class Recording:
    """Calls of a Module with the results that TVM computes (docs/reference/calls.md)."""

    def __init__(self):
        self._bytes, self._calls = b"", []

    def _value(self, array):
        data = numpy.ascontiguousarray(array).tobytes()
        entry = {"kind": "tensor", "dtype": str(array.dtype), "sizes": list(array.shape)}
        entry.update(offset=len(self._bytes), nbytes=len(data))
        self._bytes += data
        return entry

    def add(self, method, inputs, outputs):
        call = {"method": method, "executorch": None, "truth": "eager"}
        call["inputs"] = [self._value(array) for array in inputs]
        call["eager"] = [self._value(array) for array in outputs]
        self._calls.append(call)

    def write(self, folder, program):
        (folder / "calls.bin").write_bytes(self._bytes)
        sequences = [{"name": c["method"], "calls": [c]} for c in self._calls]
        text = json.dumps({"program": program, "sequences": sequences})
        (folder / "calls.json").write_text(text)

"""Writes a TVM Relax program as a Module (docs/reference/modules.md) for `pteproof lint` and `plan`.

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
from pteproof_relax_dims import Unsupported, dtype_of
from pteproof_relax_method import Method
from pteproof_relax_ops import OPERATORS  # noqa: F401
from pteproof_relax_text import Sizes, literal, tensor_type
from tvm import relax


def module(mod, *, dims=None, fresh=()):
    """Returns the Module, as text, of a tvm.ir.IRModule, before or after DataflowUseInplaceCalls.

    Its methods are the public Relax functions; calls of the others are expanded.
    dims: {name: (least, most)} for symbolic dims that have no bounds in the function's attributes
      `tir_var_lower_bound` and `tir_var_upper_bound`.
    fresh: the packed functions that write no argument and return new memory.
    """
    buffers = _Buffers()
    functions = sorted(
        ((var.name_hint, f) for var, f in mod.functions.items() if isinstance(f, relax.Function)),
        key=lambda named: named[0],
    )
    public = [(n, f) for n, f in functions if f.attrs and "global_symbol" in f.attrs]
    if not public:
        raise Unsupported("the module has no public Relax function")
    texts = [Method(mod, name, f, buffers, dims or {}, fresh).text() for name, f in public]
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
            kind = tensor_type(dtype_of(constant.ty), [Sizes.of(n) for n in array.shape])
            elements = ", ".join(literal(e) for e in array.reshape(-1))
            yield f"buffer {self.of(constant)}: {kind} = [{elements}]\n"


def load(path, name=None):
    """The IRModule of a file: Python that defines it, JSON of tvm.ir.save_json, or a pickle."""
    path = pathlib.Path(path)
    if path.suffix == ".json":
        return tvm.ir.load_json(path.read_text())
    if path.suffix in (".pkl", ".pickle"):
        return pickle.loads(path.read_bytes())
    sys.path.insert(0, str(path.parent))  # as if it was run
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
        help="a packed function that writes no argument and returns new memory; may be repeated",
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

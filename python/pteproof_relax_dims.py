"""Sizes and element types of TVM Relax as those of a Module. Symbolic dims keep their names; their
ranges come from the function's attributes or from the user."""

import re

from pteproof_relax_text import Sizes

_FUNCTIONS = {"FloorDiv": "floordiv", "FloorMod": "mod", "Min": "min", "Max": "max"}


class Unsupported(ValueError):
    """A construct that a Module does not express, or something that the program does not say."""


def dtype_of(of_type):
    """The name of a tensor's element type."""
    return str(of_type.dtype.dtype if hasattr(of_type.dtype, "dtype") else of_type.dtype)


def word(name):
    """A name as Modules write it: letters, digits, dots; a letter first."""
    text = re.sub(r"[^A-Za-z0-9_.]", "_", str(name))
    return text if re.match(r"[A-Za-z_]", text) else "_" + text


class Dims:
    """The symbolic dims of one method."""

    def __init__(self, attrs, bounds, fail):
        """bounds: {name: (least, most)}; fail: called with the text of an error."""
        self._attrs, self._bounds, self._fail = attrs or {}, bounds, fail
        self._sizes = {}  # symbolic variable -> its Sizes
        self.declared = {}  # name -> (least, most)

    def size(self, expr):
        """A PrimExpr of integers as Sizes."""
        kind = type(expr).__name__
        if isinstance(expr, int):
            return Sizes.of(expr)
        if kind == "IntImm":
            return Sizes.of(int(expr.value))
        if kind == "Var":
            return self._dim(expr)
        if kind == "Cast":
            return self.size(expr.value)
        if kind not in ("Add", "Sub", "Mul", *_FUNCTIONS):
            return self._fail(f"the size {expr} is not expressed")
        a, b = self.size(expr.a), self.size(expr.b)
        if kind in _FUNCTIONS:
            return Sizes.call(_FUNCTIONS[kind], a, b)
        return a + b if kind == "Add" else a - b if kind == "Sub" else a * b

    def _dim(self, var):
        if var not in self._sizes:
            name = word(var.name)
            while name in self.declared:
                name += ".1"
            self._sizes[var] = Sizes.named(name)
            self.declared[name] = self._range(var.name)
        return self._sizes[var]

    def _range(self, name):
        if name in self._bounds:
            return self._bounds[name]
        most = dict(self._attrs.get("tir_var_upper_bound") or {}).get(name)
        if most is None:
            self._fail(
                f"dim {name} has no upper bound: give one by --dim {name}=LEAST..MOST, dims="
            )
        least = dict(self._attrs.get("tir_var_lower_bound") or {}).get(name, 0)
        return int(least), int(most)

    def bind(self, pattern, tensor):
        """match_cast, and arguments of an expanded call: new dims of the pattern get a meaning."""
        values = getattr(getattr(pattern, "shape", None), "values", None)
        if values is None:
            return
        for value, size in zip(values, tensor.sizes, strict=True):
            if type(value).__name__ == "Var" and value not in self._sizes:
                self._sizes[value] = size
            elif self.size(value) != size:
                self._fail(
                    f"a tensor with the size {size} is cast to {self.size(value)}; "
                    "its signature must give this size"
                )

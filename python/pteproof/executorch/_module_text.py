"""The smallest parts of a Module's text: names, numbers, sizes, types, contents."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import sympy
import torch
from torch.utils._sympy import functions

from pteproof.executorch._ranges import bounds_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_BUFFER_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.]*")
_FEW = 64  # elements that people may want to read
_LARGEST = 2**31 - 1  # of sizes


def is_name(text: str, *, of_buffer: bool = False) -> bool:
    """Whether a text may be a name.

    >>> is_name("layers.0.weight"), is_name("0.weight"), is_name("0.weight", of_buffer=True)
    (True, False, True)
    """
    return (_BUFFER_NAME if of_buffer else _NAME).fullmatch(text) is not None


def literal_text(value: bool | float | str | None) -> str:
    """A number or a text, as operands are written.

    >>> [literal_text(each) for each in (None, True, 3, 0.5, float("-inf"), "a")]
    ['None', 'true', '3', '0.5', '-inf', '"a"']
    """
    if value is None:
        return "None"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    return str(value) if isinstance(value, int) else json.dumps(value)


def contents_text(tensor: torch.Tensor) -> str:
    r"""What a buffer of few elements holds at first, if that is not zeros.

    >>> contents_text(torch.tensor([1.0, -0.5])), contents_text(torch.tensor([float("nan")]))
    (' = [1.0, -0.5]', ' = [0x7fc00000]')
    >>> contents_text(torch.zeros(4))
    ''
    """
    flat = flat_bytes(tensor)
    if not bool(flat.any()):
        return ""
    values = tensor.detach().cpu().reshape(-1)
    if values.is_floating_point() and bool(values.isnan().any()):
        rows = flat.reshape(values.numel(), values.element_size()).flip(1)
        return f" = [{', '.join(f'0x{bytes(row.tolist()).hex()}' for row in rows)}]"
    return f" = [{', '.join(literal_text(each) for each in values.tolist())}]"


def is_short(tensor: torch.Tensor) -> bool:
    """Whether people may want to read its elements."""
    return int(tensor.numel()) <= _FEW


def flat_bytes(tensor: torch.Tensor) -> torch.Tensor:
    """The bytes of the elements in a row: the tensor's own memory, if they lie there so.

    >>> flat_bytes(torch.zeros(2, 3)[:1, 0]).tolist()  # of a stride that does not matter
    [0, 0, 0, 0]
    """
    row = tensor.detach().cpu().contiguous().as_strided((tensor.numel(),), (1,))
    return row.view(torch.uint8)


def type_text(tensor: torch.Tensor, dims: Dims | None) -> str:
    """A tensor's type.

    >>> type_text(torch.zeros(2, 3), None)
    'float32[2, 3]'
    """
    sizes = [str(s) if isinstance(s, int) or dims is None else dims.size(s) for s in tensor.shape]
    return f"{str(tensor.dtype).removeprefix('torch.')}[{', '.join(sizes)}]"


class Dims:
    """The dims of a method, as its sizes name them."""

    def __init__(self, ranges: Mapping[Any, Any], refusal: type[Exception]) -> None:
        self._ranges, self._refusal = ranges, refusal
        self._used: dict[str, Any] = {}
        self._hints: dict[str, int] = {}

    def size(self, size: torch.SymInt) -> str:
        """A symbolic integer as a function of the dims."""
        return self._sum(sympy.expand(size.node.expr), size)

    def text(self) -> str:
        """The declaration of those that were used."""
        if not self._used:
            return ""
        return f" dims({', '.join(self._used[name] for name in sorted(self._used))})"

    def _sum(self, expression: sympy.Expr, of: Any) -> str:
        text = ""
        for term in sympy.Add.make_args(expression):
            factors = list(sympy.Mul.make_args(term))
            number = 1
            words = []
            for factor in factors:
                if factor.is_Integer:
                    number *= int(factor)
                else:
                    words += self._factor(factor, of)
            if abs(number) != 1 or not words:
                words.insert(0, str(abs(number)))
            sign = "-" if number < 0 else ""
            text += (f" {sign or '+'} " if text else sign) + "*".join(words)
        return text

    def _factor(self, factor: sympy.Expr, of: Any) -> list[str]:
        if factor.is_Symbol:
            return [self._dim(factor, of)]
        if factor.is_Pow and factor.exp.is_Integer and factor.exp > 0:
            return self._factor(factor.base, of) * int(factor.exp)
        for kinds, word in _FUNCTIONS:
            if isinstance(factor, kinds):
                text = self._sum(factor.args[0], of)
                for argument in factor.args[1:]:
                    text = f"{word}({text}, {self._sum(argument, of)})"
                return [text]
        raise self._refusal(f"a size is {factor}")

    def _dim(self, symbol: sympy.Symbol, of: Any) -> str:
        name = str(symbol)
        bounds = self._ranges.get(symbol)
        if bounds is None or not is_name(name) or name.startswith(("u", "z")):
            raise self._refusal(f"a size is {symbol}, which no input has")
        lower, upper = bounds_of(bounds)
        upper = _LARGEST if upper is None else min(upper, _LARGEST)
        hint = of.node.shape_env.var_to_val.get(symbol) if of.node.shape_env else None
        told = f" hint {int(hint)}" if hint is not None and lower <= hint <= upper else ""
        self._used[name] = f"{name} in {lower}..{upper}{told}"
        return name


_FUNCTIONS = (
    ((functions.FloorDiv,), "floordiv"),
    ((functions.Mod, functions.PythonMod), "mod"),
    ((functions.Max,), "max"),
    ((functions.Min,), "min"),
)

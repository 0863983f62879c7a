"""Calls of a model in PyTorch, as a recording (docs/reference/calls.md)."""

from __future__ import annotations

import dataclasses
import json
import math
import pathlib
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclasses.dataclass
class Row:
    """A call, compared."""

    agrees: bool
    differs: bool
    reason: str

    @staticmethod
    def of(line: Mapping[str, Any]) -> Row:
        result = line["result"]
        differs = result in ("differs", "fails")
        return Row(result == "agrees", differs, line.get("reason") or result)


class Recording:
    """Sequences of calls with PyTorch's outputs, as the two files of a recording."""

    def __init__(self) -> None:
        self.sequences: list[dict[str, Any]] = []
        self._data = bytearray()

    def begin(self, policy: str) -> None:
        """A sequence: it begins with the first state."""
        name = str(len(self.sequences))
        self.sequences.append({"name": name, "policy": policy, "calls": []})

    def add(self, method: str, inputs: Iterable[Any], outputs: Iterable[Any]) -> None:
        """A call of the sequence."""
        self.sequences[-1]["calls"].append(
            {
                "method": method,
                "inputs": [self._value(each) for each in inputs],
                "eager": [self._value(each) for each in outputs],
                "executorch": None,
                "truth": "eager",
            }
        )

    def write(self, folder: str) -> str:
        """Writes both files, and returns the path of the first."""
        path = pathlib.Path(folder, "calls.json")
        path.write_text(json.dumps({"program": "model", "sequences": self.sequences}))
        path.with_suffix(".bin").write_bytes(self._data)
        return str(path)

    def _value(self, value: Any) -> dict[str, Any]:
        if isinstance(value, torch.Tensor):
            return self._tensor(value)
        if value is None:
            return {"kind": "none"}
        if isinstance(value, float):
            named = value if math.isfinite(value) else str(value)
            return {"kind": "double", "value": named}
        kinds = {bool: "bool", int: "int", str: "string"}
        return {"kind": kinds[type(value)], "value": value}

    def _tensor(self, tensor: torch.Tensor) -> dict[str, Any]:
        # One element may have any stride, which no view as bytes takes.
        row = tensor.detach().contiguous().as_strided((tensor.numel(),), (1,))
        flat = row.view(torch.uint8).numpy().tobytes()
        self._data.extend(b"\0" * (-len(self._data) % 16))
        place = {"offset": len(self._data), "nbytes": len(flat)}
        self._data.extend(flat)
        dtype = str(tensor.dtype).removeprefix("torch.")
        return {"kind": "tensor", "dtype": dtype, "sizes": list(tensor.shape), **place}

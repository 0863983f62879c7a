"""What a process that exports again and again need not do again.

Each lowering asks PyTorch's dispatcher for all operators that it may decompose, which takes a third
of an export's time. The answer is the same as long as no operator is registered, which a hunt does
not do after its imports.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

_NAME = "_collect_all_valid_cia_ops"
_USERS = ("torch._export.utils", "torch.export.exported_program", "torch.export.decomp_utils")


def keep_operators() -> None:
    """Lets the answer be kept, if this version of PyTorch asks in the way that is known."""
    modules: list[Any] = []
    for name in _USERS:
        try:
            modules.append(importlib.import_module(name))
        except ImportError:
            return
    original = getattr(modules[0], _NAME, None)
    if original is None or any(getattr(m, _NAME, None) is not original for m in modules):
        return
    kept = functools.lru_cache(maxsize=1)(original)
    for module in modules:
        setattr(module, _NAME, kept)


def register_quickly() -> None:
    """Registers kernels without making the types of their annotations, a quarter of an export."""
    import torch

    base: Any = getattr(torch._ops, "OperatorBase", None)
    if base is None or "py_impl" not in vars(base):
        return
    original = base.py_impl
    keys = torch._C.DispatchKey

    def py_impl(self: Any, key: Any) -> Any:
        if not isinstance(key, keys) or key == keys.Python:
            return original(self, key)

        def register(function: Any) -> Any:
            if key in self.py_kernels:
                return original(self, key)(function)  # its own error
            self.py_kernels[key] = function
            self._dispatch_cache.clear()
            return function

        return register

    base.py_impl = py_impl

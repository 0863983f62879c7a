"""Random models through ExecuTorch's exporter, judged and run: `python -m pteproof hunt`.

It needs torch and executorch where it is used, not where it is imported. docs/how-to/hunt.md is the
guide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pteproof.hunt._model import TorchModel, torch_module

__all__ = ["TorchModel", "torch_module"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'pteproof.hunt' has no attribute '{name}'")
    from pteproof.hunt import _model

    return getattr(_model, name)

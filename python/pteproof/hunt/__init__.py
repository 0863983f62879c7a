"""Random models through ExecuTorch's exporter, judged and run: `python -m pteproof hunt`.

Needs torch and executorch, and is imported only when it is used. docs/how-to/hunt.md is the guide.
"""

from pteproof.hunt._model import TorchModel, torch_module

__all__ = ["TorchModel", "torch_module"]

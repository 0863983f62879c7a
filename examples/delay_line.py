"""A model that ExecuTorch 1.5.1 exports wrong: the error names the line, and a clone mends it."""

import torch
from executorch.exir import to_edge
from torch.export import export

import pteproof
from pteproof.executorch import to_executorch


class DelayLine(torch.nn.Module):
    """Returns the input of the call before the last one."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("newest", torch.zeros(4))
        self.register_buffer("older", torch.zeros(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Moves both buffers on by one call."""
        out = self.older * 1.0
        self.older.copy_(self.newest)
        self.newest.copy_(x)
        return out


class Mended(DelayLine):
    """The same, with a clone of what is stored."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Moves both buffers on by one call."""
        out = self.older * 1.0
        self.older.copy_(self.newest.clone())
        self.newest.copy_(x)
        return out


for model in (DelayLine(), Mended()):
    exported = export(model, (torch.ones(4),))
    try:
        program = to_executorch(to_edge(exported), exported=exported)
        print(type(model).__name__, "is", program.report.verdict)
    except pteproof.UnsafePlanError as error:
        print(error, end="\n\n")

"""Exports the model of the tutorial (docs/tutorial.md) and runs it in PyTorch and in ExecuTorch."""

import torch
from executorch.exir import to_edge
from executorch.runtime import Runtime
from torch.export import export


class TwoConds(torch.nn.Module):
    """Has two conditionals and returns the difference between their results."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Uses the first result after the second conditional."""
        y = torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))
        z = torch.cond(x.sum() > 1, lambda x: x * 3, lambda x: x * 2, (x,))
        return y - z


model = TwoConds()
x = torch.ones(2, 4)
program = to_edge(export(model, (x,))).to_executorch()
with open("two_conds.pte", "wb") as file:
    program.write_to_file(file)

print("PyTorch:   ", model(x)[0].tolist())
method = Runtime.get().load_program("two_conds.pte").load_method("forward")
print("ExecuTorch:", method.execute([x])[0][0].tolist())

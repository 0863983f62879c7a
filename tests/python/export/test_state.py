"""Copies of programs that may run: what is theirs, and what they share with the model."""

import pytest
import torch
from torch import nn
from torch.export import export

from pteproof.executorch._state import copied


class Updates(nn.Module):
    """Writes a parameter by a view, inside of a region and with gradients."""

    def __init__(self, in_region):
        super().__init__()
        self.in_region = in_region
        self.written = nn.Parameter(torch.zeros(3), requires_grad=in_region)
        self.read = nn.Parameter(torch.ones(3))
        self.register_buffer("state", torch.ones(3))

    def forward(self, x):
        if self.in_region:
            with torch.no_grad():
                self.written[1:].add_(1)
        else:
            self.written[1:].add_(1)
        self.state.add_(x)
        return torch.relu_(x + self.written * self.read + self.state)


@pytest.mark.parametrize("in_region", [False, True])
def test_a_copy_has_memory_of_its_own_for_what_it_writes(in_region):
    model = Updates(in_region)
    program = export(model, (torch.ones(3),))
    copy = copied({"forward": program})["forward"]
    copy.module()(torch.ones(3))
    assert torch.equal(model.written.detach(), torch.zeros(3))
    assert torch.equal(model.state, torch.ones(3))
    assert copy.state_dict["read"] is program.state_dict["read"]


def test_tensors_in_one_memory_are_in_one_memory_of_the_copies():
    whole = torch.arange(6.0)

    class Part(nn.Module):
        def __init__(self, part):
            super().__init__()
            self.register_buffer("part", part)

        def forward(self, x):
            self.part.add_(x)
            return self.part + 0

    parts = {"left": whole[:4], "right": whole[2:]}
    programs = {n: export(Part(p), (torch.ones(4),)) for n, p in parts.items()}
    copies = copied(programs)
    copies["left"].module()(torch.ones(4))
    right = copies["right"].state_dict["part"]
    assert right.tolist() == [3.0, 4.0, 4.0, 5.0]
    assert whole.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]

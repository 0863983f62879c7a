"""Models that the shipped exporter gets wrong, with the rule and the line that the error names."""

import torch
from models import Kind, shared
from more_mistakes import IN_A_RUN_ONLY as IN_A_RUN_ONLY
from more_mistakes import MORE
from torch import nn


class Siblings(nn.Module):
    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))
        z = torch.cond(x.sum() > 1, lambda x: x * 2, lambda x: x * 3, (x,))
        return y - z


class DelayLine(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("newest", torch.zeros(4))
        self.register_buffer("older", torch.zeros(4))

    def forward(self, x):
        out = self.older + 1
        self.older.copy_(self.newest)
        self.newest.copy_(x)
        return out


class StoreDropped(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("first", torch.zeros(4))
        self.register_buffer("second", torch.zeros(4))

    def forward(self, x):
        before = self.second * 2
        self.second.copy_(self.first)
        return before + x + self.first


class Swap(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("left", torch.zeros(4))
        self.register_buffer("right", torch.ones(4))

    def forward(self, x):
        out = self.left + self.right * 2 + x
        left = self.left.clone()
        self.left.copy_(self.right)
        self.right.copy_(left)
        return out


class Start(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.ones(4))

    def forward(self, x):
        self.total.add_(x)
        return self.total * 2


class Nested(nn.Module):
    def forward(self, x):
        inner = lambda x: torch.cond(x.sum() > 3, lambda x: x * 2, lambda x: x * 3, (x,))  # noqa
        y = torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))
        z = torch.cond(x.sum() > 1, inner, lambda x: x - 7, (x,))
        return y + z


class Memory(nn.Module):
    def __init__(self, buffer):
        super().__init__()
        self.register_buffer("memory", buffer)


class Put(Memory):
    def forward(self, x):
        self.memory.copy_(x)
        return x + 1


class Get(Memory):
    def forward(self):
        return self.memory * 1.0


def put_and_get(buffer, config=None):
    """Two methods of one buffer."""
    return Kind(
        {"put": Put(buffer), "get": Get(buffer)},
        {"put": (torch.ones(4),), "get": ()},
        config=config,
    )


# By name: the model, its inputs, the rule, and the text of the line.
MISTAKES = {
    "start": (Start, "read-before-write", "self.total.add_(x)"),
    "siblings": (Siblings, "region-escape", "z = torch.cond("),
    "delay line": (DelayLine, "write-back-missing", "self.older.copy_(self.newest)"),
    "store dropped": (StoreDropped, "write-back-missing", "self.second.copy_(self.first)"),
    "nested": (Nested, "region-escape", "z = torch.cond("),
    # Only the method that stores takes it for state.
    "reader": (None, "mutability-mismatch", "return self.memory * 1.0"),
    # Without the pass that keeps initial values.
    "start of what is shared": (None, "read-before-write", "return self.memory * 1.0"),
    "swap": (Swap, "write-back-missing", "self.left.copy_(self.right)"),
    **MORE,
}


def kind_of(name):
    if name == "reader":
        return put_and_get(torch.zeros(4))
    if name == "start of what is shared":
        return put_and_get(torch.ones(4), shared())
    made = MISTAKES[name][0]()
    return made if isinstance(made, Kind) else Kind(made, (torch.ones(4),))

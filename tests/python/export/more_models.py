"""More kinds of models: sizes that are computed, loops, regions in regions, numbers as inputs."""

import torch
from models import IMAGE, Kind, Model, X, lambda_of, shared
from torch import nn
from torch.export import Dim

ROWS = ({0: Dim("rows", min=2, max=16)},)
BOTH = ({0: Dim("rows", min=2, max=8), 1: Dim("columns", min=2, max=8)},)
EVEN = ({0: 2 * Dim("half", min=1, max=8)},)


def inputs(sizes):
    """The dims of a Model's inputs, which it takes as a list."""
    return (sizes,)


def scanned(_, x):
    from torch._higher_order_ops.scan import scan

    def step(sum_, row):
        return sum_ + row, sum_ * row

    last, all_ = scan(step, torch.zeros(4), x, dim=0)
    return last, all_


def nested(_, x):
    inner = lambda x: torch.cond(x.sum() > 3, lambda x: x * 2, lambda x: x * 3, (x,))  # noqa: E731
    return torch.cond(x.sum() > 0, inner, lambda x: x - 1, (x,))


def branch_with_constants(m, x):
    return torch.cond(x.sum() > 0, lambda x: x + m.c, lambda x: x - torch.ones(4), (x,))


def branch_of_state(m, x):
    new = torch.cond(x.sum() > 0, lambda x, s: s + x, lambda x, s: s - x, (x, m.total))
    m.total.copy_(new)
    return new.clone()


def mapped_branch(_, x):
    from functorch.experimental.control_flow import map

    def row(row):
        return torch.cond(row.sum() > 0, lambda r: r + 1, lambda r: r - 1, (row,))

    return map(row, x)


def causal(_, x):
    n = x.size(0)
    mask = torch.tril(torch.ones(n, n))
    return mask @ x


def running(m, x):
    return m.norm(x)


def quantise(_, x):
    return torch.clamp(torch.round(x * 4), -128, 127).to(torch.int8).to(torch.float32) / 4


def trees(_, x, y):
    return {"sum": x + y, "parts": [x - y, (x * y,)]}


def window(m, x, at):
    rows = m.cache[at : at + 1] if isinstance(at, int) else m.cache
    m.cache.copy_(torch.roll(m.cache, 1, 0))
    return rows + x


def swap(m, x):
    first = m.first.clone()
    m.first.copy_(m.second + x)
    m.second.copy_(first * 2)
    return m.first - m.second


def count(m, x):
    m.calls.add_(1)
    return x * m.calls


def more_kinds():
    """By name."""
    return {
        "scan": Kind(Model(scanned), (X,)),
        "nested cond": Kind(Model(nested), (X,)),
        "cond with constants": Kind(Model(branch_with_constants, c=torch.arange(4.0)), (X,)),
        "cond of state": Kind(Model(branch_of_state, total=torch.zeros(4, 4)), (X,)),
        "map of cond": Kind(Model(mapped_branch), (X - 5,)),
        "dynamic mask": Kind(Model(causal), (X,), dynamic=inputs(ROWS)),
        "two dynamic sizes": Kind(
            lambda_of(lambda x: torch.softmax(x, 1).t() + 1), (X,), dynamic=inputs(BOTH)
        ),
        "flattened": Kind(lambda_of(lambda x: x.reshape(-1).cumsum(0)), (X,), dynamic=inputs(BOTH)),
        "halves": Kind(
            lambda_of(lambda x: x[: x.size(0) // 2] + x[x.size(0) // 2 :]),
            (X,),
            dynamic=inputs(EVEN),
        ),
        "dynamic concatenation": Kind(
            lambda_of(lambda x: torch.cat([x, x + 1, x[:1]])), (X,), dynamic=inputs(ROWS)
        ),
        "doubles": Kind(lambda_of(lambda x: x.double() / 3), (X,)),
        "booleans": Kind(lambda_of(lambda x: (x > 3) & ~(x > 7)), (X,)),
        "eight bits": Kind(Model(quantise), (X,)),
        "running mean": Kind(Model(running, norm=nn.BatchNorm2d(3)), (IMAGE,)),
        "many constants": Kind(nn.Sequential(nn.Linear(4, 64), nn.Linear(64, 64)), (X,)),
        "trees of outputs": Kind(Model(trees), (X, X + 1)),
        "a number as input": Kind(Model(window, cache=torch.zeros(4, 4)), (X[:1], 2)),
        "crossed buffers": Kind(
            Model(swap, first=torch.zeros(4), second=torch.zeros(4)), (torch.ones(4),)
        ),
        "integer state": Kind(Model(count, calls=torch.zeros(1, dtype=torch.int64)), (X,)),
        "two methods that count": Kind(
            two_that_count(), {"up": (X,), "down": (X,)}, config=shared()
        ),
    }


def two_that_count():
    level = torch.zeros(4, 4)

    def up(m, x):
        m.level.add_(x)
        return m.level * 1.0

    def down(m, x):
        m.level.sub_(x)
        return m.level * 1.0

    return {"up": Model(up, level=level), "down": Model(down, level=level)}

"""More models that the shipped exporter gets wrong.

Their functions are named `forward`: PyTorch keeps the lines of no others.
"""

import torch
from executorch.exir import ExecutorchBackendConfig
from executorch.exir.dialects._ops import ops
from executorch.exir.passes import MemoryPlanningPass
from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass
from models import Kind, Model, X, shared
from torch import nn
from torch.export import Dim

VECTOR = torch.ones(4)
ROW = torch.tensor([1])
POSITIVE = torch.tensor(True)


def of(function, **buffers):
    """A module of these buffers."""
    made = type("Made", (nn.Module,), {"forward": function})()
    for name, buffer in buffers.items():
        made.register_buffer(name, buffer)
    return made


def in_place(*more, **options):
    """Operators that write their operands are put in the place of index_put and of these."""
    return ExecutorchBackendConfig(
        run_reinplace_pass=True, reinplace_extra_ops=frozenset(more), **options
    )


def in_place_and_shared():
    return in_place(
        memory_planning_pass=MemoryPlanningPass(share_mutable_buffers=True),
        emit_mutable_buffer_names=True,
    )


def zeros():
    return torch.zeros(4, 4)


def name_clash():
    def forward(self, total):
        self.total.add_(total)
        return self.total * self.total

    return Kind(of(forward, total=torch.zeros(4)), (VECTOR,))


def view_then_store():
    def forward(self, x):
        flat = self.newest.reshape(-1)
        self.older.copy_(flat.reshape(4, 4))
        self.newest.copy_(x)
        return x + x

    newest, older = zeros(), zeros()
    read = Model(lambda m: m.newest - m.older, newest=newest, older=older)
    step = of(forward, newest=newest, older=older)
    return Kind({"step": step, "read": read}, {"step": (X,), "read": ()}, config=shared())


def old_value():
    def forward(self, x):
        self.older.copy_(self.newest)
        self.newest.copy_(x)
        return self.older

    return Kind(of(forward, newest=torch.zeros(4), older=torch.zeros(4)), (VECTOR,))


def old_input():
    def forward(self, x):
        self.kept.copy_(x)
        x.add_(x)
        return self.kept

    return Kind(of(forward, kept=torch.zeros(4)), (torch.ones(4),))


def two_users():
    def forward(self, x, y):  # noqa: ARG001
        a = x + y
        return torch.maximum(a, y) + torch.minimum(a, y)

    config = in_place(ops.edge.aten.maximum.default, ops.edge.aten.minimum.default)
    return Kind(of(forward), (X, X + 1), config=config)


def flipped():
    def forward(self, x):  # noqa: ARG001
        return torch.flip(x + x, [0, 1]) + x

    return Kind(of(forward), (X,), config=in_place(ops.edge.aten.flip.default))


def over_constant():
    def forward(self, x, at):
        table = self.table.view(2, 8)
        return torch.index_put(table, (at,), x[:1]) * x

    return Kind(of(forward, table=torch.ones(4, 4)), (torch.ones(2, 8), ROW), config=in_place())


def over_input():
    def forward(self, x, y, at):  # noqa: ARG001
        put = torch.index_put(x.view(2, 8), (at,), y[:1])
        return put * put, x + x

    return Kind(of(forward), (X, torch.ones(2, 8), ROW), config=in_place())


def over_itself():
    def forward(self, x, at):  # noqa: ARG001
        a = x + x
        return torch.index_put(a, (at,), a) * 1.0

    return Kind(of(forward), (X, torch.tensor([1, 2, 3, 0])), config=in_place())


def over_view():
    def forward(self, x, y, at):  # noqa: ARG001
        a = x + x
        flat = a.view(-1)
        put = torch.index_put(a, (at,), y[:1])
        return put + y, flat * flat

    return Kind(of(forward), (X, X, ROW), config=in_place())


def before_store():
    def forward(self, x, y, at):
        new = torch.index_put(self.state, (at,), x[:1])
        self.state.copy_(y)
        return new

    return Kind(of(forward, state=zeros()), (X, X, ROW), config=in_place())


def freed():
    def forward(self, x, y, at):  # noqa: ARG001
        put = torch.index_put(x - y, (at,), y[:1])
        other = x * x - x
        return put * other

    return Kind(of(forward), (X, X, ROW), config=in_place())


def wrong_root():
    def forward(self, x, at):
        new = torch.index_put(self.left, (at,), x[:1])
        self.right.copy_(new)
        self.left.copy_(x)
        return x + x

    left, right = zeros(), zeros()
    read = Model(lambda m: m.left - m.right, left=left, right=right)
    step = of(forward, left=left, right=right)
    config = in_place_and_shared()
    return Kind({"step": step, "read": read}, {"step": (X, ROW), "read": ()}, config=config)


def cond_of_state():
    def forward(self, positive, x):
        new, old = torch.cond(
            positive,
            lambda a, u: (a + u, u * u),
            lambda a, u: (a * u, u + u),
            (self.newest, x),
        )
        out = torch.cond(positive, lambda u: u * 3.0, lambda u: u - 1.0, (x,))
        self.older.copy_(old)
        self.newest.copy_(new)
        return out

    older, newest = torch.zeros(4), torch.zeros(4)
    read = Model(lambda m: m.older - m.newest, older=older, newest=newest)
    step = of(forward, older=older, newest=newest)
    inputs = {"step": (POSITIVE, VECTOR), "read": ()}
    return Kind({"step": step, "read": read}, inputs, config=shared())


def cond_and_map():
    def forward(self, positive, x, y):  # noqa: ARG001
        from functorch.experimental.control_flow import map

        a = torch.cond(positive, lambda u: u * u, lambda u: u + u, (x,))
        return a - map(lambda row, y: row * y, x, y)

    return Kind(of(forward), (POSITIVE, X, VECTOR))


def cond_and_scan():
    def forward(self, positive, x, first):  # noqa: ARG001
        from torch._higher_order_ops.scan import scan

        a = torch.cond(positive, lambda u: u * u, lambda u: u + u, (x,))
        last, rows = scan(lambda c, row: (c + row, (c * row).clone()), first, x, dim=0)
        return a, rows, last

    return Kind(of(forward), (POSITIVE, X, VECTOR))


def unbounded():
    def forward(self, x):  # noqa: ARG001
        return x * x + x

    return Kind(of(forward), (X,), dynamic=({0: Dim("rows")},))


def two_values_of_one_place():
    def forward(self, x):
        r = x + self.zero
        self.t.add_(x * 2.0)
        self.s.add_(x)
        return self.s + r, self.t * x

    config = ExecutorchBackendConfig(
        passes=[InitializedMutableBufferPass(["s", "t"])], emit_mutable_buffer_names=True
    )
    buffers = {"zero": torch.zeros(4), "s": torch.zeros(4), "t": torch.arange(4.0)}
    return Kind(of(forward, **buffers), (VECTOR,), config=config)


def late_load():
    def forward(self, x):
        self.total.add_(x)
        return x + x

    total = torch.arange(4.0)
    config = shared()
    config.passes.append(InitializedMutableBufferPass(["total"]))
    modules = {"write": of(forward, total=total), "more": of(forward, total=total)}
    return Kind(modules, {"write": (VECTOR,), "more": (VECTOR,)}, config=config)


# By name: the model, the rule, and the text of the line.
MORE = {
    "name clash": (name_clash, "write-back-missing", "self.total.add_(total)"),
    "view then store": (view_then_store, "entry-value-lost", "self.newest.copy_(x)"),
    "old value": (old_value, "entry-value-lost", "self.newest.copy_(x)"),
    "old input": (old_input, "entry-value-lost", "x.add_(x)"),
    "two users": (two_users, "in-place-single-use", "torch.maximum(a, y)"),
    "flipped": (flipped, "in-place-alias", "torch.flip(x + x, [0, 1])"),
    "over a constant": (over_constant, "in-place-alias", "table = self.table.view(2, 8)"),
    "over an input": (over_input, "in-place-alias", "torch.index_put(x.view(2, 8)"),
    "over itself": (over_itself, "in-place-alias", "a = x + x"),
    "over a view": (over_view, "alias-lifetime", "a = x + x"),
    "before a store": (before_store, "entry-value-lost", "self.state"),
    "freed": (freed, "alias-lifetime", "other = x * x - x"),
    "wrong root": (wrong_root, "write-back-missing", "self.right.copy_(new)"),
    "cond of state": (cond_of_state, "region-escape", "torch.cond(positive, lambda u: u * 3.0"),
    "cond and map": (cond_and_map, "region-escape", "map(lambda row, y"),
    "cond and scan": (cond_and_scan, "region-escape", "scan(lambda c, row"),
    "unbounded": (unbounded, "bound-too-small", "x * x + x"),
    "two values of one place": (two_values_of_one_place, "initial-value-wrong", "self.s.add_(x)"),
    "late load": (late_load, "initialised-twice", "self.total.add_(x)"),
}


def output_overwritten():
    def forward(self, x, at):  # noqa: ARG001
        a = x + x
        return a, torch.index_put(a, (at,), x[:1])

    return Kind(of(forward), (X, ROW), config=in_place())


def state_overwritten():
    def forward(self, x, at):
        a = self.state + x
        self.state.copy_(a)
        return torch.index_put(a, (at,), x[:1])

    state = zeros()
    modules = {"step": of(forward, state=state), "read": Model(lambda m: m.state * 2, state=state)}
    return Kind(modules, {"step": (X, ROW), "read": ()}, config=in_place_and_shared())


def swapped_in_place():
    def forward(self, x, at):
        new = [torch.index_put(b, (at,), x[k : k + 1]) for k, b in enumerate((self.a, self.b))]
        self.a.copy_(new[1])
        self.b.copy_(new[0])
        return x + x

    a, b = zeros(), zeros()
    modules = {"step": of(forward, a=a, b=b), "read": Model(lambda m: m.a - m.b, a=a, b=b)}
    return Kind(modules, {"step": (X, ROW), "read": ()}, config=in_place_and_shared())


def outputs_shifted():
    def forward(self, x, at):
        self.cache.index_put_((at,), x[:1])
        x.add_(1.0)
        self.sum.add_(x)
        return self.cache + self.sum

    return Kind(of(forward, cache=zeros(), sum=zeros()), (X.clone(), ROW), config=in_place())


# What no check of the file alone can tell, by name: the model, and the first difference.
IN_A_RUN_ONLY = {
    "output overwritten": (output_overwritten, "output 0"),
    "state overwritten": (state_overwritten, "buffer 'state' at exit"),
    "swapped in place": (swapped_in_place, "buffer 'a' at exit"),
    "outputs shifted": (outputs_shifted, "output"),
}

"""A model planned in three ways: its memory, and its values in ExecuTorch's runtime."""

import copy
import dataclasses
import warnings

import torch
from executorch.exir import ExecutorchBackendConfig
from executorch.exir.memory_planning import MemoryPlanningAlgorithmSuite
from executorch.runtime import Runtime

from pteproof import UnsafePlanWarning
from pteproof.executorch import MemoryPlanning, to_executorch


@dataclasses.dataclass
class Measured:
    """The bytes of all banks of all methods, and how values compare with those of greedy."""

    greedy: int
    placed: int
    planned: int
    placed_values: str
    planned_values: str

    def line(self, name):
        """A row of the table in docs/reference/memory-at-export.md."""
        values = self.placed_values
        if self.planned_values != values:
            values += f", {self.planned_values}"
        return f"| {name} | {self.greedy:,} | {self.placed:,} | {self.planned:,} | {values} |\n"

    def is_worse(self):
        """Whether MemoryPlanning is larger than greedy, or a value differs."""
        return self.placed > self.greedy or "differ" in (self.placed_values, self.planned_values)


def measure(kind, rounds=2):
    """Greedy, MemoryPlanning in its place, and planner="pteproof"; each called that many times."""
    exported = kind.exported()
    edge = kind.edge(exported)
    made = [
        lower(kind, exported, copy.deepcopy(edge), MemoryPlanningAlgorithmSuite()),
        lower(kind, exported, copy.deepcopy(edge), MemoryPlanning()),
        lower(kind, exported, edge, MemoryPlanningAlgorithmSuite(), planner="pteproof"),
    ]
    for old, new in zip(made[0].report.banks, made[1].report.banks, strict=True):
        assert new.size <= old.size, f"bank {new.bank} of '{new.method}' is larger"
    greedy, placed, planned = (values(kind, exported, program, rounds) for program in made)
    return Measured(*map(size, made), compared(greedy, placed), compared(greedy, planned))


def lower(kind, exported, edge, algorithm, **options):
    """With the kind's config, whose algorithm is put in."""
    config = copy.deepcopy(kind.config) or ExecutorchBackendConfig()
    config.memory_planning_pass = copy.deepcopy(config.memory_planning_pass)
    config.memory_planning_pass.memory_planning_algo = algorithm
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnsafePlanWarning)
        return to_executorch(edge, config, exported=exported, policy="share-all", **options)


def size(program):
    """The bytes of all banks of all methods."""
    return sum(bank.size for bank in program.report.banks)


def values(kind, exported, program, rounds):
    """What all methods return, in turn, as ExecuTorch's runtime computes it; or why it does not."""
    try:
        loaded = Runtime.get().load_program(program.buffer)
        methods = {name: loaded.load_method(name) for name in sorted(loaded.method_names)}
    except RuntimeError as error:
        return str(error)
    if "et_module_init" in methods:
        methods["et_module_init"].execute([])
    return [copied(methods[n].execute(inputs(kind, n))) for _ in range(rounds) for n in exported]


def inputs(kind, name):
    return copied(torch.utils._pytree.tree_leaves(kind.inputs[name]))


def copied(tensors):
    return [e.clone() if isinstance(e, torch.Tensor) else e for e in tensors]


def compared(expected, found):
    """Whether values are equal, bit for bit."""
    if isinstance(expected, str):
        return "not run" if expected == found else "differ"
    if isinstance(found, str) or len(expected) != len(found):
        return "differ"
    pairs = zip(sum(expected, []), sum(found, []), strict=True)
    return "equal" if all(same(*pair) for pair in pairs) else "differ"


def same(one, other):
    if not isinstance(one, torch.Tensor):
        return one == other
    bits = [each.contiguous().reshape(-1).view(torch.uint8) for each in (one, other)]
    return (one.dtype, one.shape) == (other.dtype, other.shape) and torch.equal(*bits)

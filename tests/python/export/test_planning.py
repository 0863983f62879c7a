"""MemoryPlanning in place of the exporter's own planner."""

from types import SimpleNamespace

import pytest
import torch
from executorch.exir import ExecutorchBackendConfig
from executorch.exir.memory_planning import greedy
from executorch.exir.passes import MemoryPlanningPass
from executorch.exir.tensor import TensorSpec
from executorch.runtime import Runtime
from models import kinds

from pteproof.executorch import MemoryPlanning, to_executorch

KINDS = kinds()
# With what they save, in bytes.
SAVED = {"convolution": 576, "transformer": 48, "lstm": 96, "half": 32}
SOME = [*SAVED, "residual", "cond", "map", "cache", "delegated", "dynamic mlp"]


def planned(kind, algorithm):
    config = ExecutorchBackendConfig(
        memory_planning_pass=MemoryPlanningPass(memory_planning_algo=algorithm)
    )
    exported = kind.exported()
    return to_executorch(kind.edge(exported), config, exported=exported)


def outputs(program, kind, path):
    path.write_bytes(program.buffer)
    method = Runtime.get().load_program(path).load_method("forward")
    return [each.clone() for each in method.execute(kind.inputs["forward"])]


@pytest.mark.parametrize("name", SOME)
def test_no_bank_is_larger_and_the_values_are_equal(name, tmp_path):
    kind = KINDS[name]
    before, after = planned(kind, None), planned(kind, MemoryPlanning())
    assert after.report.verdict == "safe"
    sizes = zip(before.report.banks, after.report.banks, strict=True)
    saved = [old.size - new.size for old, new in sizes]
    assert min(saved) >= 0
    assert sum(saved) == SAVED.get(name, 0)
    expected = outputs(before, kind, tmp_path / "before.pte")
    found = outputs(after, kind, tmp_path / "after.pte")
    assert all(torch.equal(*pair) for pair in zip(expected, found, strict=True))


def test_a_quick_algorithm_may_be_chosen():
    program = planned(KINDS["lstm"], MemoryPlanning("by-conflicts"))
    assert program.report.verdict == "safe"


def spec(elements, first, last, base=None, inside=0):
    made = TensorSpec.from_tensor(torch.zeros(elements))
    made.lifetime = [first, last]
    made.storage_base, made.storage_base_offset = base, inside
    return made


def test_what_shares_bytes_on_purpose_keeps_its_place_in_its_base():
    """Five tensors that greedy puts badly, and a part of one of them."""
    module = SimpleNamespace(input_mem_buffer_sizes=[0, 32])
    specs = [
        spec(e, a, b) for e, a, b in ((20, 0, 1), (16, 1, 3), (24, 3, 4), (12, 0, 2), (8, 2, 4))
    ]
    part = spec(4, 2, 3, base=specs[1], inside=16)
    before = greedy(16, [*specs, part], module, None, 64)
    sizes = list(before.bufsizes)
    result = MemoryPlanning().plan(16, [*specs, part], module, None, 64)
    assert result.bufsizes[1] < sizes[1]
    places = {each: place.mem_offset for each, place in result.spec_dict.items()}
    assert places[part] == places[specs[1]] + 16
    assert min(places.values()) == 32
    assert max(places[s] + s.allocated_memory for s in specs) + 64 == result.bufsizes[1]
    for i, one in enumerate(specs):
        for other in specs[:i]:
            if one.lifetime[0] <= other.lifetime[1] and other.lifetime[0] <= one.lifetime[1]:
                apart = places[one] - places[other]
                assert apart >= other.allocated_memory or -apart >= one.allocated_memory

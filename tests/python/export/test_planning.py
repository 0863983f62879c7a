"""MemoryPlanning in place of the exporter's own planner."""

import os
import pathlib
from types import SimpleNamespace

import pytest
import torch
from executorch.exir.memory_planning import greedy
from executorch.exir.tensor import TensorSpec
from models import kinds
from more_models import more_kinds
from planners import lower, measure

from pteproof.executorch import MemoryPlanning

SOURCE = pathlib.Path(os.environ.get("PTEPROOF_SOURCE_DIR", pathlib.Path(__file__).parents[3]))
PAGE = SOURCE / "docs/reference/memory-at-export.md"
KINDS = {**kinds(), **more_kinds()}
SOME = (
    "lstm",
    "half",
    "cache",
    "counter with a start",
    "delegated state",
    "put and get",
    "cond of state",
    "map of cond",
    "dynamic mlp",
    "a number as input",
)


@pytest.mark.parametrize("name", SOME)
def test_memory_and_values_are_those_of_the_page(name):
    measured = measure(KINDS[name])
    assert not measured.is_worse()
    assert measured.line(name) in PAGE.read_text()


def test_a_quick_algorithm_may_be_chosen():
    kind = KINDS["lstm"]
    exported = kind.exported()
    program = lower(kind, exported, kind.edge(exported), MemoryPlanning("by-conflicts"))
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

"""What the meaning recovers from a file alone is what the exporter knows of its values.

`PTEPROOF_TRUTH_MODELS=N` compares all kinds of models and N random ones in place of a few;
scripts/exporter_truth counts.
"""

import os

import pytest
from changed_files import serialized
from exporter_truth import UnknownNodeError
from models import kinds
from more_models import more_kinds
from random_models import draw
from recovered_meaning import FILES, Comparison, compared, lowered

import pteproof

KINDS = {**kinds(), **more_kinds()}
FEW = (
    "views", "attention", "counter", "counter with a start", "cache", "ring buffer",
    "input changed", "dynamic mlp", "cond", "map", "delegated in part", "delegated state",
    "put and get", "scan", "nested cond", "cond with constants", "cond of state", "map of cond",
    "flattened", "a number as input", "crossed buffers", "two methods that count",
)  # fmt: skip
MANY = int(os.environ.get("PTEPROOF_TRUTH_MODELS", "0"))
# Buffers that a view alone is used of, delegates that read buffers, stored first values.
SEEDS = range(1, MANY + 1) if MANY else (19, 40, 72, 73, 422)


@pytest.mark.parametrize("name", KINDS if MANY else FEW)
def test_the_file_of_a_kind_of_model_tells_what_the_exporter_knows(name):
    require_right(compared(lowered(KINDS[name])))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_file_of_a_random_model_tells_what_the_exporter_knows(seed):
    try:
        program = lowered(draw(seed))
    except UnknownNodeError:
        raise
    except Exception:
        if MANY:
            pytest.skip("ExecuTorch does not export it")
        raise
    try:
        require_right(compared(program))
    except pteproof.MalformedError:
        if not MANY:
            raise


def require_right(by_file):
    for file in FILES:
        assert by_file[file].count(), file
        assert not by_file[file].wrong, file
        assert file == "numbered backwards" or not by_file[file].count(answer="a result"), file


def wrong_of(program):
    """Of the file as it is emitted."""
    plans = program.made.executorch_program.execution_plan
    comparison = Comparison()
    comparison.add(plans, program.truth, serialized(program.made, program.config))
    return comparison.wrong


def test_another_truth_is_told_from_it():
    """The comparison sees a view of another value, one that was made later, and another kind."""
    program = lowered(KINDS["views"])
    [method] = program.truth.values()
    assert not wrong_of(program)
    views = [v for v, value in method.values.items() if value.kind == "view"]
    bases = [method.values[v].base for v in views]
    for v, base in zip(views, reversed(bases), strict=True):
        method.values[v].base = base
        method.fill(v, method.values[v].born, method.content(base, 99))
    assert len(wrong_of(program)) == len(views) == 2
    for v, base in zip(views, bases, strict=True):
        method.fill(v, method.values[v].born, method.content(base, 99))
    assert not wrong_of(program)
    method.values[views[0]].kind = "made"
    assert len(wrong_of(program)) == 1


def test_a_buffer_is_told_before_and_after_its_store():
    """A view of a buffer is of the value that it has when the view is made."""
    program = lowered(draw(40))
    method = program.truth["m1"]
    [view] = [
        v
        for v, value in method.values.items()
        if value.kind == "view" and method.values[value.base].kind == "buffer"
    ]
    assert not wrong_of(program)
    stored = method.content(method.values[view].base, 99)
    method.fill(view, method.values[view].born, stored)
    assert len(wrong_of(program)) == 1

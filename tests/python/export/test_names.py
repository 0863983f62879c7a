"""The file alone: the names of state that to_executorch writes into it, and what they decide."""

import pytest
import torch
from executorch.exir import ExecutorchBackendConfig
from executorch.exir.passes import MemoryPlanningPass
from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass
from executorch.exir.schema import Tensor
from files_alone import KINDS, POLICY, alone, is_plain
from mistakes import kind_of
from models import Kind, Model

import pteproof
from pteproof.executorch import to_executorch


def names_in(program):
    """By method, the names of its first tensors."""
    return {
        plan.name: [
            value.val.extra_tensor_info.fully_qualified_name
            for value in plan.values
            if isinstance(value.val, Tensor) and value.val.extra_tensor_info
        ]
        for plan in program.executorch_program.execution_plan
    }


def add(m, x):
    m.total.add_(x)
    return m.total * 1.0


def counters(total):
    one = (torch.ones(2),)
    return Kind({n: Model(add, total=total) for n in ("a", "b")}, {"a": one, "b": one})


def made(kind, config=None, **options):
    exported = kind.exported()
    return to_executorch(kind.edge(exported), config, exported=exported, **options)


def test_the_file_names_its_buffers():
    program = made(KINDS["crossed buffers"])
    assert program.report.verdict == "safe"
    [names] = names_in(program).values()
    assert sorted(names) == sorted(program.facts["buffers"])
    assert names_in(made(KINDS["crossed buffers"], names=False)) == {"forward": []}


def test_the_file_is_that_of_the_exporter_but_for_the_names():
    kind = KINDS["cache"]
    plain = kind.edge(kind.exported()).to_executorch().executorch_program
    named = made(kind).executorch_program
    for value in named.execution_plan[0].values:
        if isinstance(value.val, Tensor):
            value.val.extra_tensor_info = None
    assert named == plain


def test_the_config_stays_as_it_is_and_is_followed():
    config = ExecutorchBackendConfig()
    before = dict(vars(config))
    assert names_in(made(KINDS["cache"], config)) == {"forward": ["cache"]}
    assert vars(config) == before
    config = ExecutorchBackendConfig(emit_mutable_buffer_names=True)
    assert names_in(made(KINDS["cache"], config, names=False)) == {"forward": ["cache"]}


def test_a_first_value_of_the_bytes_of_a_constant_stays_one():
    """ExecuTorch's own names take it for the constant."""

    def start(m, x):
        r = x + m.ones
        m.total.add_(x)
        return m.total + r

    def kind():
        parts = {"ones": torch.ones(2), "total": torch.ones(2)}
        return Kind(Model(start, **parts), (torch.ones(2),))

    def config(**options):
        return ExecutorchBackendConfig(passes=[InitializedMutableBufferPass(["total"])], **options)

    program = made(kind(), config())
    assert (program.report.verdict, program.tried.answer) == ("safe", "agrees")
    assert names_in(program) == {"forward": ["total"]}
    with pytest.raises(pteproof.PteproofError):
        made(kind(), config(emit_mutable_buffer_names=True))


def test_one_tensor_has_one_name_and_two_have_two():
    def config():
        planning = MemoryPlanningPass(share_mutable_buffers=True)
        return ExecutorchBackendConfig(memory_planning_pass=planning)

    shared = made(counters(torch.zeros(2)), config(), policy=POLICY)
    assert names_in(shared) == {"a": ["total"], "b": ["total"]}
    one = (torch.ones(2),)
    apart = Kind({n: Model(add, total=torch.zeros(2)) for n in ("a", "b")}, {"a": one, "b": one})
    program = made(apart, policy="private")
    assert names_in(program) == {"a": ["total"], "b": ["b.total"]}
    assert pteproof.check(program.buffer).verdict_under("private") == "safe"


def test_a_repaired_file_keeps_the_names():
    program = made(kind_of("reader"), on_unsafe="repair", policy=POLICY)
    assert program.shown["holds"]
    report = pteproof.check(program.buffer)
    assert report.verdict_under(POLICY) == "safe"
    assert b"memory" in program.buffer


@pytest.mark.parametrize("name", ["linear", "cache", "delegated", "put and get"])
def test_some_files_are_judged_as_the_page_counts_them(name):
    before, after = (alone(KINDS[name], names) for names in (False, True))
    assert before.verdict_under(POLICY) == after.verdict_under(POLICY) == "safe"
    assert is_plain(before) == (name == "linear")
    assert is_plain(after) == (name != "delegated")


@pytest.mark.parametrize("name", ["swap", "delay line"])
def test_names_show_a_mistake_of_the_exporter_in_the_file_alone(name):
    verdicts = [alone(kind_of(name), names).verdict for names in (False, True)]
    assert verdicts == ["safe", "unsafe"]

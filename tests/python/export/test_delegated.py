"""Delegates by the graphs that they were lowered from, and what their blobs hold again."""

import copy
import os
import pty
import warnings

import pytest
import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import to_edge, to_edge_transform_and_lower
from executorch.exir.backend.backend_details import BackendDetails, PreprocessResult
from executorch.exir.backend.compile_spec_schema import CompileSpec
from executorch.exir.backend.partitioner import DelegationSpec, Partitioner, PartitionResult
from executorch.exir.backend.utils import tag_constant_data
from torch import nn
from torch.export import Dim, export

import pteproof
from pteproof.executorch import to_executorch
from pteproof.executorch._module import text_of
from pteproof.executorch._stage import Stage

X = torch.ones(2, 3)


class NowhereBackend(BackendDetails):
    """A backend that no runtime has."""

    @staticmethod
    def preprocess(edge_program, compile_specs):
        return PreprocessResult(processed_bytes=b"blob" + compile_specs[0].value)


class Takes(Partitioner):
    """Gives every call of these operators to the backend, each alone."""

    def __init__(self, *operators):
        super().__init__()
        self.operators = operators
        specs = [CompileSpec("as", b"one")]
        self.taken = DelegationSpec(NowhereBackend.__name__, specs)

    def partition(self, exported_program):
        count = 0
        modules = [m for m in exported_program.graph_module.modules() if hasattr(m, "graph")]
        for node in (n for module in modules for n in module.graph.nodes):
            if node.op == "call_function" and any(o in str(node.target) for o in self.operators):
                node.meta["delegation_tag"] = f"part{count}"
                count += 1
        tag_constant_data(exported_program)
        return PartitionResult(exported_program, {f"part{k}": self.taken for k in range(count)})


class Affine(nn.Module):
    def __init__(self, by=3.0):
        super().__init__()
        self.by = by
        self.weight = nn.Parameter(torch.arange(6.0).reshape(2, 3), requires_grad=False)
        self.register_buffer("total", torch.zeros(2, 3))

    def forward(self, x):
        self.total.add_(x * self.weight)
        return self.total.mul(self.by).relu()


class Branches(nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * 2.0, lambda x: x - 1.0, (x,))


def lowered(module, partitioner, inputs=(X,), **options):
    programs = {"forward": export(module, inputs, **options)}
    return programs, to_edge_transform_and_lower(programs, partitioner=[partitioner])


MODELS = {
    "a weight and state": lambda: (Affine(), (X,), {}),
    "in a branch": lambda: (Branches(), (X,), {}),
    "rows that vary": lambda: (
        nn.Sequential(nn.Linear(3, 4), nn.ReLU()),
        (X,),
        {"dynamic_shapes": ({0: Dim("n", min=1, max=8)},)},
    ),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("operators", [("mul", "relu"), ("mul",), ("addmm", "relu", "sub")])
def test_a_delegate_that_no_runtime_has_is_tried_by_its_graph(name, operators):
    module, inputs, options = MODELS[name]()
    programs, edge = lowered(module, Takes(*operators), inputs, **options)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", pteproof.UnsafePlanWarning)
        program = to_executorch(edge, exported=programs, on_unsafe="warn")
    if not any(plan.delegates for plan in program.executorch_program.execution_plan):
        assert program.tried.answer == "agrees"
        return
    assert program.tried.text.startswith("model to edge program: "), program.tried.text
    assert "does not have the backend 'NowhereBackend'" in program.tried.text
    assert program.tried.calls > 0
    assert any("the program is not verified" in str(each.message) for each in told)


def test_a_stale_model_is_found_although_nothing_runs_the_file():
    edge = lowered(Affine(3.0), Takes("mul"))[1]
    stale = {"forward": export(Affine(5.0), (X,))}
    with pytest.raises(pteproof.WrongProgramError, match="the model and the edge program differ"):
        to_executorch(edge, exported=stale, on_unsafe="warn")


def test_the_reference_says_on_which_side_a_delegate_is_wrong():
    edge = lowered(Affine(3.0), XnnpackPartitioner())[1]
    stale = {"forward": export(Affine(5.0), (X,))}
    with pytest.raises(pteproof.WrongProgramError, match="the model and the edge program differ"):
        to_executorch(edge, exported=stale, on_unsafe="warn")


def test_an_opened_module_computes_what_the_plain_one_does():
    programs, edge = lowered(Affine(), Takes("mul", "relu"))
    opened = text_of(edge, programs, opened=True)
    assert "delegate" not in opened
    plain = to_executorch(to_edge(copy.deepcopy(programs)), exported=programs)
    found = pteproof.compare(opened, plain)
    assert found.computation.answer == "same", found.text


class Tied(nn.Module):
    """One weight for two layers; a delegate takes one of them."""

    def __init__(self, shared=True):
        super().__init__()
        self.table = nn.Embedding(40, 16)
        self.head = nn.Linear(16, 40, bias=False)
        if shared:
            self.head.weight = self.table.weight

    def forward(self, at):
        return self.head(self.table(at))


@pytest.mark.parametrize("shared", [True, False])
def test_a_tied_weight_that_a_blob_holds_again_is_noted(shared):
    torch.manual_seed(1)
    at = torch.tensor([1, 2])
    programs, edge = lowered(Tied(shared), XnnpackPartitioner(), (at,))
    program = to_executorch(edge, exported=programs)
    weight = programs["forward"].state_dict["head.weight"].detach().numpy().tobytes()
    again = shared and program.buffer.count(weight) > 1
    assert [str(len(weight)) in note.replace(",", "") for note in program.notes] == [True] * again


def test_a_tied_weight_that_is_held_once_needs_no_note():
    programs = {"forward": export(Tied(), (torch.tensor([1, 2]),))}
    assert to_executorch(to_edge(programs), exported=programs).notes == []


def test_a_terminal_shows_what_is_done(monkeypatch):
    terminal, end = pty.openpty()
    with os.fdopen(end, "w") as errors:
        monkeypatch.setattr("sys.stderr", errors)
        with Stage("calls of the model"):
            pass
    shown = ""
    while not shown.endswith("calls of the model, 0 s\r\x1b[K"):
        shown += os.read(terminal, 4096).decode()  # an error, once there is no more
    os.close(terminal)
    assert shown == "\r\x1b[Kcalls of the model, 0 s\r\x1b[K"


def test_nothing_is_shown_elsewhere(capsys):
    with Stage("calls of the model"):
        pass
    assert capsys.readouterr().err == ""

"""What is verified is verified against the model: the tensors that it holds, and what it computes."""

import copy
import io
import warnings

import pytest
import torch
from executorch.exir import ExecutorchBackendConfig, to_edge
from executorch.exir.passes import MemoryPlanningPass
from models import kinds
from torch import nn
from torch.export import export, load, save

import pteproof
from pteproof.executorch import manifest, to_executorch

X = torch.ones(2, 3)


def shared(**options):
    planning = MemoryPlanningPass(share_mutable_buffers=True)
    return ExecutorchBackendConfig(memory_planning_pass=planning, **options)


def exported(**methods):
    return {name: export(module, (X.clone(),)) for name, module in methods.items()}


def made(programs, config=None, **options):
    edge = to_edge({name: program for name, program in programs.items()})
    return to_executorch(edge, config or shared(), exported=programs, **options)


class Memory(nn.Module):
    def __init__(self, persistent=True):
        super().__init__()
        self.register_buffer("cross", torch.zeros(2, 3), persistent=persistent)


class Put(nn.Module):
    def __init__(self, m):
        super().__init__()
        self.m = m

    def forward(self, x):
        self.m.cross.copy_(x * 2)
        return x + 1


class Get(nn.Module):
    """Holds the model under another name. It updates it too, as a cache is."""

    def __init__(self, m):
        super().__init__()
        self.model = m

    def forward(self, x):
        self.model.cross.add_(1)
        return self.model.cross + x


class Look(nn.Module):
    def __init__(self, m):
        super().__init__()
        self.model = m

    def forward(self, x):
        return self.model.cross + x


class Deep(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.stack = nn.ModuleList([nn.Identity(), inner])

    def forward(self, x):
        return self.stack[1](self.stack[0](x))


class Attribute(nn.Module):
    """Holds the tensor as no buffer."""

    def __init__(self, tensor):
        super().__init__()
        self.seen = tensor

    def forward(self, x):
        return self.seen + x


class Own(nn.Module):
    """Holds the tensor as a buffer or a parameter of its own."""

    def __init__(self, tensor):
        super().__init__()
        if isinstance(tensor, nn.Parameter):
            self.own = tensor
        else:
            self.register_buffer("own", tensor)

    def forward(self, x):
        return self.own + x


class Twice(nn.Module):
    """Holds the model under two names, and updates it under neither."""

    def __init__(self, m):
        super().__init__()
        self.left, self.right = m, m

    def forward(self, x):
        return self.left.cross + self.right.cross * x


def of_parameter():
    parameter = nn.Parameter(torch.zeros(2, 3), requires_grad=False)
    memory = Memory()
    memory.cross = parameter.data
    return {"put": Put(memory), "get": Own(parameter)}


def two_of(kind, persistent=True):
    memory = Memory(persistent)
    return {"put": Put(memory), "get": kind(memory)}


ONE_TENSOR = {
    "wrapped twice": lambda: two_of(Get),
    "wrapped twice, and only read": lambda: two_of(Look),
    "not persistent": lambda: two_of(Get, persistent=False),
    "in nested modules": lambda: two_of(lambda m: Deep(Deep(Get(m)))),
    "both nested": lambda: {n: Deep(m) for n, m in two_of(lambda m: Deep(Look(m))).items()},
    "three methods": lambda: (lambda m: {"a": Get(m), "b": Put(m), "c": Deep(Look(m))})(Memory()),
    "an attribute": lambda: two_of(lambda m: Attribute(m.cross)),
    "a buffer of its own": lambda: two_of(lambda m: Own(m.cross)),
    "a parameter": of_parameter,
    "two names in one method": lambda: two_of(Twice),
}


@pytest.mark.parametrize("name", ONE_TENSOR)
@pytest.mark.parametrize("named", [False, True])
def test_one_tensor_under_two_names_is_not_safe(name, named):
    programs = exported(**ONE_TENSOR[name]())
    with pytest.raises(pteproof.UnsafePlanError) as raised:
        made(programs, shared(emit_mutable_buffer_names=named))
    text = str(raised.value)
    first = manifest(programs)["buffers"]
    [buffer] = [b for b in first.values() if "names" in b]
    for method, names in buffer["names"].items():
        for each in names:
            assert f"'{each}' of method '{method}'" in text
    assert "test_model.py:" in text


@pytest.mark.parametrize("name", ONE_TENSOR)
def test_pteproof_plans_it_as_one(name):
    programs = exported(**ONE_TENSOR[name]())
    program = made(programs, planner="pteproof", policy="share-all")
    assert program.report.verdict == "safe"
    assert program.tried.answer == "agrees"
    assert program.tried.calls >= len(programs)


def test_one_name_is_no_error():
    memory = Memory()
    program = made(exported(put=Put(memory), again=Put(memory)), policy="share-all")
    assert program.report.verdict == "safe"
    assert program.tried.answer == "agrees"
    assert "names" not in str(program.facts["buffers"])


OVERLAPS = {
    "a row": lambda all_: all_.view(-1)[3:6],
    "transposed": lambda all_: all_.t(),
    "another shape": lambda all_: all_.view(3, 2),
    "a column": lambda all_: all_[:, 1],
    "another type": lambda all_: all_.view(torch.int32),
    "every other": lambda all_: all_.view(-1)[::2],
}


class Sum(nn.Module):
    def __init__(self, part):
        super().__init__()
        self.register_buffer("part", part)

    def forward(self, x):
        return x + self.part.sum()


@pytest.mark.parametrize("name", OVERLAPS)
def test_memory_that_is_shared_in_part_is_refused(name):
    memory = Memory()
    programs = exported(put=Put(memory), get=Sum(OVERLAPS[name](memory.cross)))
    with pytest.raises(pteproof.ModelError, match=r"'m\.cross' of method 'put' and 'part' of"):
        made(programs)


def test_parts_that_do_not_meet_are_no_error():
    both = torch.zeros(4, 3)
    memory = Memory()
    memory.cross = both[:2]
    assert made(exported(put=Put(memory), get=Sum(both[2:]))).report.verdict == "safe"
    memory.cross = both.t()[:, ::2].t()
    assert made(exported(put=Put(memory), get=Sum(both[1::2]))).report.verdict == "safe"


def test_two_tensors_of_one_name_are_two():
    programs = exported(one=Get(Memory()), two=Get(Memory()), three=Get(Memory()))
    facts = manifest(programs)
    assert sorted(facts["buffers"]) == ["model.cross", "three.model.cross", "two.model.cross"]
    with pytest.raises(pteproof.UnsafePlanError, match="two.model.cross"):
        made(programs, policy="share-all")
    program = made(programs, policy="share-all", planner="pteproof")
    assert (program.report.verdict, program.tried.answer) == ("safe", "agrees")
    apart = made(programs, ExecutorchBackendConfig(), policy="private")
    assert apart.report.verdict_under("private") == "safe"


def loaded(program):
    buffer = io.BytesIO()
    save(program, buffer)
    buffer.seek(0)
    return load(buffer)


@pytest.mark.parametrize("copied", [loaded, copy.deepcopy])
def test_of_copies_it_is_not_known_whether_they_are_one(copied):
    memory = Memory()
    programs = {n: copied(p) for n, p in exported(a=Put(memory), b=Put(memory)).items()}
    with pytest.warns(pteproof.UnsafePlanWarning, match="identity not known.*'m.cross'"):
        program = made(programs, policy="share-all")
    assert program.report.verdict == "safe"  # as far as names tell


def test_programs_that_are_copied_together_are_known():
    programs = copy.deepcopy(exported(**ONE_TENSOR["wrapped twice"]()))
    with pytest.raises(pteproof.UnsafePlanError, match="'model.cross' of method 'get'"):
        made(programs)


def test_tied_weights_are_no_error():
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = nn.Linear(3, 3)
            self.second = nn.Linear(3, 3)
            self.second.weight = self.first.weight

        def forward(self, x):
            return self.second(self.first(x))

    tied = Tied()
    assert made(exported(f=tied, g=tied)).report.verdict == "safe"


# What was exported is not what is lowered.


class Affine(nn.Module):
    def __init__(self, factor=2.0, bias=1.0):
        super().__init__()
        self.factor = factor
        self.register_buffer("bias", torch.full((2, 3), bias))

    def forward(self, x):
        return x * self.factor + self.bias


class Count(nn.Module):
    def __init__(self, step=1.0):
        super().__init__()
        self.step = step
        self.register_buffer("count", torch.zeros(2, 3))

    def forward(self, x):
        self.count.add_(self.step)
        return x + 0


class Shown(Count):
    def forward(self, x):
        self.count.add_(x * self.step)
        return self.count + 0


class Pair(nn.Module):
    def __init__(self, swapped=False):
        super().__init__()
        self.swapped = swapped

    def forward(self, x):
        return (x + 1, x - 1) if self.swapped else (x - 1, x + 1)


def linear(seed):
    torch.manual_seed(seed)
    return nn.Linear(3, 3)


WRONG = {
    "another function": (nn.ReLU(), nn.Sigmoid()),
    "other weights": (linear(0), linear(1)),
    "another number": (Affine(), Affine(factor=2.5)),
    "another constant": (Affine(), Affine(bias=0.5)),
    "results in another order": (Pair(), Pair(swapped=True)),
    "another update": (Shown(), Shown(step=3.0)),
    "no update": (Shown(), Shown(step=0.0)),
    "another slope": (nn.LeakyReLU(0.1), nn.LeakyReLU(0.2)),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_stale_model_is_a_wrong_program(name):
    new, old = WRONG[name]
    edge = to_edge(exported(forward=new.eval()))
    with pytest.raises(pteproof.WrongProgramError, match="differ: after the calls? 'forward'"):
        to_executorch(edge, exported=exported(forward=old.eval()))


def test_methods_that_changed_places_are_a_wrong_program():
    programs = exported(f=nn.ReLU(), g=nn.Sigmoid())
    edge = to_edge(dict(programs))
    with pytest.raises(pteproof.WrongProgramError):
        to_executorch(edge, exported={"f": programs["g"], "g": programs["f"]})


def test_inputs_and_buffers_that_do_not_fit_are_told_before_anything_runs():
    one = nn.ReLU()
    edge = to_edge(export(one, (X,)))
    for inputs in ((torch.ones(3, 2),), (torch.ones(2, 3, dtype=torch.float64),)):
        with pytest.raises(pteproof.ModelError, match=r"inputs \(float.*inputs|has \(float32"):
            to_executorch(edge, exported=export(one, inputs))
    edge = to_edge(export(Count(), (X,)))
    with pytest.raises(pteproof.ModelError, match="stores to 'count'; `exported` has no such"):
        to_executorch(edge, exported=export(nn.Identity(), (X,)))


def test_a_pass_may_rename_what_a_program_returns():
    programs = {"forward": export(Affine(), (X,))}
    edge = to_edge(programs)
    graph = edge.exported_program().graph
    last = graph.output_node().args[0][-1]
    with graph.inserting_after(last):
        new = graph.node_copy(last)
    last.replace_all_uses_with(new)
    graph.erase_node(last)
    program = to_executorch(edge, exported=programs)
    assert program.verified.computation.answer == "same"
    assert program.tried.answer == "agrees"


def test_methods_that_are_missing_or_extra_name_both_sides():
    programs = exported(f=nn.ReLU(), g=nn.Sigmoid(), h=nn.Tanh())
    both = {name: programs[name] for name in "fg"}
    cases = [
        ({"f": programs["f"]}, "the method 'f', the edge program has 'f', 'g'"),
        (programs, "'f', 'g', 'h', the edge program has 'f', 'g'"),
        ({"f": programs["f"], "G": programs["g"]}, "'G', 'f', the edge program has 'f', 'g'"),
        ({}, "no method, the edge program has"),
        (programs["f"], "the method 'forward', the edge program has"),
        ({"f": programs["f"], "g": nn.ReLU()}, "has a ReLU as 'g', not an ExportedProgram"),
        ({"f": programs["f"], "g": None}, "has a NoneType as 'g'"),
        ({"forward": programs["f"]}, "the method 'forward', the edge program has"),
    ]
    for given, text in cases:
        with pytest.raises(pteproof.ModelError) as raised:
            to_executorch(to_edge(dict(both)), exported=given)
        assert text in str(raised.value)


def test_the_only_method_may_have_any_name():
    programs = exported(encode=nn.ReLU())
    program = to_executorch(to_edge(dict(programs)), exported=programs["encode"])
    assert program.tried.answer == "agrees"


def test_only_a_sequence_shows_that_methods_do_not_share_state(monkeypatch):
    # As if nobody knew which tensors are one: the check takes the exporter's two buffers for two.
    monkeypatch.setattr("pteproof.executorch._state._memory", lambda tensor: None)
    programs = exported(put=Put(memory := Memory()), get=Get(memory))
    with pytest.raises(pteproof.WrongProgramError, match="after the calls 'put', 'get'") as raised:
        made(programs, policy="share-all")
    assert "the model and the edge program differ" in str(raised.value)


def test_nothing_of_the_model_changes():
    memory = Memory()
    programs = exported(put=Put(memory), again=Put(memory))
    memory.cross.fill_(0.5)
    torch.manual_seed(7)
    state = torch.random.get_rng_state()
    before = {n: copy.deepcopy(p) for n, p in programs.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made(programs, policy="share-all")
    assert torch.equal(torch.random.get_rng_state(), state)
    assert torch.equal(memory.cross, torch.full((2, 3), 0.5))
    for name, program in programs.items():
        assert str(program.graph) == str(before[name].graph)
        assert program.state_dict["m.cross"] is memory.cross


@pytest.mark.parametrize("wrong", ["yes", None, -1])
def test_verify_is_a_choice_or_seconds(wrong):
    programs = exported(f=nn.ReLU())
    with pytest.raises(ValueError, match="allowed: True, False, or a number of seconds"):
        made(programs, verify=wrong)


@pytest.mark.parametrize("seed", [1, 6])
def test_quantised_numbers_of_a_delegate_may_be_steps_apart(seed):
    torch.manual_seed(seed)
    kind = kinds()["quantised and delegated"]
    programs = kind.exported()
    program = to_executorch(kind.edge(programs), exported=programs)
    assert program.tried.answer == "agrees"


def test_sizes_that_lowering_left_in_the_environment_do_no_harm():
    programs = exported(put=Put(Memory()))
    edge = to_edge(programs)
    for program in (*programs.values(), edge.exported_program("put")):
        values = [n.meta["val"] for n in program.graph.nodes if "val" in n.meta]
        values[0].fake_mode.shape_env.create_unbacked_symint()
    program = to_executorch(edge, exported=programs)
    assert list(program.facts["buffers"]) == ["m.cross"]
    assert program.tried.answer == "agrees"


@pytest.mark.parametrize(
    ("part", "told"),
    [("facts_of", "no manifest was made"), ("tried", None), ("sources", None), ("module", None)],
)
def test_an_export_does_not_end_for_what_pytorch_cannot_do(part, told, monkeypatch):
    def fails(*_, **__):
        raise AttributeError("PyTorch has changed")

    programs = exported(put=Put(Memory()))
    edge = to_edge(programs)
    where = "pteproof.executorch._export."
    if part == "tried":
        monkeypatch.setattr("pteproof.executorch._tried.Draw.inputs", fails)
        told = "model to file: not tried: AttributeError: PyTorch has changed"
    else:
        monkeypatch.setattr(where + part, fails)
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always", pteproof.UnsafePlanWarning)
        program = to_executorch(edge, exported=programs, on_unsafe="warn")
    assert program.report.verdict != "unsafe"
    texts = [str(each.message) for each in given]
    assert told is None or any(told in text for text in texts), texts
    if part == "module":
        assert any("not verified: AttributeError: PyTorch has changed" in text for text in texts)
    if part == "facts_of":
        assert program.facts is None


def test_a_value_that_a_pass_has_taken_away_is_no_error():
    programs = {"forward": export(Affine(), (X,))}
    edge = to_edge(programs)
    programs["forward"].state_dict.pop("bias")
    with pytest.warns(pteproof.UnsafePlanWarning, match="not verified"):
        program = to_executorch(edge, exported=programs)
    assert program.report.verdict == "safe"
    assert program.tried.answer == "not tried"

"""A Module of an exported program computes what PyTorch does, and what the exporter's file does."""

import copy
from types import SimpleNamespace

import pytest
import torch
from executorch.exir import ExecutorchBackendConfig, to_edge
from executorch.exir.dialects._ops import ops as exir_ops
from executorch.exir.pass_base import ExportPass
from mistakes import kind_of
from models import Kind, Model, X, kinds, lambda_of
from more_models import EVEN, more_kinds
from recorded import evaluate
from torch import nn
from torch.export import Dim, export

import pteproof
from pteproof.executorch import CheckedProgram, NoModuleError, module, to_executorch
from pteproof.executorch._export import _has_other_values
from pteproof.executorch._module_text import contents_text

KINDS = [*kinds(), *more_kinds()]


def fresh(name):
    return {**kinds(), **more_kinds()}[name]


def test_there_are_sixty_kinds():
    assert len(KINDS) >= 60


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_is_proved_to_be_its_file_and_gives_the_values_of_pytorch(name, tmp_path):
    kind = fresh(name)
    exported = kind.exported()
    program = to_executorch(kind.edge(exported), kind.config, exported=exported, policy="share-all")
    assert isinstance(program, CheckedProgram)
    assert program.report.verdict == "safe"
    assert program.report.manifest == "<manifest>"
    assert pteproof.check(program, manifest=False, policy="share-all").verdict == "safe"
    assert program.facts["methods"].keys() == program.methods
    assert program.verified.computation.answer == "same", program.verified.text
    counts, output = evaluate(module(exported), kind, exported, tmp_path)
    assert (counts["verdict"], counts["agree"]) == ("agrees", 2 * len(exported)), output


def test_a_repair_is_compared_with_the_model():
    kind = kind_of("siblings")
    exported = kind.exported()
    program = to_executorch(kind.edge(exported), exported=exported, on_unsafe="repair")
    assert program.shown["holds"]
    assert program.verified.computation.answer == "same"


def test_a_module_is_planned_and_gives_the_file_of_our_own_planner():
    kind = fresh("transformer")
    text = module(kind.exported())
    planned = pteproof.plan(text)
    assert pteproof.check(planned.program).verdict == "safe"
    assert pteproof.compare(text, planned.program).computation.answer == "same"


def test_the_text_has_a_line_for_each_node():
    model = Model(lambda m, x: (m.total.add_(x), m.total * m.total)[1], total=torch.zeros(2))
    text = module(export(model, (torch.ones(2),)))
    assert text.splitlines() == [
        "buffer @total: float32[2]",
        "",
        "method forward(%inputs_0: float32[2]) {",
        "  %0 = entry @total",
        "  %1: float32[2] = aten::add.out(%0, %inputs_0, 1)",
        "  %2: float32[2] = aten::mul.out(%1, %1)",
        "  return %2",
        "  store @total = %1",
        "}",
    ]


def test_sizes_are_functions_of_the_dims():
    kind = Kind(lambda_of(lambda x: x[: x.size(0) // 2].reshape(-1)), (X,), dynamic=(EVEN,))
    text = module(kind.exported())
    assert "2*s" in text
    assert " in 2..8 hint 2" in text


def test_a_constant_that_methods_do_not_agree_on_is_one_each():
    text = module({n: export(nn.Linear(2, 1), (torch.ones(2),)) for n in ("left", "right")})
    assert "buffer @weight:" in text
    assert "buffer @right.weight:" in text


def test_contents_are_exact():
    value = torch.tensor([0.1, -0.0, float("inf")])
    assert contents_text(value) == " = [0.10000000149011612, -0.0, inf]"
    assert contents_text(torch.tensor([float("nan")])) == " = [0x7fc00000]"
    assert contents_text(torch.zeros(0)) == ""


def test_large_values_are_the_models_own_memory():
    model = nn.Linear(16, 16)
    text = module(export(model, (torch.ones(16),)))
    assert 'buffer @weight: float32[16, 16] = data "weight"[0, 1024]' in text
    assert set(text.data) == {"weight"}  # the bias is short
    held = torch.frombuffer(text.data["weight"], dtype=torch.float32)
    assert held.data_ptr() == model.weight.data_ptr()


def test_values_that_do_not_lie_in_a_row_are_copied_in_order():
    weight = torch.arange(128.0).reshape(8, 16)

    class Held(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("weight", weight.t())

        def forward(self, x):
            return x @ self.weight

    text = module(export(Held(), (torch.ones(16),)))
    held = torch.frombuffer(text.data["weight"], dtype=torch.float32)
    assert torch.equal(held.reshape(16, 8), weight.t())


def test_large_state_is_kept_as_it_was():
    class Count(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("held", torch.ones(100))
            self.register_buffer("zeros", torch.zeros(100))

        def forward(self, x):
            self.held.add_(x)
            self.zeros.add_(x)
            return self.held + self.zeros

    model = Count()
    text = module(export(model, (torch.ones(100),)))
    model(torch.ones(100))
    assert set(text.data) == {"held"}
    assert bool((torch.frombuffer(text.data["held"], dtype=torch.float32) == 1).all())


def test_a_module_is_saved_with_its_values_beside_it(tmp_path):
    program = export(nn.Sequential(nn.Linear(16, 16), nn.Linear(16, 16)), (torch.ones(16),))
    text = module(program)
    text.save(tmp_path / "m.module")
    saved = (tmp_path / "m.module").read_text()
    assert 'data "m.module.bin"[1024, 1024, "' in saved
    assert (tmp_path / "m.module.bin").stat().st_size == 2048
    made = pteproof.plan(text)
    assert pteproof.plan(str(tmp_path / "m.module")).program == made.program
    assert pteproof.compare(text, made.program).computation.answer == "same"
    assert pteproof.compare(tmp_path / "m.module", made.program).computation.answer == "same"


def refused(model, inputs, match, **options):
    with pytest.raises(NoModuleError, match=match):
        module(export(model, inputs, **options))


def test_what_a_module_has_no_words_for_is_refused_by_name():
    refused(lambda_of(lambda x: x.nonzero()), (X,), r"method 'forward': a size is u\d")
    refused(lambda_of(lambda x: x.size(0)), (X,), "an output is not a tensor, but ConstantArgument")
    refused(
        lambda_of(lambda x: (x, x.size(0))),
        (X,),
        "an output is not a tensor, but SymIntArgument",
        dynamic_shapes=(({0: Dim("rows", min=2, max=16)},),),
    )
    refused(lambda_of(lambda x, y: x), (X, "word"), "input 'inputs_1' is of type str")
    last = lambda_of(lambda x: x.to(memory_format=torch.channels_last))
    refused(last, (torch.ones(1, 3, 8, 8),), r"lies in memory in the dim order \[0, 2, 3, 1\]")
    with pytest.raises(ValueError, match="give `exported`, or `edge`"):
        module()


@pytest.mark.parametrize("_", range(3))  # PyTorch's tracer may know other tensors each time
def test_state_that_methods_do_not_agree_on_is_refused(_):
    def step(m, x):
        m.total.add_(x)
        return m.total * 1.0

    one, two = (Model(step, total=torch.full((4,), v)) for v in (0.0, 1.0))
    # Of copies it is not known whether they are one.
    programs = {n: copy.deepcopy(export(m, (torch.ones(4),))) for n, m in (("a", one), ("b", two))}
    with pytest.raises(NoModuleError, match="buffer 'total' does not have one first value"):
        module(programs)


def test_a_model_that_is_no_module_is_exported_with_a_warning():
    exported = export(lambda_of(lambda x: x.nonzero()), (X,))
    with pytest.warns(pteproof.UnsafePlanWarning, match="not verified: method 'forward': a size"):
        program = to_executorch(to_edge(exported), exported=exported)
    assert program.verified is None


def test_a_proof_that_takes_too_long_is_given_up(monkeypatch):
    def endless(*_, seconds, **__):
        raise TimeoutError(f"the time is over, {seconds:.0f}")

    monkeypatch.setattr("pteproof._verbs.compare", endless)
    with pytest.warns(pteproof.UnsafePlanWarning, match="TimeoutError: the time is over, 3[0-9]"):
        program = lowered("linear", verify=39)
    assert program.report.verdict == "safe"
    assert lowered("linear", verify=False).verified is None


def lowered(name, config=None, **options):
    kind = fresh(name)
    exported = kind.exported()
    return to_executorch(kind.edge(exported), config, exported=exported, **options)


def test_other_terms_are_an_error_unless_calls_agree():
    def judged(where, run):
        difference = SimpleNamespace(where=where)
        return _has_other_values(SimpleNamespace(difference=difference, run_difference=run))

    assert not judged("output 0, byte 0", "")
    assert judged("output 0, byte 0", "random call 1 of 'forward': output 0")
    assert judged("buffer 'a' at exit, byte 0", "")


class Subtracting(ExportPass):
    """Not what the model does."""

    def call_operator(self, op, args, kwargs, meta):
        add, subtract = exir_ops.edge.aten.add.Tensor, exir_ops.edge.aten.sub.Tensor
        return super().call_operator(subtract if op is add else op, args, kwargs, meta)


class Commuting(ExportPass):
    """The same values by another term."""

    def call_operator(self, op, args, kwargs, meta):
        swapped = (args[1], args[0]) if op is exir_ops.edge.aten.add.Tensor else args
        return super().call_operator(op, swapped, kwargs, meta)


def test_another_term_is_a_warning_if_the_exporter_is_told_to_rewrite():
    config = ExecutorchBackendConfig(passes=[Commuting()])
    with pytest.warns(pteproof.UnsafePlanWarning, match="do not compute the same"):
        program = lowered("residual", config)
    assert program.verified.computation.answer == "differs"
    assert program.tried.answer == "agrees"


def test_another_value_is_an_error_though_the_exporter_is_told_to_rewrite():
    config = ExecutorchBackendConfig(passes=[Subtracting()])
    with pytest.raises(pteproof.WrongProgramError, match="the edge program and the file differ"):
        lowered("residual", config)


def test_what_differs_under_some_loaders_only_is_a_warning():
    kind = fresh("put and get")
    exported = kind.exported()
    with pytest.warns(pteproof.UnsafePlanWarning, match="should share"):
        program = to_executorch(kind.edge(exported), kind.config, exported=exported)
    assert program.report.verdict == "depends"
    assert program.verified.computation.answer == "differs"


def test_a_loop_is_a_node_though_the_exporter_has_no_instructions_for_it(tmp_path):
    from torch._higher_order_ops.while_loop import while_loop

    def looped(_, x):
        goes_on = lambda count, _: count < 3  # noqa: E731
        return while_loop(goes_on, lambda n, x: (n + 1, x * 2), (torch.tensor(0), x))[1]

    kind = Kind(Model(looped), (X,))
    exported = kind.exported()
    counts, output = evaluate(module(exported), kind, exported, tmp_path)
    assert counts["verdict"] == "agrees", output

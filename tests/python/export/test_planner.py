"""to_executorch(planner="pteproof"): what ExecuTorch's runtime makes of it, and what is refused."""

import io

import pytest
import torch
from executorch.exir import ExecutorchBackendConfig, to_edge
from executorch.exir.passes import HintBasedSymShapeEvalPass, MemoryPlanningPass
from executorch.runtime import Runtime
from mistakes import IN_A_RUN_ONLY, MISTAKES, kind_of
from models import IMAGE, Kind, Model, X, kinds
from planners import compared, inputs, values
from recorded import eager
from test_manifest import trained
from torch import nn
from torch.utils._pytree import tree_leaves

import pteproof
from pteproof.executorch import NoModuleError, to_executorch


def planned(kind, config=None, planner="pteproof", **options):
    exported = kind.exported()
    return to_executorch(kind.edge(exported), config, exported=exported, planner=planner, **options)


def execute(program, name="forward", inputs=()):
    return Runtime.get().load_program(program.buffer).load_method(name).execute(inputs)


def test_the_program_is_proved_and_has_what_a_manager_has():
    program = planned(kinds()["transformer"])
    assert program.report.verdict == "safe"
    assert program.verified.computation.answer == "same"
    assert program.methods == {"forward"}
    assert program.executorch_program.execution_plan[0].name == "forward"
    assert program.facts["methods"]["forward"]["delegates"] == []
    assert program.sources["methods"] == {}
    stream = io.BytesIO()
    program.write_to_file(stream)
    assert stream.getvalue() == program.buffer


def test_the_edge_program_stays_as_it_is():
    kind = kinds()["cache"]
    exported = kind.exported()
    edge = kind.edge(exported)
    program = to_executorch(edge, exported=exported, planner="pteproof")
    after = to_executorch(edge, exported=exported)
    rounds = [values(kind, exported, each, rounds=3) for each in (program, after)]
    assert compared(*rounds) == "equal"


def test_a_loop_that_the_emitter_has_no_instructions_for_runs():
    from torch._higher_order_ops.while_loop import while_loop

    def looped(_, x):
        goes_on = lambda count, _: count < 3  # noqa: E731
        return while_loop(goes_on, lambda n, x: (n + 1, x * 2), (torch.tensor(0), x))[1]

    [output] = execute(planned(Kind(Model(looped), (X,))), inputs=(X,))
    assert torch.equal(output, X * 8)


def test_delegates_come_with_their_blobs_and_guard_bytes():
    kind = Kind(nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU()), (IMAGE,), delegate=True)
    program = planned(kind)
    [delegate] = program.executorch_program.execution_plan[0].delegates
    assert delegate.id == "XnnpackBackend"
    assert program.facts["methods"]["forward"]["delegates"][0]["outputs"] == 1
    assert program.report.banks[0].size == 3 * 8 * 8 * 4 + 4 * 6 * 6 * 4 + 64
    expected = kind.modules["forward"](IMAGE)
    assert torch.allclose(execute(program, inputs=(IMAGE,))[0], expected, atol=1e-5)


def test_shared_state_gets_its_first_value_once():
    def add(m, x):
        m.total.add_(x)
        return m.total * 1.0

    total = torch.full((2,), 5.0)
    one = (torch.ones(2),)
    kind = Kind({n: Model(add, total=total) for n in ("a", "b")}, {"a": one, "b": one})
    program = planned(kind, policy="share-all")
    assert program.report.verdict == "safe"
    assert program.verified.computation.answer == "same"
    assert program.facts["calls"] == "et_module_init (a | b)*"
    loaded = Runtime.get().load_program(program.buffer)
    loaded.load_method("et_module_init").execute(())
    sums = [loaded.load_method(n).execute(one)[0][0].item() for n in ("a", "b", "a")]
    assert sums == [6.0, 7.0, 8.0]
    with pytest.raises(pteproof.NoPlanError, match="buffer 'total' is shared by methods"):
        planned(kind, policy="private")


def test_constant_methods_come_along():
    kind = kinds()["linear"]
    constants = {"get_size": 7, "get_all": [1, True, 0.5, "word"]}
    edge = to_edge(kind.exported(), constant_methods=constants)
    program = to_executorch(edge, planner="pteproof")
    assert program.config_methods == set(constants)
    assert execute(program, "get_size") == [7]
    assert execute(program, "get_all") == [1, True, 0.5, "word"]


def test_the_caller_may_set_the_memory():
    asked = MemoryPlanningPass(alloc_graph_input=False, alloc_graph_output=False)
    config = ExecutorchBackendConfig(memory_planning_pass=asked)
    program = planned(kinds()["linear"], config)
    plan = program.executorch_program.execution_plan[0]
    for place in (*plan.inputs, *plan.outputs):
        assert plan.values[place].val.allocation_info is None


WRONG_BY_THE_EXPORTER = [*MISTAKES, *IN_A_RUN_ONLY]


@pytest.mark.parametrize("name", [name for name in WRONG_BY_THE_EXPORTER if name != "unbounded"])
def test_a_model_that_the_exporter_gets_wrong_is_right(name):
    kind = kind_of(name) if name in MISTAKES else IN_A_RUN_ONLY[name][0]()
    exported = kind.exported()
    program = to_executorch(
        kind.edge(exported), exported=exported, policy="share-all", planner="pteproof"
    )
    assert program.verified.computation.answer == "same"
    calls = [name for _ in range(2) for name in exported]
    for name, found in zip(calls, values(kind, exported, program, rounds=2), strict=True):
        expected = tree_leaves(eager(kind, exported, name)(*inputs(kind, name)))
        # Before them are the new values of inputs.
        torch.testing.assert_close(found[len(found) - len(expected) :], expected)


def test_sizes_without_a_bound_are_refused():
    with pytest.raises(pteproof.UnsafePlanError, match="Give the dimension an upper bound"):
        planned(kind_of("unbounded"), policy="share-all")


def config_of(**fields):
    return ExecutorchBackendConfig(**fields)


REFUSED = {
    "does not take the config's 'external_constants'": {"external_constants": True},
    "does not take the config's 'do_quant_fusion": {"do_quant_fusion_and_const_prop": True},
    "runs no passes, but the config has a function": {"passes": [config_of]},
    "takes a MemoryPlanningPass .* not a dict": {"memory_planning_pass": {}},
    "'sym_shape_eval_pass', not a HintBased": {"sym_shape_eval_pass": HintBasedSymShapeEvalPass()},
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_the_planner_does_not_do_is_refused_by_name(text):
    with pytest.raises(pteproof.NoPlanError, match=text):
        planned(kinds()["linear"], config_of(**REFUSED[text]), verify=False)


def test_models_that_it_has_no_words_for_are_refused():
    with pytest.raises(NoModuleError, match=r"a size is u\d"):
        planned(Kind(Model(lambda _, x: x.nonzero()), (X,)), verify=False)
    edge = to_edge(kinds()["linear"].exported(), constant_methods={"get": torch.ones(1)})
    with pytest.raises(pteproof.NoPlanError, match="constant method 'get' returns a tensor"):
        to_executorch(edge, planner="pteproof", verify=False)
    with pytest.raises(pteproof.NoPlanError, match="method 'forward' returns gradients"):
        to_executorch(to_edge(trained()), planner="pteproof", verify=False)
    with pytest.raises(ValueError, match="planner is 'greedy'; allowed: 'executorch', 'pteproof'"):
        planned(kinds()["linear"], planner="greedy")

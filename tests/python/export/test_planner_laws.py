"""ExecuTorch's own algorithms, and pteproof's, on random problems of planners alone."""

import subprocess
import sys

import pytest
import torch
from executorch.exir import ExecutorchBackendConfig, to_edge
from executorch.exir.memory_planning import MemoryPlanningAlgorithmSuite, greedy, naive
from executorch.exir.passes import MemoryPlanningPass
from executorch.runtime import Runtime

import pteproof
from pteproof.executorch import MemoryPlanning
from pteproof.hunt.planners import laws
from pteproof.hunt.planners.reproduce import script_of
from pteproof.testing import planner_laws

# What each algorithm does not do for the problems that it gets.
GREEDY = {"alignment", "taken"}
NAIVE = {"parts", "padding"}

test_greedy_without_what_it_breaks = planner_laws(greedy, cases=1000, without=GREEDY)
test_naive_without_what_it_breaks = planner_laws(naive, cases=1000, without=NAIVE)
test_the_suite_without_what_greedy_breaks = planner_laws(
    MemoryPlanningAlgorithmSuite(), cases=200, without=GREEDY
)
test_of_pteproof = planner_laws(MemoryPlanning(), cases=200)
test_of_pteproof_quick = planner_laws(MemoryPlanning("first-fit"), cases=200)


def finds(planner, cases=300):
    asked = laws.Planner(planner, laws.Options())
    return asked, laws.hunt(asked, range(cases)).finds


def test_what_naive_breaks():
    _, found = finds(naive)
    assert set(found) == {"padding", "it raises InternalError"}


def test_what_greedy_breaks_and_scripts_that_show_it(tmp_path):
    """It sorts by sizes of another alignment, and loses banks that only inner graphs use."""
    asked, found = finds(greedy)
    assert set(found) == {"taken", "it raises AssertionError"}
    assert [len(found[kind].problem.storages) for kind in sorted(found)] == [2, 1]
    for find in found.values():
        script, _ = script_of(asked, find)
        assert len(script.splitlines()) <= 40
        path = tmp_path / "find.py"
        path.write_text(script)
        done = subprocess.run(
            [sys.executable, "-W", "ignore", str(path)], capture_output=True, text=True
        )
        assert done.returncode == 1, done.stderr
        assert "got:" in done.stdout or "Allocation specs are not sorted" in done.stderr


class Branches(torch.nn.Module):
    def forward(self, x):
        y = x + 1
        z = torch.cond(x.sum() > 0, lambda a: torch.sin(a * 2), lambda a: torch.cos(a), [y])
        return z + 1


class BranchesInBank2(MemoryPlanningPass):
    """A pass of one's own: what branches make goes to a bank of its own."""

    def run(self, graph_module, graph_signature=None):
        self._set_alloc_node_spec(graph_module)
        inner = [m for m in graph_module.modules() if isinstance(m, torch.fx.GraphModule)]
        for node in (node for module in inner[1:] for node in module.graph.nodes):
            specs = node.meta.get("spec")
            for spec in specs if isinstance(specs, (list, tuple)) else [specs]:
                if spec is not None and node.op not in ("placeholder", "output"):
                    spec.mem_id = 2
        return super().run(graph_module, graph_signature)


@pytest.mark.parametrize("algorithm", [MemoryPlanningAlgorithmSuite(), MemoryPlanning()])
def test_a_bank_of_inner_graphs_alone_is_lost_by_greedy(algorithm):
    inputs = (torch.tensor([1.0, -3.0, 2.0, 4.0]),)
    edge = to_edge(torch.export.export(Branches(), inputs))
    plan = BranchesInBank2(memory_planning_algo=algorithm)
    program = edge.to_executorch(ExecutorchBackendConfig(memory_planning_pass=plan)).buffer
    if isinstance(algorithm, MemoryPlanning):
        assert pteproof.check(program).verdict == "safe"
        [result] = Runtime.get().load_program(program).load_method("forward").execute(inputs)
        torch.testing.assert_close(result, Branches()(*inputs))
    else:
        with pytest.raises(pteproof.MalformedError, match="planned into bank 2"):
            pteproof.check(program)
        with pytest.raises(RuntimeError):
            Runtime.get().load_program(program).load_method("forward")

"""pteproof.executorch.manifest on small models: facts, schema, and `pteproof check` where it is built."""

import copy
import hashlib
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import (
    ExecutorchBackendConfig,
    to_edge,
    to_edge_transform_and_lower,
)
from executorch.exir.passes import MemoryPlanningPass
from torch.export import Dim, export
from torch.export.experimental import _export_forward_backward

from pteproof import executorch as pteproof_executorch
from pteproof.executorch.__main__ import main

SOURCE = pathlib.Path(os.environ.get("PTEPROOF_SOURCE_DIR", pathlib.Path(__file__).parents[3]))
BINARY = os.environ.get("PTEPROOF_BINARY", "")

try:
    import jsonschema
except ImportError:
    jsonschema = None


LIBRARY = torch.library.Library("mine", "DEF")
for signature, function in {
    "join(Tensor x, Tensor? y) -> Tensor": lambda x, y: x.clone(),
    "put(Tensor x, Tensor(a!) cache, SymInt at) -> Tensor": lambda x, cache, at: x.clone(),
    "join.out(Tensor x, Tensor? y, *, Tensor(a!) out) -> Tensor(a!)": None,
    "put.out(Tensor x, Tensor(a!) cache, SymInt at, *, Tensor(b!) out) -> Tensor(b!)": None,
}.items():
    LIBRARY.define(signature)
    if function is not None:
        LIBRARY.impl(signature.partition("(")[0], function, "CompositeExplicitAutograd")


class Model(torch.nn.Module):
    """Holds these buffers and computes this function of itself and its inputs."""

    def __init__(self, function, **buffers):
        super().__init__()
        self.function = function
        for name, value in buffers.items():
            self.register_buffer(name, value)

    def forward(self, *inputs):
        return self.function(self, *inputs)


def count(m, x):
    m.total.add_(x)
    return m.total * 1.0


def put(m, x):
    m.memory.copy_(x)
    return x + 1


def get(m):
    return m.memory * 1.0


def delay(m, x):
    m.older.copy_(m.newest)
    m.newest.copy_(x)
    return m.older


def facts(function, inputs, dynamic=None, **buffers):
    """The whole manifest and the one method of a model with one method."""
    program = export(Model(function, **buffers), inputs, dynamic_shapes=dynamic)
    out = pteproof_executorch.manifest({"forward": program})
    check_schema(out)
    return out, out["methods"]["forward"]


def check_schema(manifest):
    schema = json.loads((SOURCE / "properties/manifest.schema.json").read_text())
    if jsonschema is not None:
        jsonschema.Draft202012Validator(schema).validate(manifest)
        return
    assert manifest.keys() <= schema["properties"].keys(), manifest.keys()
    for part, definition in (("buffers", "buffer"), ("methods", "method")):
        known = schema["$defs"][definition]["properties"].keys()
        for item in manifest.get(part, {}).values():
            assert item.keys() <= known, item.keys()


class Trained(torch.nn.Module):
    """A loss over one linear layer, and what it predicts."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 3)
        self.fixed = torch.nn.Parameter(torch.ones(3), requires_grad=False)
        self.loss = torch.nn.CrossEntropyLoss()

    def forward(self, x, y):
        guess = self.layer(x) * self.fixed
        return self.loss(guess, y), guess.detach().argmax(1)


def trained():
    program = export(Trained(), (torch.randn(2, 4), torch.tensor([0, 2])), strict=True)
    return _export_forward_backward(program)


class Facts(unittest.TestCase):
    def test_training_program(self):
        out = pteproof_executorch.manifest({"forward": trained()})
        check_schema(out)
        self.assertEqual(out["buffers"], {})
        self.assertEqual(
            out["methods"]["forward"]["outputs"],
            [{"value": "result", "same_as": k} for k in range(4)]
            + [
                {"value": "entry", "of_parameter": "layer.weight"},
                {"value": "entry", "of_parameter": "layer.bias"},
            ],
        )

    def test_state_that_is_read_and_written(self):
        out, method = facts(count, (torch.ones(3),), total=torch.zeros(3))
        self.assertEqual(
            out["buffers"], {"total": {"dtype": "float32", "sizes": [3], "initial": "zero"}}
        )
        self.assertEqual(method["reads"], ["total"])
        self.assertEqual(method["mutates"], ["total"])
        self.assertEqual(method["mutates_inputs"], [])
        self.assertEqual(method["inputs"], [{"name": "inputs_0", "sizes": [3]}])
        self.assertEqual(method["outputs"], [{"value": "result", "same_as": 0}])
        self.assertNotIn("policy", out)
        self.assertNotIn("load", out)

    def test_a_whole_overwrite_reads_nothing_and_a_part_does(self):
        def whole(m, x):
            m.a[:].copy_(x)
            m.b.zero_()
            m.c.fill_(2.0)
            return x + m.a

        def part(m, x):
            m.a[1:].copy_(x[1:])
            return x + 1

        zeros = [torch.zeros(4) for _ in range(3)]
        _, method = facts(whole, (torch.ones(4),), a=zeros[0], b=zeros[1], c=zeros[2])
        self.assertEqual((method["reads"], method["mutates"]), ([], ["a", "b", "c"]))
        _, method = facts(part, (torch.ones(4),), a=torch.zeros(4))
        self.assertEqual((method["reads"], method["mutates"]), (["a"], ["a"]))

    def test_buffers_that_nobody_mutates_appear_nowhere(self):
        out, method = facts(get, (), memory=torch.ones(2))
        self.assertEqual(out["buffers"], {})
        self.assertEqual(method["reads"], [])
        _, method = facts(lambda m: m.memory, (), memory=torch.ones(2))
        self.assertEqual(method["outputs"], [{"value": "result", "same_as": 0}])

    def test_a_buffer_that_methods_agree_on_is_shared(self):
        memory = torch.zeros(2, 2)
        out = pteproof_executorch.manifest(
            {
                "put": export(Model(put, memory=memory), (torch.ones(2, 2),)),
                "get": export(Model(get, memory=memory), ()),
            },
            policy="share-all",
            load="all-first",
        )
        check_schema(out)
        self.assertEqual(out["policy"], "share-all")
        self.assertEqual(out["load"], "all-first")
        self.assertIs(out["buffers"]["memory"]["shared"], True)
        self.assertEqual(out["methods"]["put"]["reads"], [])
        self.assertEqual(out["methods"]["put"]["mutates"], ["memory"])
        self.assertEqual(out["methods"]["get"]["reads"], ["memory"])
        self.assertEqual(out["methods"]["get"]["mutates"], [])

    def test_the_lowered_program_tells_which_value_is_which_buffer(self):
        def both(m, x):
            m.older.copy_(m.newest + m.scale)
            m.newest.copy_(x)
            return m.older * 1.0

        def look(m, x):
            return m.newest + x

        state = {"scale": torch.ones(2), "older": torch.zeros(2), "newest": torch.zeros(2)}
        inputs = (torch.ones(2),)
        programs = {
            "both": export(Model(both, **state), inputs),
            "look": export(Model(look, newest=state["newest"]), inputs),
        }
        config = ExecutorchBackendConfig(
            memory_planning_pass=MemoryPlanningPass(share_mutable_buffers=True)
        )
        lowered = to_edge(programs).to_executorch(config)
        out = pteproof_executorch.manifest(programs, lowered=lowered)
        check_schema(out)
        values = {name: method["values"] for name, method in out["methods"].items()}
        self.assertEqual(values, {"both": {"1": "older", "2": "newest"}, "look": {"0": "newest"}})
        # The file has its buffers there: planned, and of their sizes.
        for plan in lowered.executorch_program.execution_plan:
            for index in values[plan.name]:
                tensor = plan.values[int(index)].val
                self.assertEqual(tensor.sizes, [2])
                self.assertIsNotNone(tensor.allocation_info)
        without = pteproof_executorch.manifest(programs)
        self.assertNotIn("values", without["methods"]["both"])

    def test_signatures_of_operators_that_the_table_does_not_have(self):
        def forward(m, x):
            return torch.ops.mine.join(x, m.cache + torch.ops.mine.put(x, m.cache, 1))

        programs = {"forward": export(Model(forward, cache=torch.zeros(4)), (torch.ones(4),))}
        lowered = to_edge(programs).to_executorch()
        out = pteproof_executorch.manifest(programs, lowered=lowered)
        check_schema(out)
        self.assertEqual(
            out["operators"],
            [
                "mine::join.out(Tensor x, Tensor? y, *, Tensor(a!) out) -> Tensor(a!)",
                "mine::put.out(Tensor x, Tensor(a!) cache, SymInt at, *, Tensor(b!) out)"
                " -> Tensor(b!)",
            ],
        )

    def test_results_of_delegate_calls_in_the_order_of_the_file(self):
        def forward(m, x):
            m.cache.add_(x)
            y = torch.cond(x.sum() > 0, lambda t: t * t, lambda t: t - 1, (x,))
            return y + m.cache, y * 2

        programs = {"forward": export(Model(forward, cache=torch.zeros(4)), (torch.ones(4),))}
        edge = to_edge_transform_and_lower(programs, partitioner=[XnnpackPartitioner()])
        partial = pteproof_executorch.manifest(programs, lowered=edge)
        lowered = edge.to_executorch()
        out = pteproof_executorch.manifest(programs, lowered=lowered)
        for facts in (partial, out):
            check_schema(facts)
            delegates = facts["methods"]["forward"]["delegates"]
            self.assertEqual([d["index"] for d in delegates], list(range(len(delegates))))
        self.assertNotIn("values", partial["methods"]["forward"])
        # In the file a call's arguments are those of the graph and then its results.
        calls = [
            instruction.instr_args
            for chain in lowered.executorch_program.execution_plan[0].chains
            for instruction in chain.instructions
            if type(instruction.instr_args).__name__ == "DelegateCall"
        ]
        self.assertEqual(len(calls), len(delegates))
        written = {
            value
            for call, delegate in zip(calls, delegates, strict=True)
            for value in call.args[-delegate["outputs"] :]
        }
        read = {
            value
            for call, delegate in zip(calls, delegates, strict=True)
            for value in call.args[: -delegate["outputs"]]
        }
        plan = lowered.executorch_program.execution_plan[0]
        self.assertTrue(written.isdisjoint(plan.inputs))
        self.assertTrue(written & set(plan.outputs) or written & read)
        self.assertGreater(sum(d["outputs"] for d in delegates), len(delegates))

    def test_xnnpack_makes_no_store_that_the_export_dropped(self):
        def swapped(m, x):
            before = m.one.clone()
            m.one.copy_(m.other)
            return m.other.copy_(before) + m.one + x

        state = {"one": torch.zeros(4), "other": torch.ones(4)}
        programs = {"forward": export(Model(swapped, **state), (torch.ones(4),))}
        edge = to_edge_transform_and_lower(programs, partitioner=[XnnpackPartitioner()])
        out = pteproof_executorch.manifest(programs, lowered=edge.to_executorch())
        self.assertEqual(out["methods"]["forward"]["mutates"], ["one", "other"])
        self.assertEqual([d["updates"] for d in out["methods"]["forward"]["delegates"]], [[]])

    def test_what_methods_disagree_on_is_left_out(self):
        def two(*values):
            first, second = (
                copy.deepcopy(export(Model(count, total=value), (torch.ones(value.shape),)))
                for value in values
            )
            return pteproof_executorch.manifest({"a": first, "b": second})["buffers"]["total"]

        self.assertEqual(
            two(torch.zeros(2), torch.zeros(3)), {"dtype": "float32", "initial": "zero"}
        )
        self.assertEqual(two(torch.zeros(2), torch.ones(2)), {"dtype": "float32", "sizes": [2]})

    def test_initial_values_by_their_bytes(self):
        value = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        row_major = struct.pack("<6f", 1, 4, 2, 5, 3, 6)
        out, _ = facts(count, (torch.ones(3, 2),), total=value.t())
        self.assertEqual(out["buffers"]["total"]["initial"], "stored")
        self.assertEqual(
            out["buffers"]["total"]["initial_sha256"], hashlib.sha256(row_major).hexdigest()
        )
        out, _ = facts(count, (torch.ones(2),), total=torch.full((2,), -0.0))
        self.assertEqual(out["buffers"]["total"]["initial"], "stored")
        out, _ = facts(count, (torch.tensor(1),), total=torch.tensor(7))
        digest = hashlib.sha256(struct.pack("<q", 7)).hexdigest()
        self.assertEqual(out["buffers"]["total"]["initial_sha256"], digest)
        self.assertEqual(out["buffers"]["total"]["sizes"], [])

    def test_entry_values_that_are_returned(self):
        _, method = facts(
            delay, (torch.ones(2, 4),), older=torch.zeros(2, 4), newest=torch.zeros(2, 4)
        )
        self.assertEqual(method["reads"], ["newest"])
        self.assertEqual(method["mutates"], ["older", "newest"])
        self.assertEqual(method["outputs"], [{"value": "entry", "of": "newest", "same_as": 0}])
        _, method = facts(lambda m, x, y: (y, x + y), (torch.ones(2), torch.ones(2)))
        self.assertEqual(
            method["outputs"],
            [
                {"value": "entry", "of_input": 1, "same_as": 0},
                {"value": "result", "same_as": 1},
            ],
        )

    def test_a_mutated_buffer_that_is_returned_is_a_result(self):
        _, method = facts(lambda m, x: m.total.add_(x), (torch.ones(2),), total=torch.zeros(2))
        self.assertEqual(method["outputs"], [{"value": "result", "same_as": 0}])

    def test_mutated_inputs(self):
        def mutate(m, x, y):
            y.add_(x)
            return x * 2, y

        _, method = facts(mutate, (torch.ones(2), torch.ones(2)))
        self.assertEqual(method["mutates_inputs"], [1])
        self.assertEqual(
            method["outputs"],
            [{"value": "result", "same_as": 0}, {"value": "result", "same_as": 1}],
        )

    def test_outputs_that_are_one_value(self):
        def pad(m, x, row):
            before = x * 2
            after = before.index_put((torch.tensor([0]),), row)
            return after, before, after.reshape(2, 2), before.clone(), x.sum().item() > 0

        _, method = facts(pad, (torch.ones(4), torch.zeros(1)))
        same = [output.get("same_as") for output in method["outputs"]]
        self.assertEqual(same[:4], [0, 1, 0, 1])
        self.assertIsNone(same[4])

    def test_inputs_that_are_no_tensors_have_no_sizes(self):
        _, method = facts(lambda m, x, none, k, table: x * k, (torch.ones(2), None, 3, {"a": 2.0}))
        self.assertEqual([("sizes" in i) for i in method["inputs"]], [True, False, False, False])

    def test_dynamic_dimensions(self):
        batch = Dim("batch", min=1, max=8)
        _, method = facts(
            lambda m, x, y: (x * 2, y * 2),
            (torch.ones(4, 3), torch.ones(8)),
            dynamic={"inputs": ({0: batch}, {0: 2 * batch})},
        )
        self.assertEqual(method["inputs"][0]["sizes"], [{"min": 1, "max": 8}, 3])
        self.assertEqual(method["inputs"][1]["sizes"], [{"min": 2, "max": 16, "step": 2}])
        _, method = facts(lambda m, x: x * 2, (torch.ones(4),), {"inputs": ({0: Dim("n")},)})
        self.assertEqual(method["inputs"][0]["sizes"], [{"min": 0, "max": None}])

    def test_dimensions_of_one_size_have_one_name(self):
        batch = Dim("batch", min=1, max=8)
        _, method = facts(
            lambda m, x, y: x + y,
            (torch.ones(4, 3), torch.ones(4, 1)),
            dynamic={"inputs": ({0: batch}, {0: batch})},
        )
        [x, _], [y, _] = (i["sizes"] for i in method["inputs"])
        self.assertEqual(x, y)
        self.assertTrue(x["name"])

    def test_state_hidden_in_a_composite_operator(self):
        program = export(torch.nn.BatchNorm1d(2).train(), (torch.ones(3, 2),))
        out = pteproof_executorch.manifest({"forward": program})
        check_schema(out)
        self.assertEqual(
            sorted(out["buffers"]), ["num_batches_tracked", "running_mean", "running_var"]
        )
        self.assertEqual(out["buffers"]["num_batches_tracked"]["dtype"], "int64")

    def test_words_that_the_format_does_not_have(self):
        for wrong in ({"policy": "shared"}, {"load": "all"}):
            with self.assertRaises(ValueError):
                pteproof_executorch.manifest({}, **wrong)


class Corpus(unittest.TestCase):
    @unittest.skipIf(jsonschema is None, "jsonschema is not installed")
    def test_manifests_match_the_schema(self):
        shared = SOURCE.parent / "shared/corpus/exported"
        files = [p for root in (SOURCE / "corpus", shared) for p in root.rglob("*.manifest.json")]
        self.assertGreaterEqual(len(files), 10)
        for file in files:
            with self.subTest(file=file.name):
                check_schema(json.loads(file.read_text()))
        page = (SOURCE / "docs/reference/manifest.md").read_text()
        check_schema(json.loads(page.split("```")[1][4:]))

    @unittest.skipIf(jsonschema is None, "jsonschema is not installed")
    def test_the_schema_refuses_what_the_format_does_not_allow(self):
        digest = "0" * 64
        method = lambda members: {"pteproof": 1, "methods": {"m": members}}  # noqa: E731
        output = lambda members: method({"outputs": [members]})  # noqa: E731
        for wrong in (
            {},
            {"pteproof": 2},
            {"pteproof": 1, "policy": "all"},
            {"pteproof": 1, "unknown": 1},
            {"pteproof": 1, "buffers": {"s": {"initial": "zero", "initial_sha256": digest}}},
            {"pteproof": 1, "buffers": {"s": {"initial_sha256": digest}}},
            {"pteproof": 1, "buffers": {"s": {"dtype": "fp32"}}},
            {"pteproof": 1, "suppress": [{"rule": "self-copy", "reason": " "}]},
            method({"values": {"07": "s"}}),
            method({"mutates_inputs": [-1]}),
            method({"inputs": [{"sizes": [{"mim": 1}]}]}),
            method({"delegates": [{"index": 0}]}),
            output({"value": "entry"}),
            output({"value": "entry", "of": "s", "of_input": 0}),
            output({"value": "result", "of": "s"}),
        ):
            with self.subTest(manifest=wrong), self.assertRaises(jsonschema.ValidationError):
                check_schema(wrong)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def export_put_get(self):
        memory = torch.zeros(2, 2)
        programs = {
            "put": export(Model(put, memory=memory), (torch.ones(2, 2),)),
            "get": export(Model(get, memory=memory), ()),
        }
        pteproof_executorch.write_manifest(
            self.folder / "model.manifest.json", programs, policy="share-all"
        )
        return programs

    def test_the_command_writes_what_the_function_writes(self):
        arguments = ["-o", str(self.folder / "again.manifest.json"), "--policy", "share-all"]
        for name, program in self.export_put_get().items():
            torch.export.save(program, self.folder / f"{name}.pt2")
            arguments.append(f"{name}={self.folder / name}.pt2")
        main(["manifest", *arguments])
        written = (self.folder / "model.manifest.json").read_text()
        self.assertEqual((self.folder / "again.manifest.json").read_text(), written)

    @unittest.skipUnless(os.path.exists(BINARY), "the pteproof command is not built")
    def test_check_accepts_a_program_with_its_manifest(self):
        programs = self.export_put_get()
        config = ExecutorchBackendConfig(
            memory_planning_pass=MemoryPlanningPass(share_mutable_buffers=True),
            emit_mutable_buffer_names=True,
        )
        with open(self.folder / "model.pte", "wb") as file:
            to_edge(programs).to_executorch(config).write_to_file(file)
        done = subprocess.run(
            [BINARY, "check", str(self.folder / "model.pte"), "--trust-manifests"],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipUnless(os.path.exists(BINARY), "the pteproof command is not built")
    def test_check_accepts_a_training_program_with_its_manifest(self):
        program = trained()
        path = self.folder / "trained.manifest.json"
        pteproof_executorch.write_manifest(path, {"forward": program})
        with open(self.folder / "trained.pte", "wb") as file:
            to_edge(program).to_executorch().write_to_file(file)
        done = subprocess.run(
            [BINARY, "check", str(self.folder / "trained.pte"), "--manifest", str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()

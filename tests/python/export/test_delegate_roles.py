"""What the blobs of fresh exports say, against the signatures of what was lowered."""

import importlib.util
import os
import re
from pathlib import Path

import pytest
import torch
from delegated_models import lowered, told_roles
from executorch.exir import to_edge_transform_and_lower
from torch import nn
from torch.export import export

import pteproof

ROOT = Path(os.environ["PTEPROOF_SOURCE_DIR"])
INPUT = (torch.ones(2, 8),)
LOADER = "executorch.runtime@1.5"
SCHEMA = "executorch/backends/mlx/serialization/schema.fbs"
# A field's letter in runtime/delegates/mlx.cc: of one that is read, and of one that is written.
LETTERS = {
    "Tid": "rw",
    "[Tid]": "RW",
    "Vid": "vx",
    "VidOrTid": "t",
    "IntOrVid": "i",
    "FloatOrVid": "i",
    "[IntOrVid]": "I",
    "IntOrVidOrTid": "k",
}
WRITTEN = {"out", "outs", "outputs", "sliced"}
BOTH = {"carry"}  # "body reads/writes in place"


@pytest.mark.parametrize("backend", ["xnnpack", "xnnpack in parts", "native", "vulkan", "core ml"])
def test_a_call_has_the_roles_of_the_signature(backend):
    made = lowered(backend, 105)  # two methods, sizes that vary
    told = told_roles(made.program)
    assert told == [(part.method, part.roles) for part in made.parts]
    assert told


def _xnnpack_with_external_weights(model):
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir.passes.external_constants_pass import (
        delegate_external_constants_pass_unlifted,
    )

    unlifted = model.module()
    delegate_external_constants_pass_unlifted(unlifted, lambda _: "weights")
    return export(unlifted, INPUT), XnnpackPartitioner()


def _native_with_external_weights(model):
    from executorch.backends.native.partitioner import NativePartitioner

    return model, NativePartitioner(external_constants_tag="weights")


@pytest.mark.parametrize("lower", [_xnnpack_with_external_weights, _native_with_external_weights])
def test_what_a_blob_is_loaded_with_is_looked_for_in_a_data_file(lower):
    exported, partitioner = lower(export(nn.Linear(8, 4), INPUT))
    made = to_edge_transform_and_lower(exported, partitioner=[partitioner]).to_executorch()
    program, data = bytes(made.buffer), [bytes(each) for each in made._tensor_data.values()]
    assert told_roles(program) == [("forward", "rw")]
    assert len(data) == 1

    def refusals(data):
        report = pteproof.check(program, loader=LOADER, data=data)
        assert report.verdict == "safe"
        return [f for f in report.findings if f.rule == "load-fails"]

    assert not any("named data" in each.explanation for each in refusals(data))
    [without] = [each for each in refusals([]) if "named data" in each.explanation]
    assert "--data FILE.ptd" in without.fix


def _letters(fields):
    for name, kind in re.findall(r"(\w+)\s*:\s*([^;=(]+)", fields):
        letters = LETTERS.get(kind.strip(), "-")
        yield "B" if name in BOTH else letters[-1] if name in WRITTEN else letters[0]


def test_the_table_of_mlx_is_the_schema():
    site = Path(importlib.util.find_spec("executorch").submodule_search_locations[0]).parent
    schema = re.sub(r"//.*", "", (site / SCHEMA).read_text())
    tables = dict(re.findall(r"table (\w+)Node\s*\{([^}]*)\}", schema))
    union = re.search(r"union OpNode\s*\{([^}]*)\}", schema)[1]
    expected = [
        (name, "".join(_letters(tables[name])).rstrip("-"))
        for name in re.findall(r"(\w+)Node\b", union)
    ]
    source = (ROOT / "runtime/delegates/mlx.cc").read_text()
    assert re.findall(r'MlxKind\{"(\w+)", "([^"]*)"\}', source) == expected

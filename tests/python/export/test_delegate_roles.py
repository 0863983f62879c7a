"""What the blobs of fresh exports say, against the signatures of what was lowered."""

import importlib.util
import os
import re
from pathlib import Path

import pytest
from delegated_models import lowered, told_roles

ROOT = Path(os.environ["PTEPROOF_SOURCE_DIR"])
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
    made = lowered(backend, 1)
    told = told_roles(made.program)
    assert told == [(part.method, part.roles) for part in made.parts]
    assert told


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

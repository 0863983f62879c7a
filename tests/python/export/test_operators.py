"""The lists of what the wheel registers are those of the wheel."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest
from registrations import of_library, of_python, of_yaml, registered

import pteproof
from pteproof.executorch._operators import KNOWN

SOURCE = pathlib.Path(os.environ.get("PTEPROOF_SOURCE_DIR", pathlib.Path(__file__).parents[3]))


def test_the_operators_and_delegates_of_the_wheel_are_listed():
    script = SOURCE / "scripts/wheel_names"
    checked = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert (checked.returncode, checked.stdout) == (0, ""), checked.stderr


# Of these the table says more than their registrations: what is placed and not written, and what is written.
PLACED = {
    "aten::_cat_nop.out",
    "aten::_select_copy_nop.int_out",
    "aten::_slice_copy_nop.Tensor_out",
    "cadence::idma_wait.out",
}
WRITES_UNSAID = {"executorch::update_cross_attn_cache"}


@pytest.fixture(scope="module")
def signatures():
    spec = importlib.util.find_spec("executorch")
    if spec is None:
        pytest.skip("executorch is not installed")
    return registered(pathlib.Path(list(spec.submodule_search_locations)[0]))


def test_the_table_has_every_operator_that_the_wheel_registers(signatures):
    names = {signature.split("(")[0] for signature in signatures}
    assert len(names) > 160
    assert names - KNOWN == PLACED


def test_the_table_says_what_the_registrations_say(signatures, tmp_path):
    """A signature that contradicts the table is an error."""
    plain = [s for s in signatures if s.split("(")[0] not in PLACED | WRITES_UNSAID]
    listed = tmp_path / "wheel.txt"
    listed.write_text("\n".join(plain) + "\n")
    program = SOURCE / "corpus/public/add_model.pte"
    assert pteproof.check(program, operators=[listed]).verdict == "safe"


def test_registrations_are_read_from_each_kind_of_file():
    python = """
lib = Library("my", "DEF")
lib.define("f.out(Tensor x, " "*, Tensor(a!) out) -> Tensor(a!)")
other.define("g(Tensor x) -> Tensor")
@torch.library.custom_op("executorch::h", mutates_args=())
def h(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor: ...
"""
    assert sorted(of_python(python)) == [
        "executorch::h(Tensor x, Tensor y) -> Tensor",
        "my::f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
    ]
    yaml = "- op: add.out\n- func: f.out(Tensor x) -> ()\n  kernels: []\n- func: my::g(Tensor x) -> ()\n- func: aten::add\n"
    assert of_yaml(yaml) == ["aten::f.out(Tensor x) -> ()", "my::g(Tensor x) -> ()"]
    text = b"\0f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\0f(Tensor x) -> Tensor\0check(size) -> no\0"
    assert of_library("my", text) == ["my::f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)"]

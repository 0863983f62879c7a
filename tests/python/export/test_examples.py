"""The examples print what docs/reference/python.md and docs/tutorial.md show."""

import os
import pathlib
import re
import subprocess
import sys

import nbformat
import pytest
from mistakes import IN_A_RUN_ONLY
from nbclient import NotebookClient
from real_models import installed

import pteproof
from pteproof.executorch import to_executorch

ROOT = pathlib.Path(__file__).parents[3]


def test_the_delay_line_is_named_and_mended():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", ROOT / "examples/delay_line.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    page = (ROOT / "docs/reference/python.md").read_text()
    assert f"```\n{done.stdout}```" in page
    lines = page.partition("examples/delay_line.py):\n\n```python\n")[2].partition("```")[0]
    example = (ROOT / "examples/delay_line.py").read_text()
    assert lines.splitlines() == [line.removeprefix("    ") for line in example.splitlines()[-6:]]


@pytest.mark.skipif(not installed("optimum.executorch"), reason="no optimum-executorch")
def test_the_recipe_of_optimum_prints_what_the_page_shows():
    example = ROOT / "examples/optimum_recipe.py"
    program = (
        f"import real_models, runpy; real_models.torchvision(); runpy.run_path({str(example)!r})"
    )
    folders = [str(pathlib.Path(__file__).parent), *sys.path]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    page = (ROOT / "docs/reference/python.md").read_text()
    assert f"```\n{done.stdout}```" in page
    shown = page.partition('@register_recipe("pteproof")')[2].partition("```")[0]
    assert shown in example.read_text()


def test_the_program_of_the_tutorial_is_what_its_script_writes(tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", ROOT / "examples/two_conds.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    page = (ROOT / "docs/tutorial.md").read_text()
    assert f"```text\n{done.stdout}```" in page
    stored = (ROOT / "examples/two_conds.pte").read_bytes()
    assert (tmp_path / "two_conds.pte").read_bytes() == stored


def test_a_mistake_that_the_file_does_not_show_is_what_the_page_says():
    kind = IN_A_RUN_ONLY["output overwritten"][0]()
    exported = kind.exported()
    with pytest.raises(pteproof.WrongProgramError) as raised:
        edge = kind.edge(exported)
        to_executorch(edge, kind.config, exported=exported, manifest=False)
    # File and line are those of the tests.
    page = re.sub(r"\w+\.py:\d+", "model.py", (ROOT / "docs/reference/python.md").read_text())
    assert re.sub(r"\w+\.py:\d+", "model.py", f"```\n{raised.value}\n```") in page


def test_the_notebook_prints_what_it_shows():
    path = ROOT / "examples/delay_line.ipynb"
    shown = nbformat.read(path, as_version=4)
    run = nbformat.read(path, as_version=4)
    NotebookClient(run, timeout=300, kernel_name="python3").execute()
    texts = [printed(cell) for cell in shown.cells if cell.cell_type == "code"]
    assert [printed(cell) for cell in run.cells if cell.cell_type == "code"] == texts
    assert "write-back-missing | self.older.copy_(self.newest)" in texts[1]
    assert any(
        "text/html" in o.get("data", {}) for cell in run.cells for o in cell.get("outputs", [])
    )


def printed(cell):
    """What a cell prints and returns, without warnings and pictures."""
    streams = [o.text for o in cell.outputs if o.get("name") == "stdout"]
    return "".join([*streams, *(o.data["text/plain"] for o in cell.outputs if "data" in o)])

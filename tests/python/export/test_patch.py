"""The clones that mend findings: their patches apply, and the models are then exported right."""

import os
import pathlib
import runpy
import shutil
import subprocess
import sys

import pytest
import torch
from executorch.exir import to_edge
from torch.export import export

import pteproof
from pteproof.executorch import to_executorch

ROOT = pathlib.Path(__file__).parents[3]
COMMAND = os.environ["PTEPROOF_BINARY"]

HEAD = """import torch
from torch import nn


class Net(nn.Module):
"""
BUFFERS = """    def __init__(self):
        super().__init__()
        self.register_buffer("left", torch.zeros(4))
        self.register_buffer("right", torch.zeros(4))

"""
TAIL = """

model, x = Net(), torch.ones(4)
"""
MODELS = {
    "a store": BUFFERS
    + """    def forward(self, x):
        out = self.left + 1
        self.push(x)
        return out

    def push(self, x):
        self.left.copy_(
            self.right
        )
        self.right.copy_(x)
""",
    "two stores": BUFFERS
    + """    def forward(self, x):
        out = self.left + self.right * 2 + x
        left = self.left.clone()
        self.left.copy_(self.right)
        self.right.copy_(left)
        return out
""",
    "branches that are functions": """    def more(self, x):
        return x + 1

    def less(self, x):
        return x - 1

    def forward(self, x):
        y = torch.cond(
            x.sum() > 0,
            self.more,
            self.less,
            (x,),
        )
        z = torch.cond(x.sum() > 1, self.less, self.more, (x,))
        return y - z
""",
    "two results": """    def forward(self, x):
        a, b = torch.cond(x.sum() > 0, lambda x: (x + 1, x * 3), lambda x: (x - 1, x * 2), (x,))
        z = torch.cond(x.sum() > 1, lambda x: x * 5, lambda x: x * 7, (x,))
        return a - z, b + z
""",
}
EXPORT = """import sys, warnings
warnings.simplefilter("ignore")
from executorch.exir import to_edge
from torch.export import export
from pteproof.executorch import to_executorch
from MODULE import model, x

exported = export(model, (x,))
program = to_executorch(to_edge(exported), exported=exported, on_unsafe="warn")
program.save("exported.pte")
print("verdict", program.report.verdict)
print("patches", sum(finding.patch is not None for finding in program.report.findings))
"""


def export_in(folder, module):
    done = subprocess.run(
        [sys.executable, "-c", EXPORT.replace("MODULE", module)],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *map(absolute, sys.path)])},
    )
    assert done.returncode == 0, done.stderr
    return dict(line.split() for line in done.stdout.splitlines() if line.startswith(("v", "pat")))


def absolute(path):
    return str(pathlib.Path(path).resolve())


def check_patch_of(folder, module, apply):
    """Exports a model, applies the patch of the command, and exports it again."""
    before = (folder / f"{module}.py").read_text()
    exported = export_in(folder, module)
    assert exported["verdict"] == "unsafe"
    assert int(exported["patches"]) > 0
    assert (folder / f"{module}.py").read_text() == before
    done = subprocess.run(
        [absolute(COMMAND), "check", "--patch", "exported.pte"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode in (1, 3)
    assert done.stdout.startswith(f"--- {module}.py\n+++ {module}.py\n@@ -")
    (folder / "clones.patch").write_text(done.stdout)
    subprocess.run([*apply, "clones.patch"], cwd=folder, check=True, capture_output=True)
    assert (folder / f"{module}.py").read_text().count(".clone()") > before.count(".clone()")
    assert export_in(folder, module)["verdict"] == "safe"


PATCH = ["patch", "-p0", "-i"]


@pytest.mark.parametrize("name", MODELS)
def test_a_patch_applies_and_the_model_is_then_exported_right(name, tmp_path):
    (tmp_path / "net.py").write_text(HEAD + MODELS[name] + TAIL)
    check_patch_of(tmp_path, "net", PATCH)


@pytest.mark.parametrize("apply", [PATCH, ["git", "apply", "-p0"]], ids=["patch", "git"])
def test_the_model_of_the_tutorial_is_mended_by_its_patch(apply, tmp_path):
    if not shutil.which(apply[0]):
        pytest.skip(f"no {apply[0]}")
    shutil.copy(ROOT / "examples/two_conds.py", tmp_path)
    check_patch_of(tmp_path, "two_conds", apply)


def test_the_patch_of_the_page_is_that_of_the_example(monkeypatch):
    monkeypatch.chdir(ROOT)
    module = runpy.run_path("examples/delay_line.py")
    exported = export(module["DelayLine"](), (torch.ones(4),))
    with pytest.warns(pteproof.UnsafePlanWarning):
        program = to_executorch(to_edge(exported), exported=exported, on_unsafe="warn")
    [patch] = [finding.patch for finding in program.report.findings if finding.patch]
    page = (ROOT / "docs/reference/output.md").read_text()
    assert f"```diff\n{patch.rstrip()}\n```" in page

"""Export, save, trust, check: from the export into a CI."""

import hashlib
import json
import logging
import os
import pathlib
import subprocess
import sys

import pytest
import torch
from executorch.exir import ExecutorchBackendConfig, to_edge
from executorch.exir.passes import MemoryPlanningPass
from models import Model, get, put
from torch.export import export

import pteproof
from pteproof.executorch import to_executorch, write_manifest

PACKAGES = str(pathlib.Path(pteproof.__file__).absolute().parents[1])


def pair():
    """Two methods that share a cache, whose name the file does not hold."""
    memory = torch.zeros(2, 2)
    modules = {"put": (Model(put, memory=memory), (torch.ones(2, 2),))}
    modules["get"] = (Model(get, memory=memory), ())
    return {name: export(module.eval(), inputs) for name, (module, inputs) in modules.items()}


def lowered(exported, **options):
    config = ExecutorchBackendConfig(
        memory_planning_pass=MemoryPlanningPass(share_mutable_buffers=True)
    )
    return to_executorch(to_edge(exported), config, exported=exported, **options)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, which is a repository of its own."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def python(*words):
    """Runs Python in the working folder: (exit code, output, complaints)."""
    environment = {**os.environ, "PYTHONPATH": PACKAGES}
    words = [sys.executable, *words]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def command(*words):
    return python("-m", "pteproof", *words)


def test_a_saved_program_is_checked_with_exit_code_0_once_its_manifest_is_trusted(folder, caplog):
    program = lowered(pair(), policy="share-all")
    with caplog.at_level(logging.WARNING, logger="pteproof"):
        program.save("llama.pte")
    [line] = [record.getMessage() for record in caplog.records if record.name == "pteproof"]
    assert line.startswith("llama.pte: ") and line.endswith(": pteproof trust llama.pte")
    assert "and safe according to its manifest, which settles" in line
    code, output, _ = command("check", "llama.pte")
    first = output.splitlines()[0]
    assert code == 3
    assert first.endswith(": pteproof trust llama.pte")
    assert "; safe according to llama.manifest.json, which settles " in first
    assert output.count("pteproof trust") == 1
    code, output, complaints = command("trust", "llama.pte")
    assert code == 0, complaints
    assert "pteproof.toml: entry added" in output
    code, output, _ = command("check", "llama.pte")
    assert code == 0, output
    assert "trust" not in output


def test_another_export_needs_another_entry(folder):
    program = lowered(pair(), policy="share-all")
    program.save("llama.pte")
    assert pteproof.trust("llama.pte").written
    program.facts["load"] = "lazy"
    program.save("llama.pte")
    code, output, _ = command("check", "llama.pte")
    assert code == 64
    assert "is not the one that is trusted" in output and "pteproof trust llama.pte" in output
    assert pteproof.trust("llama.pte").entry == "replaced"
    assert command("check", "llama.pte")[0] == 0


def test_saving_says_nothing_where_the_file_alone_is_safe(folder, caplog):
    exported = {"forward": export(torch.nn.Linear(2, 2), (torch.ones(1, 2),))}
    program = lowered(exported)
    with caplog.at_level(logging.WARNING, logger="pteproof"):
        program.save("linear.pte")
    assert [record for record in caplog.records if record.name == "pteproof"] == []
    assert command("check", "linear.pte")[0] == 0


def test_the_line_goes_to_standard_error(folder):
    lowered(pair(), policy="share-all").save("llama.pte")
    text = "from pteproof.executorch._export import _name_the_command as n; n('llama.pte')"
    code, output, complaints = python("-c", text)
    assert (code, output) == (0, "")
    assert complaints.splitlines()[-1].endswith(": pteproof trust llama.pte")


def test_a_saved_manifest_names_its_program(folder):
    program = lowered(pair(), policy="share-all", replan=True)
    assert "program_sha256" not in program.facts
    program.save("llama.pte")
    content = (folder / "llama.pte").read_bytes()
    stated = json.loads((folder / "llama.manifest.json").read_text())
    assert stated["program_sha256"] == hashlib.sha256(content).hexdigest()
    assert list(stated)[:2] == ["pteproof", "program_sha256"]
    (folder / "llama.pte").write_bytes(lowered(pair(), planner="pteproof").buffer)
    with pytest.raises(pteproof.ManifestError, match="is that of another program"):
        pteproof.check("llama.pte")


def test_a_written_manifest_names_the_program_that_is_given(folder):
    exported = pair()
    program = lowered(exported, policy="share-all")
    sha256 = hashlib.sha256(program.buffer).hexdigest()
    write_manifest("a.manifest.json", exported, lowered=program)
    (folder / "b.pte").write_bytes(program.buffer)
    write_manifest("b.manifest.json", exported, program="b.pte")
    for method, each in exported.items():
        torch.export.save(each, f"{method}.pt2")
    words = ["manifest", "put=put.pt2", "get=get.pt2", "-o", "c.manifest.json"]
    words += ["--program", "b.pte"]
    assert python("-m", "pteproof.executorch", *words)[0] == 0
    for name in "abc":
        stated = json.loads((folder / f"{name}.manifest.json").read_text())
        assert stated["program_sha256"] == sha256

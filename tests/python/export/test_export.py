"""to_executorch on the kinds of models that people export, and on those that the exporter gets wrong."""

import hashlib
import io
import json
import os
import pathlib
import subprocess
import sys
import warnings

import jsonschema
import pytest
import torch
from executorch.exir import to_edge
from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer
from mistakes import IN_A_RUN_ONLY, MISTAKES, kind_of
from models import X, Kind, kinds
from torch import nn

import pteproof
from pteproof import testing
from pteproof.executorch import CheckedProgram, manifest, to_executorch, write_manifest
from pteproof.executorch._source import line_of, sources

SOURCE = pathlib.Path(os.environ.get("PTEPROOF_SOURCE_DIR", pathlib.Path(__file__).parents[3]))


def made(kind, **options):
    exported = kind.exported()
    return to_executorch(kind.edge(exported), kind.config, exported=exported, **options)


def linear():
    return Kind(nn.Linear(4, 2), (X,))


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_of_the_exporter_is_raised_with_the_line_of_the_model(name):
    _, rule, text = MISTAKES[name]
    with pytest.warns(pteproof.UnsafePlanWarning) as warned:
        program = made(kind_of(name), policy="share-all", on_unsafe="warn")
    findings = program.report.findings
    errors = [f for f in findings if f.severity == "error" and f.holds_under("share-all")]
    assert errors[0].rule == rule
    assert errors[0].source.file.endswith("mistakes.py")
    assert text in errors[0].source.text
    line = f"mistakes.py:{errors[0].source.line}  "
    assert any(line in str(warning.message) for warning in warned)
    with pytest.raises(pteproof.UnsafePlanError):
        program.report.raise_if_unsafe("share-all")
    # Whether the model is meant to load all methods before the first call, a Module does not say.
    assert program.verified.computation.answer == ("same" if name == "late load" else "differs")


@pytest.mark.parametrize("name", IN_A_RUN_ONLY)
def test_a_mistake_that_the_file_does_not_show_is_raised(name):
    model, place = IN_A_RUN_ONLY[name]
    with pytest.raises(pteproof.WrongProgramError, match=place) as raised:
        made(model(), policy="share-all", manifest=False)
    assert raised.value.comparison.computation.answer == "differs"


def test_a_mistake_is_an_error():
    with pytest.raises(pteproof.UnsafePlanError, match=r"mistakes.py:\d+  self.older.copy_"):
        made(kind_of("delay line"))


def test_a_mistake_may_be_a_warning():
    with pytest.warns(pteproof.UnsafePlanWarning, match="write-back-missing"):
        program = made(kind_of("swap"), on_unsafe="warn")
    assert program.report.verdict == "unsafe"
    assert "mistakes.py:" in program.report._repr_html_()
    with pytest.raises(AssertionError, match=r"mistakes.py:\d+  self.left.copy_"):
        testing.assert_plan_safe(program)


def test_what_depends_on_the_loader_is_a_warning():
    with pytest.warns(pteproof.UnsafePlanWarning, match="depends on the loader"):
        made(kinds()["put and get"])
    with pytest.raises(pteproof.UnsafePlanError, match="unsafe under private"):
        made(kinds()["put and get"], policy="private")


def test_a_mistake_may_be_repaired():
    kind = kind_of("siblings")
    program = made(kind, on_unsafe="repair")
    assert program.report.verdict == "safe"
    assert program.shown["holds"]
    loaded = _load_for_executorch_from_buffer(program.buffer)
    for x in (torch.ones(4), -torch.ones(4)):
        [output] = loaded.run_method("forward", (x,))
        assert torch.equal(output, kind.modules["forward"](x))


def test_what_no_plan_mends_is_raised_with_the_reason_and_what_the_planner_can_do():
    with pytest.raises(pteproof.UnsafePlanError) as raised:
        made(kind_of("swap"), on_unsafe="repair")
    text = str(raised.value)
    assert "error write-back-missing in method 'forward'" in text
    assert "nothing is written: no plan mends it\n  write-back-missing: The model's" in text
    assert 'planner="pteproof" has a plan for this model, made for share-all' in text
    assert made(kind_of("swap"), planner="pteproof").report.verdict == "safe"


def test_what_the_planner_does_not_take_is_said_too():
    from executorch.exir import ExecutorchBackendConfig

    kind = kind_of("swap")
    kind.config = ExecutorchBackendConfig(external_constants=True)
    with pytest.raises(pteproof.UnsafePlanError) as raised:
        made(kind, on_unsafe="repair")
    assert 'planner="pteproof" has no plan for this model either: planner=' in str(raised.value)
    assert "'external_constants'" in str(raised.value)
    with pytest.raises(pteproof.UnsafePlanError) as raised:
        made(kind_of("swap"))
    assert "has a plan" not in str(raised.value)


def test_other_words_for_on_unsafe_are_refused():
    with pytest.raises(
        ValueError, match="on_unsafe is 'ignore'; allowed: 'raise', 'warn', 'repair'"
    ):
        made(linear(), on_unsafe="ignore")


def test_the_program_is_that_of_the_exporter():
    kind = linear()
    exported = kind.exported()
    plain = kind.edge(exported).to_executorch()
    checked = made(kind)
    assert checked.buffer == plain.buffer
    assert checked.methods == plain.methods
    stream = io.BytesIO()
    checked.write_to_file(stream)
    assert stream.getvalue() == plain.buffer


def test_one_program_needs_no_name():
    kind = linear()
    exported = kind.exported()
    one = to_executorch(kind.edge(exported), exported=exported["forward"])
    assert one.facts == made(kind).facts


def test_without_the_exported_program_the_file_is_checked_alone():
    kind = kind_of("siblings")
    with pytest.raises(pteproof.UnsafePlanError, match=r"mistakes.py:\d+  z = torch.cond"):
        to_executorch(kind.edge(kind.exported()))
    kind = linear()
    program = to_executorch(kind.edge(kind.exported()))
    assert program.facts is None
    assert program.report.manifest is None
    assert made(linear(), manifest=False).facts is None


def test_saving_writes_the_manifest_beside(tmp_path):
    program = made(linear())
    program.save(str(tmp_path / "linear.pte"))
    report = pteproof.check(tmp_path / "linear.pte")
    assert report.manifest == str(tmp_path / "linear.manifest.json")
    written = json.loads((tmp_path / "linear.manifest.json").read_text())
    assert written.pop("program_sha256") == hashlib.sha256(program.buffer).hexdigest()
    assert written == program.facts
    kind = linear()
    alone = to_executorch(kind.edge(kind.exported()))
    alone.save(str(tmp_path / "alone.pte"))
    assert not (tmp_path / "alone.manifest.json").exists()


def test_the_command_names_the_lines_of_a_saved_program(tmp_path):
    with pytest.warns(pteproof.UnsafePlanWarning):
        program = made(kind_of("delay line"), on_unsafe="warn", manifest=True)
    path = tmp_path / "delay.pte"
    program.save(str(path))
    report = pteproof.check(path)
    assert [f.source for f in report.findings] == [f.source for f in program.report.findings]
    finding = report.findings[0]
    assert finding.source.text == "self.older.copy_(self.newest)"
    assert finding.names[str(finding.values[0])] == "older"
    assert f"{finding.source.file}:{finding.source.line}  self.older.copy_" in report.text
    assert "In the model: v1 older" in report.text
    assert pteproof.check(path, manifest=False).findings == pteproof.check(program.buffer).findings
    path.write_bytes(program.buffer + b"\0")
    (tmp_path / "delay.manifest.json").unlink()
    report = pteproof.check(path)
    assert report.findings[0].source is None
    assert "it belongs to other bytes of the program" in report.unused_source


def test_the_lines_of_a_saved_program_fit_their_schema():
    schema = json.loads((SOURCE / "cli/load/source.schema.json").read_text())
    jsonschema.validate(made(linear()).sources, schema)


def test_what_a_repair_has_added_has_no_line():
    program = made(kind_of("siblings"), on_unsafe="repair")
    found = program.sources["methods"]["forward"]
    assert found["instructions"] == {}
    assert found["values"]["0"]["name"] == "x"


def test_a_smaller_plan_gives_the_same_values(tmp_path):
    from executorch.runtime import Runtime

    kind = kinds()["transformer"]
    plain, smaller = made(kind), made(kind, replan=True)
    assert smaller.shown["holds"]
    assert smaller.report.banks[0].size <= plain.report.banks[0].size
    testing.assert_same(plain, smaller)
    outputs = []
    for program in (plain, smaller):
        path = tmp_path / f"{len(outputs)}.pte"
        program.save(str(path))
        method = Runtime.get().load_program(path).load_method("forward")
        outputs.append(method.execute(kind.inputs["forward"])[0].clone())
    assert torch.equal(*outputs)


def test_an_unsafe_plan_is_not_made_smaller():
    with pytest.warns(pteproof.UnsafePlanWarning):
        program = made(kind_of("swap"), on_unsafe="warn", replan=True)
    assert program.shown is None


def test_external_data_is_checked_with_the_program():
    from executorch.exir import ExecutorchBackendConfig

    config = ExecutorchBackendConfig(external_constants=True)
    program = made(Kind(nn.Linear(4, 2), (X,), config=config))
    assert program._tensor_data
    assert program.report.verdict == "safe"
    program._tensor_data = {"weights": b"nothing"}
    with pytest.raises(pteproof.PteproofError):
        pteproof.check(program)


def test_a_line_is_the_innermost_of_the_model():
    inside = f'File "{torch.__file__}", line 1, in call\n    pass\n'
    assert line_of(None) is None
    assert line_of(inside) is None
    trace = f'File "/m.py", line 4, in forward\n    return self.layer(x)\n{inside}'
    assert str(line_of(trace)) == "m.py:4  return self.layer(x)"
    beside = pathlib.Path(torch.__file__).parents[1] / "torch_models/m.py"
    trace += f'File "{beside}", line 7, in put\n    self.cache.copy_(x)\n{inside}'
    line = line_of(trace)
    assert str(line) == "m.py:7  self.cache.copy_(x)"
    assert [str(each) for each in line.called_from] == ["m.py:4  return self.layer(x)"]


class Line(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("newest", torch.zeros(4))
        self.register_buffer("older", torch.zeros(4))

    def push(self, x):
        self.older.copy_(self.newest)
        self.newest.copy_(x)

    def step(self, x):
        out = self.older + 1
        self.push(x)
        return out


class Wrapper(nn.Module):
    def __init__(self, line):
        super().__init__()
        self.line = line

    def forward(self, x):
        return self.line.step(x)


def test_a_line_is_in_the_method_that_a_wrapper_calls(tmp_path):
    kind = Kind(Wrapper(Line()), (torch.ones(4),))
    program = made(kind, on_unsafe="warn")
    [finding] = [f for f in program.report.findings if f.severity == "error"]
    assert finding.source.text == "self.older.copy_(self.newest)"
    above = [line.text for line in finding.source.called_from]
    assert above == ["self.push(x)", "return self.line.step(x)"]
    program.save(str(tmp_path / "line.pte"))
    schema = json.loads((SOURCE / "cli/load/source.schema.json").read_text())
    written = json.loads((tmp_path / "line.source.json").read_text())
    jsonschema.validate(written, schema)
    texts = [line["text"] for line in written["callers"]]
    assert len(texts) == len(set(texts)) == 2
    report = pteproof.check(tmp_path / "line.pte")
    assert report.findings[0].source == finding.source
    checked = subprocess.run(
        [os.environ["PTEPROOF_BINARY"], "check", "--all", tmp_path / "line.pte"],
        capture_output=True,
        text=True,
    )
    assert "\n    called from " in checked.stdout
    assert "return self.line.step(x)\n" in checked.stdout


def test_no_line_is_given_if_instructions_and_nodes_do_not_match():
    program = made(kinds()["residual"])
    plan = program.executorch_program.execution_plan[0]
    found = sources(program)["methods"]["forward"]
    assert found["instructions"]["0"]["file"].endswith("models.py")
    assert "relu" in found["instructions"]["0"]["text"]
    assert found["values"]["0"]["name"] == "inputs_0"
    assert [value["name"] for value in found["values"].values()][1].startswith("aten_relu")
    plan.chains[0].instructions.pop()
    found = sources(program)["methods"]["forward"]
    assert found["instructions"] == {}
    assert list(found["values"]) == ["0"]


def test_the_command_says_what_is_wrong_with_its_words(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "pteproof.executorch", "manifest", "put", "-o", tmp_path / "x"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "'put' is not METHOD=FILE.pt2" in done.stderr


def test_a_manifest_is_written_as_it_is(tmp_path):
    exported = linear().exported()
    write_manifest(tmp_path / "m.json", exported, policy="private")
    written = json.loads((tmp_path / "m.json").read_text())
    assert written == manifest(exported, policy="private")
    assert not (tmp_path / "m.source.json").exists()


def test_the_lines_of_the_model_are_written_beside_a_manifest(tmp_path):
    kind = linear()
    exported = kind.exported()
    lowered = kind.edge(exported).to_executorch()
    write_manifest(tmp_path / "m.manifest.json", exported, lowered=lowered)
    written = json.loads((tmp_path / "m.source.json").read_text())
    assert written.pop("program_sha256") == hashlib.sha256(lowered.buffer).hexdigest()
    assert written == sources(lowered, exported)
    assert written["methods"]["forward"]["values"]["0"]["name"] == "weight"


def test_importing_pteproof_imports_no_torch():
    done = subprocess.run(
        [sys.executable, "-c", "import sys, pteproof; print('torch' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"


def test_lowering_twice_changes_no_fact():
    exported = kinds()["cache"].exported()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = to_executorch(to_edge(exported), exported=exported)
        second = to_executorch(to_edge(exported), exported=exported)
    assert first.facts == second.facts

"""`trust`, and the new arguments of `compare` and `replan`."""

import hashlib
import json
import pathlib
import shutil

import pytest

import pteproof

PRIVATE = pathlib.Path(__file__).parents[3] / "corpus/real/bugs/private-state/private-state.pte"
PUT_GET = "corpus/real/models/put_get/put_get.pte"


@pytest.fixture
def model(tmp_path, monkeypatch):
    """A program that is safe under the loader that its manifest names, in an empty folder."""
    (tmp_path / ".git").mkdir()
    shutil.copy(PRIVATE, tmp_path / "m.pte")
    (tmp_path / "m.manifest.json").write_text('{"pteproof": 1, "policy": "private"}')
    monkeypatch.chdir(tmp_path)
    return tmp_path / "m.pte"


def test_trust_writes_the_entry_that_check_reads(model, command):
    trust = pteproof.trust("m.pte")
    assert (trust.verdict_alone, trust.verdict_trusted) == ("depends", "safe")
    assert (trust.loader, trust.entry, trust.written) == ("private", "added", True)
    assert trust.settles == []
    manifest = model.with_name("m.manifest.json").read_bytes()
    assert trust.sha256 == hashlib.sha256(manifest).hexdigest()
    assert trust.sha256 in (model.parent / "pteproof.toml").read_text()
    assert trust.text.startswith("m.pte: depends without m.manifest.json, safe with it\n")
    config = model.parent / "pteproof.toml"
    code, output, _ = command("check", "-q", "--config", config, model)
    assert (code, "safe" in output) == (0, True)
    assert pteproof.trust("m.pte").entry == "kept"


def test_trust_gives_the_same_as_the_command(model, command):
    _, output, _ = command("trust", "--json", "--dry-run", model)
    json_of = json.loads(output)
    trust = pteproof.trust(model, dry_run=True)
    for key in ("verdict_alone", "verdict_trusted", "loader", "sha256", "entry", "written"):
        assert getattr(trust, key) == json_of[key]
    assert not (model.parent / "pteproof.toml").exists()


def test_trust_names_the_questions(model):
    shutil.copy("/".join([str(PRIVATE.parents[2]), "models/map_in_cond/map_in_cond.pte"]), model)
    known = {"rule": "read-before-write", "reason": "the branch writes it"}
    model.with_name("m.manifest.json").write_text(json.dumps({"pteproof": 1, "suppress": [known]}))
    trust = pteproof.trust(model, dry_run=True)
    assert trust.verdict_alone == trust.verdict_trusted == "undecided"
    assert {(q.rule, q.accepted) for q in trust.settles} == {tuple(known.values())}


def test_trust_takes_a_config_and_a_loader(model, tmp_path):
    config = tmp_path / "other.toml"
    config.write_text("# mine\n")
    trust = pteproof.trust(model, config=config, policy="share-all")
    assert trust.verdict_trusted == "unsafe"
    text = config.read_text()
    assert text.startswith("# mine\n\n[[trust]]\n") and 'policy = "share-all"\n' in text


def test_trust_raises_for_a_manifest_of_another_program(model):
    other = {"pteproof": 1, "program_sha256": "0" * 64}
    model.with_name("m.manifest.json").write_text(json.dumps(other))
    with pytest.raises(pteproof.ManifestError, match="is that of another program"):
        pteproof.trust("m.pte")
    model.with_name("m.manifest.json").unlink()
    with pytest.raises(pteproof.UsageError, match="no manifest lies beside it"):
        pteproof.trust("m.pte")


def test_check_says_what_a_found_manifest_would_settle(model):
    report = pteproof.check("m.pte")
    assert (report.by_word, report.settles) == ("safe", ["the loader"])
    assert "name it with --manifest" in report.text


def test_check_refuses_the_manifest_of_other_bytes():
    program = PRIVATE.read_bytes()
    manifest = {"pteproof": 1, "program_sha256": hashlib.sha256(program).hexdigest()}
    assert pteproof.check(program, manifest=manifest).verdict == "depends"
    with pytest.raises(pteproof.ManifestError, match="is that of another program"):
        pteproof.check(PUT_GET, manifest=manifest)


def test_replan_gives_the_manifest_of_the_new_program():
    made = pteproof.replan(PUT_GET, runs=1)
    assert made.manifest["program_sha256"] == hashlib.sha256(made.program).hexdigest()
    report = pteproof.check(made.program, manifest=made.manifest, policy="share-all")
    assert report.verdict == "safe"
    assert pteproof.replan(PUT_GET, runs=1, manifest=False).manifest is None


def test_compare_takes_other_names_of_methods(tmp_path):
    text = "method {}(%x: float32[4]) {{\n  %0: float32[4] = aten::neg.out(%x)\n  return %0\n}}\n"
    old, new = (pteproof.plan(pteproof.Module(text.format(n))).program for n in ("f", "g"))
    assert pteproof.compare(old, new).failed != []
    comparison = pteproof.compare(old, new, rename={"f": "g"})
    assert (comparison.computation.answer, comparison.failed) == ("same", [])
    with pytest.raises(pteproof.UsageError, match="has no method 'h'"):
        pteproof.compare(old, new, rename={"h": "g"})

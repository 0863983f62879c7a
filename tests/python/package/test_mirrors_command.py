"""The API says what the command says, on every file of the corpus, key by key."""

import inspect
import json
import pathlib
import re

import pytest
from mirror import differences

import pteproof

CORPUS = pathlib.Path(__file__).parents[3] / "corpus"
EXPECTED = {
    2: pteproof.MalformedError,
    64: pteproof.UsageError,
    66: pteproof.UnreadableError,
}
CLASS_OF = {
    "malformed": pteproof.MalformedError,
    "wrong-manifest": pteproof.ManifestError,
    "unreadable": pteproof.UnreadableError,
}
SOME = [
    "corpus/real/bugs/cond-siblings/cond-siblings.pte",
    "corpus/real/bugs/pass-missing/pass-missing.pte",
    "corpus/real/models/put_get/put_get.pte",
    "corpus/reports/et12804/default.pte",
    "corpus/public/add_model.pte",
]


def lines(output):
    return [json.loads(line) for line in output.splitlines()]


@pytest.fixture(scope="module")
def reports(command):
    _, output, _ = command("check", "--json", "corpus")
    return lines(output)


def judged(report):
    return report["verdict"] in ("safe", "unsafe", "undecided", "depends")


def test_check_gives_the_same_report_of_every_file(reports):
    files = [report for report in reports if judged(report)]
    assert len(files) > 100
    for report in files:
        assert differences(pteproof.check(report["file"]), report, report["file"]) == []


def test_check_refuses_the_same_files_with_the_class_of_the_verdict(reports):
    files = [report for report in reports if not judged(report)]
    assert len(files) > 100
    for report in files:
        with pytest.raises(CLASS_OF[report["verdict"]]) as raised:
            pteproof.check(report["file"])
        for finding in report["findings"]:
            assert finding["rule"] in str(raised.value), report["file"]
        assert report.get("error", "") in str(raised.value)


@pytest.mark.parametrize("words", [{}, {"policy": "share-all"}, {"manifest": False}])
@pytest.mark.parametrize("file", SOME)
def test_check_says_the_same_words_with_the_same_arguments(command, file, words):
    flags = {"policy": ("--policy", "share-all"), "manifest": ("--no-manifest",)}
    _, text, _ = command("check", file, *(word for key in words for word in flags[key]))
    _, output, _ = command("check", "--json", file, *(w for key in words for w in flags[key]))
    report = pteproof.check(file, **words)
    assert report.text == text
    assert differences(report, *lines(output)) == []


@pytest.mark.parametrize("file", SOME)
def test_prove_gives_the_same_proof(command, file):
    for flags, words in (
        ((), {}),
        (("--why", "--policy", "share-all"), {"why": True, "policy": "share-all"}),
    ):
        _, output, _ = command("prove", "--json", file, *flags)
        proof = pteproof.prove(file, **words)
        [expected] = lines(output)
        proof.seconds, proof.solvers = expected["seconds"], expected["solvers"]
        for obligation, other in zip(proof.obligations, expected["obligations"], strict=True):
            # Which facts and numbers a version of the solver names may differ.
            obligation.core, obligation.model = other.get("core", []), other.get("model", {})
        assert differences(proof, expected) == []


def test_compare_gives_the_same_comparison(command):
    for old, new in ((SOME[2], SOME[2]), (SOME[0], SOME[1]), (SOME[4], SOME[2])):
        _, output, _ = command("compare", "--json", old, new)
        assert differences(pteproof.compare(old, new), *lines(output)) == []


def test_compare_of_a_module_gives_the_same_comparison(command, tmp_path):
    module = "corpus/modules/counter.module"
    program = tmp_path / "counter.pte"
    assert command("plan", module, "-o", program)[0] == 0
    _, output, _ = command("compare", "--json", module, program)
    comparison = pteproof.compare(module, program)
    assert differences(comparison, {"failed": [], **lines(output)[0]}) == []


@pytest.mark.parametrize("file", SOME)
def test_diff_inspect_and_map_give_the_same(command, file):
    _, output, _ = command("diff", "--json", file)
    assert differences(pteproof.diff(file), lines(output)) == []
    _, output, _ = command("inspect", "--json", file)
    assert differences(pteproof.inspect(file), *lines(output)) == []
    assert pteproof.map(file) == command("map", file)[1]
    assert pteproof.map(file, text=True) == command("map", "--text", file)[1]


@pytest.mark.parametrize("file", SOME)
def test_memory_gives_the_same_counts(command, file):
    for flags, words in (
        ((), {}),
        (
            ("--loader", "executorch.runtime@1.5", "--files", "read"),
            {"loader": "executorch.runtime@1.5", "files": "read"},
        ),
    ):
        _, output, _ = command("memory", "--json", file, *flags)
        memory = pteproof.memory(file, **words)
        assert differences(memory, *lines(output)) == []
        assert memory.text == command("memory", file, *flags)[1]


def test_replan_gives_the_same_program_and_certificate(command, tmp_path):
    path = tmp_path / "new.pte"
    _, output, _ = command("replan", "--json", SOME[2], "-o", path, "--runs", 20)
    made = pteproof.replan(SOME[2], runs=20)
    assert made.program == path.read_bytes()
    [certificate] = lines(output)
    assert made.shown == {**certificate, "new": "<new>"}


def test_link_gives_the_same_program_manifest_and_certificate(command, tmp_path):
    path = tmp_path / "new.pte"
    files = [f"corpus/link/lm/{name}.pte" for name in ("prefill", "decode")]
    words = ("--share", "layers_*", "--rename", f"{files[1]}:decode=step", "--runs", 20)
    _, output, _ = command("link", "--json", *files, "-o", path, *words)
    made = pteproof.link(*files, share="layers_*", rename={(1, "decode"): "step"}, runs=20)
    assert made.program == path.read_bytes()
    assert made.manifest == json.loads(path.with_suffix(".manifest.json").read_text())
    assert made.shown == {**lines(output)[0], "new": "<new>"}


def test_link_takes_programs_in_memory_with_their_manifests(command, tmp_path):
    path = tmp_path / "new.pte"
    folder = CORPUS / "link/encoder_decoder"
    files = [folder / f"{name}.pte" for name in ("encode", "decode")]
    beside = [file.with_suffix(".manifest.json") for file in files]
    assert command("link", *files, "-o", path, "--runs", 20)[0] == 0
    contents = [file.read_bytes() for file in files]
    manifests = [beside[0], json.loads(beside[1].read_text())]
    assert pteproof.link(*contents, manifests=manifests, runs=20).program == path.read_bytes()
    assert pteproof.link(*files, runs=20).program == path.read_bytes()
    # Without manifests nothing is shared.
    apart = pteproof.link(*files, manifests=False, runs=20)
    assert apart.shown["shared"] == []
    exported = [Exported(*each) for each in zip(contents, manifests[1:] * 2, strict=True)]
    exported[0].facts = json.loads(beside[0].read_text())
    assert pteproof.link(*exported, runs=20).program == path.read_bytes()


class Exported:
    """As what to_executorch returned."""

    def __init__(self, buffer, facts):
        self.buffer, self.facts = buffer, facts

    def write_to_file(self, file):
        file.write(self.buffer)


def test_link_refuses_as_the_command_does():
    path = "corpus/real/models/put_get/put_get.pte"
    with pytest.raises(pteproof.NoPlanError, match="the plan is unsafe"):
        pteproof.link(SOME[0], path)
    with pytest.raises(pteproof.UsageError, match="has no method 'step'"):
        pteproof.link(path, rename={(0, "step"): "other"})
    with pytest.raises(ValueError, match="manifests=False"):
        pteproof.link(path, manifests=[False])


def test_split_gives_the_same_program_and_manifest(command, tmp_path):
    path = tmp_path / "new.pte"
    _, output, _ = command("split", SOME[2], "get", "-o", path)
    made = pteproof.split(SOME[2], "get")
    assert made.program == path.read_bytes()
    assert made.manifest == json.loads(path.with_suffix(".manifest.json").read_text())
    assert made.text == output
    with pytest.raises(pteproof.UsageError, match="there is no method"):
        pteproof.split(SOME[2], ["backward"])


def test_the_text_of_a_module_may_stand_for_its_path():
    path = "corpus/modules/translator.module"
    module = pteproof.Module(pathlib.Path(path).read_text())
    planned = pteproof.plan(module)
    assert planned.program == pteproof.plan(path).program
    module = pteproof.Module(
        "method f(%x: float32[4]) {\n  %0: float32[4] = aten::neg.out(%x)\n  return %0\n}\n"
    )
    planned = pteproof.plan(module)
    assert pteproof.compare(module, planned.program).computation.answer == "same"
    assert pteproof.lint(module).right
    assert pteproof.prove(module).verdict == "proved"


def test_plan_gives_the_same_program(command, tmp_path):
    path = tmp_path / "new.pte"
    module = "corpus/modules/translator.module"
    _, output, _ = command(
        "plan", module, "-o", path, "--report", "--json", "--without", "in-place"
    )
    planned = pteproof.plan(module, without=["in-place"])
    assert planned.program == path.read_bytes()
    assert differences(planned.banks, lines(output)) == []


def test_place_gives_the_same_offsets(command):
    for flags, words in ((), {}), (("--capacity", "100"), {"capacity": 100}):
        _, output, _ = command("place", "--json", "corpus/tables/three.csv", *flags)
        assert differences(pteproof.place("corpus/tables/three.csv", **words), lines(output)) == []


def test_lint_gives_the_same_findings(command):
    for file in sorted(CORPUS.glob("lint/*.module")):
        name = str(file.relative_to(CORPUS.parent))
        _, output, _ = command("lint", "--json", name, "--order", "any")
        assert differences(pteproof.lint(name, order="any"), *lines(output)) == []


# Flags that a function has no use for: forms of output, files that it returns instead, and threads.
LEFT_OUT = {"help", "color", "json", "sarif", "html", "format", "quiet", "all", "jobs", "output"}
# Named in the command by a loader's version; "--no-manifest" is `manifest=False`.
LEFT_OUT |= {"loader", "no-manifest", "certificate"}
# Of what a function does not do: to write queries, to prove the planner, to print lifetimes and
# meanings, which are texts for people.
LEFT_OUT |= {"solver", "smt", "list", "planner", "storages", "lifetimes", "meaning", "memory-id"}
# Python's caller ends a call by Ctrl-C, or by `seconds`, with an exception; a call ends.
LEFT_OUT |= {"time", "watch"}

# Functions judge files; a repository's standard is the command's.
STANDARD = {"config", "no-config", "select", "ignore", "fail-on", "max-bytes", "max-waste"}
STANDARD |= {"baseline", "write-baseline"}


@pytest.mark.parametrize(
    "verb", "check prove compare diff inspect map memory place lint link split trust".split()
)
def test_every_flag_of_a_verb_is_an_argument_of_its_function(command, verb):
    _, text, _ = command("help", verb)
    flags = set(re.findall(r"^  (?:-\w,\s*)?--([a-z-]+)", text, re.MULTILINE))
    assert len(flags) > 2
    arguments = {
        name.replace("_", "-") for name in inspect.signature(getattr(pteproof, verb)).parameters
    }
    left_out = LEFT_OUT | STANDARD if verb == "check" else LEFT_OUT
    if "manifests" in arguments:  # of several programs
        arguments.add("manifest")
    assert flags - left_out - arguments == set()


def test_check_takes_no_config_of_the_working_directory(command, tmp_path, monkeypatch):
    program = tmp_path / "model.pte"
    program.write_bytes((CORPUS.parent / SOME[0]).read_bytes())
    (tmp_path / "pteproof.toml").write_text('ignore = ["region-escape"]\n')
    monkeypatch.chdir(tmp_path)
    assert pteproof.check("model.pte").findings[0].suppressed is None


def test_other_flags_reach_the_command():
    with pytest.raises(pteproof.UsageError, match="'--nonsense'"):
        pteproof.replan(SOME[2], nonsense=True)
    assert pteproof.replan(SOME[2], runs=5, quick=False).shown["holds"]

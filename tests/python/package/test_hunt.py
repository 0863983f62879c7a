"""What of a hunt needs neither torch nor ExecuTorch."""

import json
import os
import signal
import subprocess
import sys

import pytest

from pteproof._call import call
from pteproof.hunt import _command, _journal, _report
from pteproof.hunt._cluster import hunt_on
from pteproof.hunt._operators import CALLS, IN_PLACE, VIEWS
from pteproof.hunt._request import Request
from pteproof.hunt._rewrite import expressible
from pteproof.hunt._source import NotExpressibleError, Style, model_lines, python_name
from pteproof.hunt._text import nodes_of, parse, text_of
from pteproof.hunt._unrolled import without_while

SEEDS = range(150)
WISHES = ("in_place", "after(", "pool(", "owns(", "shares(", "uses(", "delegate")


def drawn(seed):
    return call(["random", "--seed", str(seed)]).output


def canonical(text, folder):
    path = folder / "some.module"
    path.write_text(text)
    made = call(["fmt", str(path)])
    assert made.code == 0, made.complaints
    return made.output


def test_a_module_is_read_and_written_as_it_was(tmp_path):
    texts = [text for text in map(drawn, SEEDS) if not any(w in text for w in WISHES)]
    assert len(texts) > 40
    for text in texts:
        assert canonical(text_of(parse(text)), tmp_path) == text


def test_what_is_put_otherwise_is_a_module_of_known_operators(tmp_path):
    known = {*CALLS, *IN_PLACE, *VIEWS, "cond", "while", "map", "scan"}
    for seed in SEEDS:
        module, _ = expressible(parse(drawn(seed)))
        used = {node.op for method in module.methods for node in nodes_of(method.nodes)}
        assert used <= known, seed
        canonical(text_of(module), tmp_path)


def test_a_loop_without_its_test_is_a_module(tmp_path):
    loops = [seed for seed in SEEDS if " while carried" in drawn(seed)]
    assert loops
    for seed in loops:
        module, _ = expressible(parse(drawn(seed)))
        without_while(module)
        assert "while" not in text_of(module)
        canonical(text_of(module), tmp_path)


def test_the_source_of_a_model_is_python():
    refused = 0
    for seed in SEEDS:
        module, _ = expressible(parse(drawn(seed)))
        try:
            lines = model_lines(module, Style(seed % 2 == 0, seed % 3 == 0))
        except NotExpressibleError:
            refused += 1
            continue
        compile("\n".join(lines), "<model>", "exec")
    assert refused <= 0.15 * len(SEEDS)


def test_an_old_value_is_kept_ahead_of_a_store():
    swap = """
    buffer @a: float32[2] shared buffer @b: float32[2] shared
    method swap() {%0 = entry @a %1 = entry @b return %0 store @a = %1 store @b = %0}"""
    lines = model_lines(parse(swap), Style())
    body = [line.strip() for line in lines[lines.index("class Of_swap(Held):") + 2 :]]
    expected = ["old_0 = self.a.clone()", "self.a.copy_(self.b)", "self.b.copy_(old_0)"]
    assert body == [*expected, "return old_0"]


def test_a_region_that_writes_its_parameter_is_refused():
    text = """method m(%x: float32[2], %p: bool[]) {
      %0: float32[2] = cond(%p, %x) {
        (%1: float32[2]) {%2: float32[2] = aten::add_.Tensor(%1, %1, 1) return %2}
        (%3: float32[2]) {return %3}} return %0}"""
    with pytest.raises(NotExpressibleError, match="writes its parameter"):
        model_lines(parse(text), Style())


def test_names_of_python_are_not_those_of_its_words():
    assert [python_name(each) for each in ("%0", "%self", "%a.b")] == ["v0", "self_", "a_b"]


def row(number, kind="agrees", **more):
    return {"program": f"1:{number}", "row": kind, "why": "", "seconds": 0.5, **more}


def find(folder, name, program, signature, lines):
    path = folder / "finds" / name
    path.mkdir(parents=True)
    told = {"program": program, "signature": signature, "row": "miss", "rule": "", "loader": ""}
    (path / "find.json").write_text(json.dumps({**told, "options": [], "lines": lines}))


def test_folders_are_merged_and_equal_finds_are_one(tmp_path):
    for shard in (0, 1):
        journal = _journal.Journal(tmp_path / str(shard))
        journal.add(row(shard, "miss", options=["share"], signature="s"))
        journal.add(row(shard + 2, verdicts={"Runtime": "safe"}))
        find(tmp_path / str(shard), "001", f"1:{shard}", "one kind", 30 - shard)
    found = _report.summary([tmp_path / "0", tmp_path / "1"])
    assert (found["programs"], found["rows"]) == (4, {"miss": 2, "agrees": 2})
    [one] = found["finds"]
    assert one["programs"] == ["1:1", "1:0"]  # the shortest script first
    assert one["lines"] == 29
    assert 'failures="1"' in _report.junit_of(found)
    assert "2  miss" in _report.text_of(found)


def test_a_program_counts_once_for_each_version(tmp_path):
    folders = [tmp_path / name for name in ("old", "new", "again")]
    for folder, version in zip(folders, ("1", "2", "2"), strict=True):
        _journal.Journal(folder).add(row(0, version=version))
    found = _report.summary(folders)
    assert (found["programs"], found["versions"]) == (2, ["1", "2"])


def test_a_torn_line_is_left_out_and_written_again(tmp_path):
    _journal.Journal(tmp_path).add(row(0))
    path = tmp_path / "rows-0.jsonl"
    path.write_text(path.read_text() + '{"program": "1:1", "ro')
    assert [each["program"] for each in _journal.rows_in(tmp_path)] == ["1:0"]
    _journal.Journal(tmp_path).add(row(1))
    assert [each["program"] for each in _journal.rows_in(tmp_path)] == ["1:0", "1:1"]


def test_a_program_that_ends_the_process_is_counted(tmp_path):
    journal = _journal.Journal(tmp_path)
    assert [journal.begin(7), journal.begin(7), journal.begin(7)] == [0, 1, 2]
    journal.add(row(7))
    assert journal.begin(8) == 0
    journal.leave()  # Ctrl-C
    assert journal.begin(8) == 0


def run(*words):
    return subprocess.run(
        [sys.executable, "-m", "pteproof", "hunt", *words], capture_output=True, text=True
    )


@pytest.mark.parametrize("words", [["--shard", "0/2"], ["--shard", "x"], ["--frobnicate"]])
def test_a_wrong_use_is_told(words):
    made = run(*words)
    assert made.returncode == 64
    assert "pteproof hunt" in made.stderr


def test_folders_without_rows_are_not_merged(tmp_path):
    made = run("--merge", str(tmp_path))
    assert made.returncode == 64
    assert "no rows" in made.stderr


def test_a_merged_report_has_the_exit_code_of_its_finds(tmp_path):
    _journal.Journal(tmp_path).add(row(0))
    assert run("--merge", str(tmp_path)).returncode == 0
    _journal.Journal(tmp_path).add(row(1, "undecided"))
    assert run("--merge", str(tmp_path)).returncode == 3
    find(tmp_path, "001", "1:2", "one kind", 9)
    made = run("--merge", str(tmp_path), "--json")
    assert made.returncode == 1
    assert json.loads(made.stdout)["finds"][0]["signature"] == "one kind"
    known = tmp_path / "known"
    for name in ("signature", "drawn"):  # "one kind" is a find that was not shrunk, then
        known.write_text(json.dumps({"program": "1:2", "signature": "other", name: "one kind"}))
        assert run("--merge", str(tmp_path), "--known", str(known)).returncode == 3
    known.write_text("one kind")
    made = run("--merge", str(tmp_path), "--known", str(known))
    assert made.returncode == 64
    assert str(known) in made.stderr


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ([lambda: os._exit(0)], ""),
        ([lambda: os._exit(70), lambda: os._exit(0)], "process 0 ended with exit code 70"),
        (
            [lambda: os._exit(0), lambda: os.kill(os.getpid(), signal.SIGKILL)],
            "process 1 ended with SIGKILL",
        ),
    ],
)
def test_a_process_that_fails_is_told(ends, said, capsys):
    children = {}
    for k, end in enumerate(ends):
        child = os.fork()
        if child == 0:
            end()
        children[child] = k
    assert _command._any_failed(children) == bool(said)
    assert said in capsys.readouterr().err


def test_other_pythons_judge_with_the_same_planner_and_loaders(tmp_path):
    find(tmp_path, "001", "1:2", "one kind", 9)
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "$@"\n')
    python.chmod(0o755)
    words = ["--planner", "my:own", "--loaders", "portable"]
    made = run("--bisect", str(python), "--out", str(tmp_path), *words)
    assert made.returncode == 0
    assert "hunt --replay 1:2 --loaders portable --planner my:own" in made.stdout


def rows_of(request):
    rows = [
        {"program": f"{request.seed}:{n}", "version": "1", "row": "agrees"} for n in request.only
    ]
    return {"rows-0.jsonl": "".join(json.dumps(row) + "\n" for row in rows).encode()}


@pytest.fixture(scope="module")
def cluster():
    """Two workers, each a process that is replaced if it ends."""
    distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    with distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as made:
        yield made.scheduler_address


def test_a_cluster_that_loses_a_worker_loses_and_doubles_no_program(tmp_path, cluster):
    once, rows = tmp_path / "once", rows_of

    def judge(request):
        if 131 in request.only and not once.exists():
            once.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return rows(request)

    request = Request(3, tmp_path / "out", cases=404, shard=(1, 2), quiet=True)
    assert hunt_on(cluster, request, judge, lambda: "1")
    assert once.exists()
    found = [row["program"] for row in _journal.rows_in(request.out)]
    assert sorted(found) == sorted(f"3:{n}" for n in range(1, 404, 2))


def test_a_hunt_on_a_cluster_goes_on_and_keeps_finds(tmp_path, cluster):
    rows = rows_of

    def judge(request):
        files = rows(request)
        if 7 in request.only:
            files["finds/7-some/find.json"] = json.dumps({"signature": "a"}).encode()
        return files

    request = Request(3, tmp_path, cases=30, quiet=True)
    for _ in range(2):
        assert hunt_on(cluster, request, judge, lambda: "1")
        assert len(list(_journal.rows_in(tmp_path))) == 30
    assert [told["signature"] for _, told in _journal.finds_in(tmp_path)] == ["a"]


def test_a_hunt_on_a_cluster_stops_at_the_first_new_find(tmp_path, cluster):
    def judge(request):
        return {f"finds/{request.only[0]}/find.json": json.dumps({"signature": "a"}).encode()}

    for known, most in (([], 200), ([{"signature": "a"}], 2000)):
        out = tmp_path / str(most)
        request = Request(3, out, 2000, known=known, stop_at_first=True, quiet=True)
        assert hunt_on(cluster, request, judge, lambda: "1")
        assert 0 < len(list(_journal.finds_in(out))) <= most / 20


def test_a_pack_that_fails_is_told(tmp_path, cluster, capsys):
    rows = rows_of

    def judge(request):
        if 25 in request.only:
            raise ValueError("no such operator")
        return rows(request)

    request = Request(3, tmp_path, cases=60, quiet=True)
    assert not hunt_on(cluster, request, judge, lambda: "1")
    assert "programs 20 to 39: no such operator" in capsys.readouterr().err
    assert len(list(_journal.rows_in(tmp_path))) == 40

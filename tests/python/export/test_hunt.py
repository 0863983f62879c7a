"""Random Modules as torch models, and hunts of few programs with fixed seeds."""

import copy
import dataclasses
import json
import math
import os
import random
import subprocess
import sys
import tempfile

import pytest
import torch

from pteproof._call import call
from pteproof._words import Module, Words
from pteproof.executorch._recording import Recording, Row
from pteproof.hunt import _calls, _command, _device, _hunt, _judge, _shrink, torch_module
from pteproof.hunt._cluster import judge_pack, version_there
from pteproof.hunt._export import RefusedError, exported, set_up
from pteproof.hunt._hunt import Hunt
from pteproof.hunt._journal import finds_in, known_in, rows_in, write_known
from pteproof.hunt._model import Eager, built
from pteproof.hunt._options import Available, Options
from pteproof.hunt._program import Drawing, Program, draw
from pteproof.hunt._request import Request
from pteproof.hunt._rewrite import expressible
from pteproof.hunt._script import script
from pteproof.hunt._shrink import shrink
from pteproof.hunt._source import NotExpressibleError, Style, model_lines
from pteproof.hunt._text import nodes_of, parse, text_of

set_up()
PLENTY = range(200)
SWAP = """
buffer @a: float32[2] shared buffer @b: float32[2] shared
method swap(%x: float32[2]) {
  %0 = entry @a %1 = entry @b
  %2: float32[2] = aten::add.out(%1, %x, 1)
  return %0, %2 store @a = %2 store @b = %0
}
method read() {%0 = entry @a %1 = entry @b return %0, %1}
"""
# Both branches' results lie at the same place, and the second takes the first one's.
TWO_CONDS = """
method m(%x: float32[4], %y: float32[4]) {
  %p: bool[] = aten::any.all_out(%x)
  %0: float32[4] = cond(%p, %x) {
    (%1: float32[4]) {%2: float32[4] = aten::mul.out(%1, %1) return %2}
    (%3: float32[4]) {%4: float32[4] = aten::neg.out(%3) return %4}}
  %5: float32[4] = cond(%p, %y) {
    (%6: float32[4]) {%7: float32[4] = aten::mul.out(%6, %6) return %7}
    (%8: float32[4]) {%9: float32[4] = aten::neg.out(%8) return %9}}
  %unused: float32[4] = aten::exp.out(%y)
  %10: float32[4] = aten::sub.out(%0, %5, 1)
  return %10, %unused
}
"""


def reference(module, sequence, results):
    """What the reference says to calls of a Module and to what eager mode returned."""
    recording = Recording()
    recording.begin("share-all")
    for (name, inputs), outputs in zip(sequence, results, strict=True):
        recording.add(name, inputs, outputs)
    words = Words("eval")
    words.program(module if isinstance(module, Module) else Module(text_of(module)))
    with tempfile.TemporaryDirectory() as folder:
        words.option("calls", recording.write(folder))
        words.option("compare", "eager")
        words.flag("json", True)
        outcome = words.call()
    rows = [Row.of(line) for line in outcome.lines() if "result" in line]
    return [row.reason for row in rows if not row.agrees] if rows else [outcome.complaints]


def in_eager(model, sequence):
    eager = Eager(model)
    eager.begin()
    made = [eager.call(name, inputs) for name, inputs in sequence]
    eager.begin()
    return made


def test_eager_mode_computes_what_the_reference_does():
    kinds = {"no words": 0}
    for seed in PLENTY:
        module, _ = expressible(parse(call(["random", "--seed", str(seed)]).output))
        sequence = _calls.sequence_of(module, random.Random(seed), special=True)
        try:
            model = built(module, model_lines(module, Style(seed % 2 == 0, seed % 3 == 0)))
            made = in_eager(model, sequence)
        except (NotExpressibleError, RuntimeError):
            kinds["no words"] += 1
            continue
        # The reference returns what inputs hold after a call, too.
        methods = [
            dataclasses.replace(
                m, outputs=m.outputs + [dict(m.stores).get(n, n) for n, _ in m.inputs]
            )
            for m in module.methods
        ]
        told = dataclasses.replace(module, methods=methods)
        assert reference(told, sequence, [a + b for a, b in made]) == [], seed
    assert kinds["no words"] <= 0.15 * len(PLENTY)


def test_the_edge_program_computes_what_the_module_does():
    known = 0
    for seed in range(30, 42):
        module, _ = expressible(parse(call(["random", "--seed", str(seed)]).output))
        del module.methods[1:]
        program = Program(module, Style(), Options(), [], "module")
        if any(node.op == "while" for node in nodes_of(module.methods[0].nodes)):
            continue  # the exporter refuses them
        try:
            made = exported(program, with_text=True)
        except (NotExpressibleError, RefusedError):
            continue
        sequence = _calls.sequence_of(module, random.Random(seed))
        results = [outputs for outputs, _ in in_eager(made.model, sequence)]
        assert reference(made.text, sequence, results) == [], seed
        known += 1
    assert known >= 6


def test_methods_share_what_is_stored():
    model = torch_module(SWAP)
    old, new = model.swap(torch.ones(2))
    assert (old.tolist(), new.tolist()) == ([0, 0], [1, 1])
    assert [each.tolist() for each in model.read()] == [[1, 1], [0, 0]]
    assert dict(model.named_buffers()).keys() == {"a", "b"}


def test_a_number_of_a_seed_is_one_program():
    drawing = Drawing(Available())
    for number in range(6):
        one, other = (draw(3, number, drawing) for _ in range(2))
        assert one.lines() == other.lines()
        assert one.options == other.options
        for (name, inputs), (same, again) in zip(*(p.sequences[0] for p in (one, other))):
            assert name == same
            assert all(map(torch.equal, inputs, again))


def two_conds():
    module = parse(TWO_CONDS)
    calls = _calls.sequence_of(module, random.Random(1))
    return Program(module, Style(), Options(names=True, keep_views=True), [calls], "module")


def test_a_find_is_shrunk_and_its_script_shows_it(tmp_path):
    judge = _judge.Judge()
    program = two_conds()
    judged = judge.judge(program)
    assert (judged.row, judged.why) == (_judge.SHOWN, "region-escape")
    smaller = shrink(program, judged, judge.judge, 600, math.inf)
    assert (smaller.judged.row, smaller.judged.why) == (_judge.SHOWN, "region-escape")
    assert smaller.program.options.drawn() == []
    assert [node.op for node in smaller.program.module.methods[0].nodes].count("cond") == 2
    assert "exp" not in "\n".join(smaller.program.lines())
    text = script(smaller.program, smaller.judged)
    assert text.count("\n") <= 40
    path = tmp_path / "show.py"
    path.write_text(text)
    made = subprocess.run(
        [sys.executable, "-W", "ignore", str(path)], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    expected, got = made.stdout.split("expected\n")[1].split("got\n")
    assert expected.split("updated")[0].strip() not in got


def test_what_a_run_raises_is_told_and_its_child_ends(monkeypatch):
    def raised(error):
        def run(*_):
            raise error

        return run

    parent = os.getpid()
    calls = [[("m", [], [])]]
    monkeypatch.setattr(_device, "_loaded", raised(TypeError("no such overload")))
    ran = _device.run(b"", "Runtime", calls)
    assert (ran.outcome, ran.text) == ("does not load", "no such overload")
    monkeypatch.setattr(_device, "_loaded", lambda *_: raised(MemoryError()))
    ran = _device.run(b"", "Runtime", calls)
    assert (ran.outcome, ran.text) == ("refuses a call", "MemoryError")
    monkeypatch.setattr(_device, "_run", raised(KeyError("of ours")))
    with pytest.raises(RuntimeError, match="KeyError: 'of ours'"):
        _device.run(b"", "Runtime", calls)
    monkeypatch.setattr(_device, "_run", raised(KeyboardInterrupt()))
    assert _device.run(b"", "Runtime", calls).outcome == "dies"
    assert os.getpid() == parent


def test_a_model_that_cannot_be_made_is_refused():
    program = two_conds()
    program.module.parts = ["raise ValueError('no such part')"]
    judged = _judge.Judge().judge(program)
    assert (judged.row, judged.why) == (_judge.MODEL_REFUSES, "model: ValueError: no such part")


def test_cuts_of_a_kind_leave_out_one_of_each():
    module = parse(SWAP)
    program = Program(module, Style(), Options(), [], "module")

    def left(cuts, name):
        return [
            [len(getattr(m, name)) for m in p.module.methods] for p in cuts(copy.deepcopy(program))
        ]

    of = {cuts.args[0]: cuts for cuts in _shrink._CUTS if hasattr(cuts, "args")}
    assert left(of["outputs"], "outputs") == [[1, 2], [1, 2], [2, 1], [2, 1]]
    assert left(of["stores"], "stores") == [[1, 0], [1, 0]]


def test_runs_that_hang_end_the_shrinking(monkeypatch):
    """They take no time of this process."""
    clock = [0.0]
    judged = _judge.Judged(_judge.DIES, "takes too long")

    def judge(_):
        clock[0] += 30
        return judged

    monkeypatch.setattr(_shrink.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(_shrink.time, "process_time", lambda: 0.0)
    assert shrink(two_conds(), judged, judge, 60, 100).tried == 4


def test_a_script_makes_the_calls_that_show_it():
    program = two_conds()
    program.sequences.append([("m", [torch.full([4], 3.25), torch.full([4], 7.75)])])
    judged = _judge.Judged(_judge.SHOWN, "rule", "Runtime")
    for sequence, is_second in ((0, False), (1, True)):
        judged.ran = _device.Ran("differs", sequence)
        assert ("7.75" in script(program, judged)) == is_second


def test_known_finds_are_none_when_time_runs_out(tmp_path):
    judged = _judge.Judged(_judge.DIES, "some way")
    drawn = "dies or takes too long | some way"

    def told(name, known):
        hunt = Hunt(Request(1, tmp_path / name, known=known, quiet=True))
        hunt.judge.judge = lambda _: judged
        hunt._find(0, two_conds(), judged, drawn)
        hunt._tell_waiting()
        write_known(tmp_path / name)
        return hunt.new, known_in(tmp_path / name / "known.jsonl")

    new, known = told("first", [])
    assert (new, known) == (1, [{"program": "1:0", "signature": drawn, "drawn": drawn}])
    assert told("again", known) == (0, [])
    shrunk = {"program": "1:5", "signature": "a shrunk one", "drawn": drawn}
    assert told("drawn so", [shrunk]) == (0, [])
    assert told("another", [{**shrunk, "drawn": "another way"}])[0] == 1


def test_a_find_is_kept_if_ctrl_c_ends_its_shrinking(tmp_path, monkeypatch):
    hunt = Hunt(Request(1, tmp_path, cases=1, quiet=True))
    judged = _judge.Judged(_judge.DIES, "some way")
    hunt.judge.judge = lambda _: judged

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(_hunt, "shrink", interrupted)
    monkeypatch.setattr(_hunt, "draw", lambda *_: two_conds())
    with pytest.raises(KeyboardInterrupt):
        hunt.run()
    [(_, told)] = finds_in(tmp_path)
    assert (told["program"], told["signature"]) == ("1:0", "dies or takes too long | some way")


@pytest.mark.parametrize(
    "words", [["--loaders", "Runtime,"], ["--loaders", "runtime"], ["--planner", "no_such:thing"]]
)
def test_unknown_loaders_and_planners_are_told(words, capsys):
    with pytest.raises(SystemExit) as end:
        _command.main(words)
    assert end.value.code == 64
    assert words[0] in capsys.readouterr().err


def test_loaders_may_be_apart():
    words = ["--loaders", "Runtime, portable"]
    assert _command._request(_command._parser().parse_args(words)).loaders == (
        "Runtime",
        "portable",
    )


def test_forty_programs_of_a_fixed_seed(tmp_path):
    """None is a miss, and what is found is shown by scripts that need nothing of pteproof."""
    Hunt(Request(7, tmp_path, cases=5, quiet=True)).run()
    Hunt(Request(7, tmp_path, cases=40, seconds=400, quiet=True)).run()  # goes on
    rows = list(rows_in(tmp_path))
    assert len(rows) == len({row["program"] for row in rows}) >= 20
    found = [row["row"] for row in rows]
    assert not {_judge.MISS, _judge.FAILS} & set(found)
    assert found.count(_judge.UNDECIDED) <= 1
    assert found.count(_judge.AGREES) >= len(found) // 4
    shown = [path for path, told in finds_in(tmp_path) if told["row"] == _judge.SHOWN][:3]
    assert shown
    for path in shown:
        assert json.loads((path / "find.json").read_text())["signature"]
        assert (path / "program.pte").exists()
        words = [sys.executable, "-W", "ignore", str(path / "show.py")]
        made = subprocess.run(words, capture_output=True, text=True)
        assert "expected" in made.stdout or made.returncode != 0


def test_shards_have_every_program_once(tmp_path):
    def numbers(shard):
        request = Request(1, tmp_path / str(shard), cases=10, shard=(shard, 3))
        return list(Hunt(request)._numbers())

    assert sorted(sum(map(numbers, range(3)), [])) == list(range(10))


def test_a_program_is_replayed():
    command = [sys.executable, "-W", "ignore", "-m", "pteproof", "hunt", "--replay", "1:0"]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode in (0, 1), made.stderr
    assert "class Held(nn.Module):" in made.stdout
    assert made.stdout.splitlines()[-1].startswith("1:0: ")


def test_a_pack_is_judged_in_a_process_of_its_own(tmp_path):
    files = judge_pack(Request(7, tmp_path, only=[0, 2], quiet=True))
    rows = [json.loads(line) for line in files["rows-0.jsonl"].decode().splitlines()]
    assert [row["program"] for row in rows] == ["7:0", "7:2"]
    assert {row["version"] for row in rows} == {version_there()}
    Hunt(Request(7, tmp_path, only=[0, 2], quiet=True)).run()
    assert [row["row"] for row in rows_in(tmp_path)] == [row["row"] for row in rows]

"""Planners alone: right ones keep the laws, wrong ones are caught by a small problem."""

import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys

import pytest
import wrong_planners
from conftest import BINARY

import pteproof
from pteproof.hunt.planners import laws, main
from pteproof.hunt.planners.command import table_of
from pteproof.hunt.planners.problem import (
    SPEC_KINDS,
    TABLE_KINDS,
    Layout,
    Problem,
    Storage,
    draw,
    is_fair,
    meet,
    smaller,
)
from pteproof.hunt.planners.validate import mistake_in
from pteproof.testing import planner_laws

HERE = pathlib.Path(__file__).parent

test_a_right_planner = planner_laws(wrong_planners.right, cases=500)


@pytest.mark.parametrize("planner", wrong_planners.LAW, ids=lambda each: each.__name__)
def test_a_wrong_planner_is_caught_and_its_script_shows_it(planner, tmp_path):
    law = wrong_planners.LAW[planner]
    limit = 0.2 if law.startswith("it gives") else 10.0
    test = planner_laws(planner, order_independent=law == "order", seconds=limit)
    with pytest.raises(AssertionError) as caught:
        test()
    text = str(caught.value)
    assert text.startswith(law)
    script = text[text.index('"""') :]
    assert len(script.strip().splitlines()) <= 40
    assert len(re.findall(r"^    \(.*\),$", script, re.MULTILINE)) <= 4  # storages
    if law == "it gives no answer in 0.2 seconds":
        return
    path = tmp_path / "find.py"
    path.write_text(script)
    done = run_script([sys.executable, str(path)])
    assert done.returncode == 1
    assert (
        law.removeprefix("it raises ") in done.stderr
        or "got:" in done.stdout
        or ("Error" in done.stderr)
    )


def run_script(words, folder=None):
    where = os.pathsep.join([str(HERE), *sys.path])
    environment = {**os.environ, "PYTHONPATH": where}
    return subprocess.run(words, capture_output=True, text=True, env=environment, cwd=folder)


def test_the_script_of_a_right_planner_ends_with_0(tmp_path):
    planner = laws.Planner(wrong_planners.ends_lives_early, laws.Options())
    find = laws.hunt(planner, range(1000), stop_at_first=True).finds["overlap"]
    from pteproof.hunt.planners.reproduce import script_of

    script, ending = script_of(planner, find)
    assert ending == "py"
    mended = script.replace("import ends_lives_early", "import right")
    path = tmp_path / "find.py"
    path.write_text(mended)
    assert run_script([sys.executable, str(path)]).returncode == 0


def test_drawn_problems_are_fair_and_the_same_by_number():
    drawn = {}
    for as_table, kinds in ((False, SPEC_KINDS), (True, TABLE_KINDS)):
        for number in range(500):
            made = draw(random.Random(f"3:{number}"), 20, kinds, as_table)
            assert is_fair(made)
            assert made == draw(random.Random(f"3:{number}"), 20, kinds, as_table)
            drawn[as_table, number] = made
    of = [drawn[key] for key in drawn]
    assert sum(len(each.storages) == 20 for each in of) > 400
    for drawn_kind in (
        lambda x: x.taken,
        lambda x: x.padding,
        lambda x: x.alignment not in (1, 16),
        lambda x: any(s.base >= 0 for s in x.storages),
        lambda x: any(s.base >= 0 and x.storages[s.base].base >= 0 for s in x.storages),
        lambda x: any(s.bank for s in x.storages),
        lambda x: any(s.offset is not None for s in x.storages),
        lambda x: any(s.alignment > 1 for s in x.storages),
        lambda x: any(len(s.lives) > 1 for s in x.storages),
        lambda x: any(s.size == 0 for s in x.storages),
        lambda x: any(s.size > 1 << 32 for s in x.storages),
    ):
        assert sum(bool(drawn_kind(each)) for each in of) >= 5


def test_what_is_left_out_is_not_drawn():
    for number in range(200):
        made = draw(random.Random(number), 8, frozenset(), False)
        assert (made.alignment, made.taken, made.padding) == (16, (), 0)
        assert all((s.bank, s.base, len(s.lives)) == (0, -1, 1) for s in made.storages)


def test_smaller_problems_come_to_an_end():
    for as_table, kinds in ((False, SPEC_KINDS), (True, TABLE_KINDS)):
        for number in range(20):
            made = draw(random.Random(number), 12, kinds, as_table)
            for steps in itertools.count():
                simpler = next(filter(is_fair, smaller(made)), None)
                if simpler is None:
                    break
                made = simpler
            assert steps < 1000
            assert len(made.storages) <= 1


def test_a_table_has_banks_for_all_storages_or_none_however_small_it_gets():
    """A storage without a bank is in one of its own there."""
    drawing = random.Random(1)
    seen = set()
    for _ in range(100):
        made = draw(drawing, 6, TABLE_KINDS, True)
        while steps := [each for each in smaller(made) if is_fair(each)]:
            for each in steps:
                [banked] = {storage.bank > 0 for storage in each.storages} or {False}
                seen.add(banked)
            made = drawing.choice(steps)
    assert seen == {False, True}


def moved(drawing, problem):
    """A layout that may be right, from 0 on, with a mistake now and then."""
    ends, places = {}, []
    for storage in problem.storages:
        bank = storage.bank or 1
        alignment = max(storage.alignment, 1)
        at = -(-ends.get(bank, 0) // alignment) * alignment
        if drawing.random() < 0.05:
            at = max(-1, at - drawing.randrange(1, 40))
        places.append((bank, at))
        ends[bank] = max(ends.get(bank, 0), at + storage.size)
    return places


def test_place_verify_says_the_same_of_layouts():
    """Two validators with nothing in common."""
    drawing = random.Random(5)
    wrong = 0
    for _ in range(400):
        problem = draw(drawing, 10, TABLE_KINDS - {"fixed"}, True)
        places = moved(drawing, problem)
        mistake = mistake_in(problem, Layout(places))
        given = [s._replace(offset=at) for s, (_, at) in zip(problem.storages, places, strict=True)]
        banks = pteproof.place(
            table_of(problem._replace(storages=tuple(given))).encode(), verify=True
        )
        found = [bank.mistake for bank in banks if bank.verdict == "wrong"]
        assert (mistake is None) == (not found), (problem, places, mistake, found)
        if mistake is not None:
            wrong += 1
            words = {"overlap": "share bytes", "alignment": "multiple", "place": "below 0"}
            assert any(words[mistake.law] in text for text in found) or len(found) > 0
    assert 50 < wrong < 350


def test_parts_of_one_storage_may_share_bytes_and_others_may_not():
    storages = (
        Storage(((0, 4),), 64),
        Storage(((0, 3),), 32, base=0, inside=16),
        Storage(((1, 3),), 32, base=1, inside=0),
        Storage(((1, 3),), 8),
    )
    problem = Problem(storages, 16)
    assert is_fair(problem)
    assert mistake_in(problem, Layout([(1, 0), (1, 16), (1, 16), (1, 64)], [0, 72])) is None
    found = mistake_in(problem, Layout([(1, 0), (1, 16), (1, 16), (1, 48)], [0, 64]))
    assert found.law == "overlap"
    found = mistake_in(problem, Layout([(1, 0), (1, 0), (1, 0), (1, 64)], [0, 72]))
    assert (found.law, found.wrong) == ("fixed", "places[1] != (places[0][0], places[0][1] + 16)")
    assert meet(storages[1], storages[2])


# ---- Commands ----


def test_the_command_place_keeps_the_laws():
    for algorithm in ("greedy", "first-fit", "best"):
        words = f"{BINARY} place {{in}} -o {{out}} --algorithm {algorithm}"
        planner_laws(words, cases=4, storages=6, seconds=60)()
    planner_laws(f"{BINARY} place - --algorithm naive", cases=4, seconds=60)()


def command(tmp_path, body):
    """A command that reads rows, and gives each the offset that `body` computes."""
    path = tmp_path / "planner.py"
    path.write_text(f"""
import csv, random, sys
rows = list(csv.DictReader(open(sys.argv[1])))
end = 0
with open(sys.argv[2], "w", newline="") as file:
    out = csv.DictWriter(file, [*dict.fromkeys([*rows[0], "offset"])])
    out.writeheader()
    for row in rows:
{body}
        out.writerow(row)
""")
    return f"{sys.executable} {path} {{in}} {{out}}"


WRONG_COMMANDS = {
    "overlap": "        row['offset'] = 0",
    "raises": "        sys.exit('out of ideas')",
    "repeat": "        row['offset'] = end = end + ((1 + random.getrandbits(18)) << 40)",
    "no such id": "        row['id'] += 'x'; row['offset'] = 0",
}


@pytest.mark.parametrize("law", WRONG_COMMANDS)
def test_a_wrong_command_is_caught_and_its_script_shows_it(law, tmp_path, capsys):
    words = command(tmp_path, WRONG_COMMANDS[law])
    out = tmp_path / "finds"
    kinds = "fixed,lives,alignment"
    code = main(
        [
            "--command",
            words,
            "--cases",
            "50",
            "-o",
            str(out),
            "--without",
            kinds,
            "--json",
            "--stop-at-first",
        ]
    )
    [find] = map(json.loads, capsys.readouterr().out.splitlines())
    assert code == 1
    expected = {"raises": "exit code 1", "no such id": "its table has an unknown storage"}.get(
        law, law
    )
    assert find["kind"].startswith(expected)
    [script] = out.iterdir()
    assert script.suffix == ".sh"
    assert script.read_text() == find["script"]
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "pteproof").symlink_to(BINARY)
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", str(script)], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stdout + done.stderr


def test_a_command_without_an_end_is_stopped(capsys):
    code = main(["--command", "sleep 100", "--cases", "1", "--limit", "0.2", "--storages", "1"])
    assert code == 1
    assert "it gives no answer in 0.2 seconds" in capsys.readouterr().out


# ---- The command line ----

RIGHT = "wrong_planners:right"
EARLY = "wrong_planners:ends_lives_early"


def test_exit_codes_and_shards(capsys):
    assert main(["--planner-only", RIGHT, "--cases", "20"]) == 0
    assert "20 problems, seed 0: no find" in capsys.readouterr().out
    found = []
    for shard in ("1/2", "2/2"):
        main(["--planner-only", EARLY, "--cases", "100", "--shard", shard, "--json"])
        found += map(json.loads, capsys.readouterr().out.splitlines())
    main(["--planner-only", EARLY, "--cases", "100", "--json"])
    [whole] = map(json.loads, capsys.readouterr().out.splitlines())
    assert sum(find["count"] for find in found) == whole["count"]
    assert min(find["number"] for find in found) == whole["number"]
    number = f"0:{whole['number']}"
    assert main(["--planner-only", EARLY, "--replay", number, "--json"]) == 1
    [again] = map(json.loads, capsys.readouterr().out.splitlines())
    assert again["script"] == whole["script"]


def test_ctrl_c_ends_a_hunt_with_what_it_found(capsys):
    calls = []

    def interrupted(*words):
        calls.append(words)
        if len(calls) == 100:
            raise KeyboardInterrupt
        return wrong_planners.forgets_the_padding(*words)

    outcome = laws.hunt(laws.Planner(interrupted, laws.Options()), itertools.count())
    assert outcome.cases < 100
    assert set(outcome.finds) == {"padding"}


def test_time_ends_a_hunt(capsys):
    assert main(["--planner-only", RIGHT, "--seconds", "0.2"]) == 0
    assert "no find" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--planner-only", "wrong_planners:nothing"],
        ["--planner-only", "no_such_module:right"],
        ["--planner-only", "wrong_planners:LAW"],
        ["--planner-only", RIGHT, "--without", "everything"],
        ["--planner-only", RIGHT, "--storages", "0"],
        ["--planner-only", RIGHT, "--shard", "0/2"],
        ["--planner-only", RIGHT, "--shard", "3/2"],
        ["--planner-only", RIGHT, "--replay", "x"],
        ["--planner-only", RIGHT, "--command", "place"],
        ["--command", "no-such-command {in} {out}"],
    ],
)
def test_wrong_words_are_usage(words, capsys):
    assert main(words) == 64
    assert capsys.readouterr().err


def test_help_names_the_laws(capsys):
    assert main(["--help"]) == 0
    assert "overlap" in capsys.readouterr().out


def test_the_module_runs(tmp_path):
    done = run_script(
        [sys.executable, "-m", "pteproof.hunt.planners", "--planner-only", EARLY, "--cases", "100"]
    )
    assert done.returncode == 1
    assert "overlap: storages 0 and 1 share bytes" in done.stdout

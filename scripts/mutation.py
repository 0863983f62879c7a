"""Judges mutants of the checks and of the reader by the tests that reach them.

See scripts/mutation and docs/explanation/evidence/mutation.md.
"""

import argparse
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import mutation_page
import mutation_tree
from mutation_tree import ROOT, WORK, Digests, Numbered, fail

REPORT = WORK / "report.json"
RUNS = WORK / "runs.json"  # by what a report's entry has under "tests": the digests as they were
REACHED = WORK / "reached"
BAR = 90.0  # percent of the mutants that tests are to notice
STAGES = (0.5, 5.0, 40.0, float("inf"))  # seconds of tests, quickest first, after which it is looked whether one failed
FORMER = 20  # tests that noticed mutants of the same file, which are tried before all others
PATIENCE = 10  # times as long as the code takes as it is; and so many seconds at least
MEGABYTES = 4000  # of memory of its own
# Tests that map gigabytes, which a process with so little memory may not, and proofs, which take longer than all others.
LEFT_OUT = ("SparseFile.*", "CorpusProofs.*", "ModuleProofs.*", "Mutants.*", "Prove*", "RandomQuestions.*")
SEEDED = {"RC_PARAMS": "seed=1"}  # random tests draw the same in every run


class Test(NamedTuple):
    seconds: float
    binary: str
    name: str
    file: str


class Ended(NamedTuple):
    failed: bool
    by: str  # the test that was run last


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEGABYTES << 20, MEGABYTES << 20))
    resource.setrlimit(resource.RLIMIT_FSIZE, (256 << 20, 256 << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(binary: str, tests: str, seconds: float, **environment: str) -> Ended:
    """Some tests of a binary, up to the first that fails, ends the process or takes too long."""
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryFile("w+", errors="replace") as said:
        flags = Path(scratch) / "flags"
        flags.write_text(f"--gtest_filter={tests}\n--gtest_fail_fast\n")
        process = subprocess.Popen(
            [mutation_tree.binary(binary), f"--gtest_flagfile={flags}"], cwd=scratch, stdout=said, stderr=subprocess.STDOUT,
            env=os.environ | SEEDED | environment, start_new_session=True, preexec_fn=limit)
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
        said.seek(0)
        if code == 0:
            return Ended(False, "")
        text = said.read()
        if "PTEPROOF_MUTANT" not in environment:
            print(text[-3000:], file=sys.stderr)
        started = re.findall(r"^\[ RUN      \] (\S+)", text, re.MULTILINE)
        return Ended(True, started[-1] if started else f"{binary} as it starts")


def rows_of(reached: Path) -> list[tuple[str, float, str]]:
    """Name, seconds and reached mutants of each test."""
    rows = (row.split("\t") for row in reached.read_text().splitlines())
    return [(name, float(milliseconds) / 1000, numbers) for name, milliseconds, numbers in rows]


def reached_by(number_of: dict[int, Numbered], longest: float) -> dict[str, list[Test]]:
    """By mutant: the tests that reach it, from one run of all but those that took too long in the run before."""
    tests: dict[str, list[Test]] = defaultdict(list)
    REACHED.mkdir(exist_ok=True)
    for binary in mutation_tree.BINARIES:
        path = mutation_tree.binary(binary)
        kept = REACHED / f"{binary}.{path.stat().st_mtime_ns}.{longest}"
        if not kept.exists():
            print(f"mutation: what {binary} reaches", file=sys.stderr)
            fresh = REACHED / "fresh"
            before = list(REACHED.glob(f"{binary}.*"))
            too_long = {name: seconds for old in before for name, seconds, _ in rows_of(old) if seconds > 2 * longest}
            if run(binary, f"*-{':'.join([*LEFT_OUT, *too_long])}", 3600, PTEPROOF_MUTANTS_REACHED=str(fresh)).failed:
                fail(f"{binary} fails without any change")
            with fresh.open("a") as rows:
                rows.writelines(f"{name}\t{1000 * seconds}\t\n" for name, seconds in too_long.items())
            for old in before:
                old.unlink()
            fresh.rename(kept)
        file_of = mutation_tree.files_of_tests(binary)
        for name, seconds, numbers in rows_of(kept):
            for number in numbers.split() if seconds <= longest else []:
                tests[number_of[int(number)].key].append(Test(seconds, binary, name, file_of[name]))
    return {key: sorted(reaching) for key, reaching in tests.items()}


def staged(tests: list[Test], former: Counter[str]) -> list[list[Test]]:
    """The tests in the order in which they are tried, in groups that one look is worth."""
    often = {name for name, _ in former.most_common(FORMER)}
    groups = [[t for t in tests if t.name in often and t.seconds < STAGES[1]]]
    rest = [t for t in tests if t not in groups[0]]
    for most in STAGES:
        group: list[Test] = []
        while rest and (not group or sum(t.seconds for t in group) + rest[0].seconds <= most):
            group.append(rest.pop(0))
        groups.append(group)
    return [group for group in groups if group]


def judge(mutant: Numbered, tests: list[Test], passed: set[str], former: Counter[str]) -> dict:
    """By all tests but those of files that are known to pass."""
    started = time.monotonic()
    verdict, by = ("survived", "") if tests else ("not reached", "")
    for group in staged([t for t in tests if t.file not in passed], former):
        for binary in mutation_tree.BINARIES:
            names = [t.name for t in group if t.binary == binary]
            if not names or verdict == "killed":
                continue
            patience = PATIENCE * max(1.0, sum(t.seconds for t in group if t.binary == binary))
            ended = run(binary, ":".join(names), patience, PTEPROOF_MUTANT=str(mutant.number))
            if ended.failed:
                verdict, by = "killed", ended.by
                former[ended.by] += 1
    return {"verdict": verdict, "by": by, "seconds": round(time.monotonic() - started, 2)}


def write(report: dict) -> None:
    fresh = REPORT.with_suffix(".fresh")
    fresh.write_text(json.dumps(report, indent=0) + "\n")
    fresh.rename(REPORT)


def is_known(entry: dict | None, source: str, tests: str, longest: float) -> bool:
    """Whether a result still stands: what was noticed once is noticed by more tests, too."""
    if entry is None or entry["source"] != source:
        return False
    return entry["verdict"] == "killed" or (entry["tests"] == tests and entry["longest"] >= longest)


def passed_before(entry: dict | None, source: str, now: Digests, runs: dict, asked: argparse.Namespace) -> set[str]:
    """Files whose tests passed with a mutant, and would again: neither they nor what they share with others was edited."""
    if asked.again or entry is None or entry["verdict"] != "survived" or entry["source"] != source or entry["longest"] < asked.longest:
        return set()
    then = Digests(**runs.get(entry["tests"], {"common": "", "of_file": {}}))
    if then.common != now.common:
        return set()
    return {file for file, digest in then.of_file.items() if now.of_file.get(file) == digest}


def source_of(file: str) -> str:
    return mutation_tree.digest((ROOT / file).read_bytes())


def judge_all(mutants: list[Numbered], tests: dict[str, list[Test]], report: dict, asked: argparse.Namespace) -> None:
    now = mutation_tree.digests()
    of_tests = now.all()
    runs = json.loads(RUNS.read_text()) if RUNS.exists() else {}
    runs[of_tests] = now._asdict()
    RUNS.write_text(json.dumps(runs))
    of_file = {file: source_of(file) for file in {m.file for m in mutants}}
    left = [m for m in mutants if asked.again or not is_known(report.get(m.key), of_file[m.file], of_tests, asked.longest)]
    former: dict[str, Counter[str]] = defaultdict(Counter)
    lock = threading.Lock()
    done = 0
    print(f"mutation: {len(left)} of {len(mutants)} mutants are to be judged", file=sys.stderr)

    def one(mutant: Numbered) -> None:
        nonlocal done
        passed = passed_before(report.get(mutant.key), of_file[mutant.file], now, runs, asked)
        entry = judge(mutant, tests.get(mutant.key, []), passed, former[mutant.file])
        entry |= {"source": of_file[mutant.file], "tests": of_tests, "longest": asked.longest}
        with lock:
            report[mutant.key] = entry
            done += 1
            if entry["verdict"] != "killed":
                print(f"mutation: {entry['verdict']}: {mutant.file}:{mutant.line}: {mutant.change}", file=sys.stderr, flush=True)
            if done % 20 == 0 or done == len(left):
                print(f"mutation: {done} of {len(left)} judged", file=sys.stderr, flush=True)
                write(report)

    with ThreadPoolExecutor(asked.j) as pool:
        list(pool.map(one, left))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mutation")
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--part", type=int, default=0)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--longest", type=float, default=2.0)
    parser.add_argument("-j", type=int, default=2)
    try:
        return parser.parse_args()
    except SystemExit:
        sys.exit(64)


def main() -> int:
    asked = arguments()
    everything = mutation_tree.build(asked.j)
    mutants = [
        m for m in everything
        if zlib.crc32(m.key.encode()) % asked.share == asked.part % asked.share and (not asked.only or m.file.endswith(tuple(asked.only)))]
    if asked.list:
        print("\n".join(f"{m.number}\t{m.file}:{m.line}\t{m.change}" for m in mutants))
        return 0
    report = json.loads(REPORT.read_text()) if REPORT.exists() else {}
    if asked.report:
        mutants = [m for m in mutants if m.key in report and report[m.key]["source"] == source_of(m.file)]
    else:
        tests = reached_by({m.number: m for m in everything}, asked.longest)
        judge_all(mutants, tests, report, asked)
        write(report)
    page = mutation_page.Page(mutants, len(everything), report)
    print(page.text(), end="")
    if asked.write:
        page.write()
    return 0 if page.score() >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())

"""Runs the fuzzer on a reader with one check taken out after the other, and prints how soon it finds each.

What scripts/fuzz-seeded does once all is built; see there.
"""

import argparse
import json
import math
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple, NoReturn

from put_table import put

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/fuzz-seeded"
FUZZERS = {
    "mutator": BUILD / "fuzz/seeded/fuzz_read_seeded",
    "plain": BUILD / "fuzz/seeded/fuzz_read_seeded_plain",
}
SEEDS = [ROOT / "corpus/seeds/program", ROOT / "corpus/crafted/legal"]  # sound files only: no find is among them
RESULTS = BUILD / "results.json"  # of the last runs of each bug and way
PAGE = ROOT / "docs/explanation/evidence/fuzzing.md"
LENGTH = ["-max_len=8192", "-len_control=0"]  # as campaigns have it, whose corpora hold inputs of that length
CONTROL = ""  # no bug: a find would be one of the reader as it is


class Ended(NamedTuple):
    code: int
    said: str
    seconds: float  # of a processor


def run(fuzzer: Path, bug: str, *arguments: str | Path, seconds: float = math.inf) -> Ended:
    """The process, which is killed after so many seconds; what it said; and how many seconds it took.

    Seconds are of a processor, so that whatever else the machine does is not measured.
    """
    # Symbols for a stack that nobody reads take longer than most finds.
    environment = dict(os.environ, PTEPROOF_SEEDED_BUG=bug, ASAN_OPTIONS="symbolize=0", UBSAN_OPTIONS="symbolize=0")
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        process = subprocess.Popen([fuzzer, *arguments], env=environment, stdout=said, stderr=said)
        while (ended := os.wait4(process.pid, os.WNOHANG))[0] == 0:
            time.sleep(0.02)
            if processor_seconds(process.pid) > seconds:
                os.kill(process.pid, signal.SIGKILL)
        said.seek(0)
        code = os.waitstatus_to_exitcode(ended[1])
        return Ended(code, said.read(), ended[2].ru_utime + ended[2].ru_stime)


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def give_up(what: str, process: Ended) -> NoReturn:
    sys.exit(f"fuzz-seeded: {what}\n{process.said[-3000:]}")


def all_bugs() -> dict[str, str]:
    """What is not checked, by name."""
    process = run(FUZZERS["plain"], "list", "-runs=0")
    return dict(line.split("\t") for line in process.said.splitlines())


def confirm(fuzzer: Path, bug: str, find: Path) -> None:
    """A find counts where it takes the bug to break the promise."""
    if run(fuzzer, bug, find).code == 0:
        sys.exit(f"fuzz-seeded: a find for {bug} breaks no promise when it is tried again")
    sound = run(fuzzer, CONTROL, find)
    if sound.code != 0:
        kept = BUILD / find.name
        kept.write_bytes(find.read_bytes())
        give_up(f"{kept} breaks a promise of the sound reader, too; that is a find to look at first", sound)


def fuzz(way: str, bug: str, seed: int, seconds: int) -> dict:
    """One run: executions and seconds until the find, or that there was none."""
    fuzzer = FUZZERS[way]
    with tempfile.TemporaryDirectory() as scratch:
        new = Path(scratch) / "corpus"
        new.mkdir()
        process = run(
            fuzzer, bug, f"-seed={seed}", *LENGTH, "-print_final_stats=1", "-detect_leaks=0",
            f"-artifact_prefix={scratch}/", new, *SEEDS, seconds=seconds)
        if process.code == -signal.SIGKILL:
            return {"found": False}
        executed = re.search(r"number_of_executed_units: (\d+)", process.said)
        if executed is None:
            give_up(f"{fuzzer.name} did not run", process)
        finds = [f for f in Path(scratch).iterdir() if f != new]
        if not finds:
            give_up(f"{fuzzer.name} ended with {process.code} and left no find", process)
        if bug == CONTROL:
            give_up("the sound reader breaks a promise", process)
        confirm(fuzzer, bug, finds[0])
        return {"found": True, "executions": int(executed[1]), "seconds": process.seconds}


def require_sound_seeds(bug: str) -> None:
    process = run(FUZZERS["plain"], bug, "-runs=0", "-detect_leaks=0", *SEEDS)
    if process.code != 0:
        give_up(f"a seed is already a find for {bug or 'the sound reader'}", process)


def median(runs: list[dict], what: str) -> float:
    return statistics.median_low([r[what] if r["found"] else math.inf for r in runs])


def cells(runs: list[dict], seconds: int) -> str:
    if not runs:
        return "| |"
    if math.isinf(median(runs, "seconds")):
        return f"not in {seconds} s | |"
    return f"{median(runs, 'executions'):,} | {median(runs, 'seconds'):.1f} |"


def table(bugs: dict[str, str], results: dict) -> str:
    seconds = results["seconds"]
    lines = [
        "| bug | not checked | executions | seconds | executions, plain bytes | seconds, plain bytes |",
        "|---|---|---|---|---|---|",
    ]
    for bug, unchecked in bugs.items():
        ways = [cells(results[way].get(bug, []), seconds) for way in FUZZERS]
        lines.append(f"| {bug} | {unchecked} | {' '.join(ways)}")
    lines += ["", f"Runs of each: {results['runs']}, of at most {seconds} s."]
    return "\n".join(lines) + "\n"


def measure(bugs: list[str], ways: list[str], asked: argparse.Namespace, results: dict) -> None:
    for bug in bugs:
        require_sound_seeds(bug)
        for way in ways:
            runs = results[way][bug] = []
            # What is not found with two random seeds would not become the median with a third.
            while len(runs) < asked.runs and sum(not r["found"] for r in runs) <= asked.runs // 2:
                runs.append(fuzz(way, bug, len(runs) + 1, asked.seconds))
                print(f"{bug or 'no bug'}, {way}: {runs[-1]}", file=sys.stderr, flush=True)
            RESULTS.write_text(json.dumps(results))


def main() -> None:
    parser = argparse.ArgumentParser(prog="fuzz-seeded")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--only", choices=list(FUZZERS))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("bugs", nargs="*")
    asked = parser.parse_args()
    bugs = all_bugs()
    unknown = [b for b in asked.bugs if b not in bugs]
    if unknown:
        print(f"fuzz-seeded: no such bug: {', '.join(unknown)}; there are {', '.join(bugs)}", file=sys.stderr)
        sys.exit(64)
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {way: {} for way in FUZZERS}
    results |= {"seconds": asked.seconds, "runs": asked.runs}
    ways = [asked.only] if asked.only else list(FUZZERS)
    measure(asked.bugs or [CONTROL, *bugs], ways, asked, results)
    print(table(bugs, results), end="")
    if asked.write:
        put(PAGE, "seeded bugs", table(bugs, results))


if __name__ == "__main__":
    main()

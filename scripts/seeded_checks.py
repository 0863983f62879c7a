"""Runs the fuzzer on sources with one check taken out after the other, and prints how soon it finds each.

See scripts/fuzz-seeded and docs/explanation/evidence/fuzzing.md.
"""

import argparse
import csv
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

import check_tree
from check_tree import FOLDERS, FUZZER, ROOT, Numbered
from put_table import put

KINDS = dict(line.split() for line in (ROOT / "fuzz/targets.txt").read_text().splitlines())
RESULTS = FOLDERS.work / "results.json"  # of the last runs of each site
STORED = ROOT / "docs/explanation/evidence/seeded.json"  # what --write has kept of them
REASONS = ROOT / "scripts/seeded_reasons.tsv"
BEHIND = ROOT / "fuzz/seeded/behind.tsv"
PAGE = ROOT / "docs/explanation/evidence/fuzzing.md"
# As campaigns have it, whose corpora hold inputs of that length. What is new is kept by what it reaches alone: how often,
# and how rare, costs more than it finds in a minute.
LENGTH = ["-max_len=8192", "-len_control=0", "-entropic=0", "-use_counters=0"]
SECONDS_PER_INPUT = 10
CONTROL = ()  # no check is out: a find would be one of the sources as they are
Out = tuple[int, ...]  # numbers of checks


class Ended(NamedTuple):
    code: int
    said: str
    seconds: float  # of a processor


def seeds_of(target: str) -> list[Path]:
    """Sound inputs only: no find is among them."""
    more = [ROOT / "corpus/crafted/legal"] if KINDS[target] == "program" else []
    return [ROOT / "corpus/seeds" / KINDS[target], *more]


def run(target: str, out: Out, *arguments: str | Path, seconds: float = math.inf, refusing: Path | None = None) -> Ended:
    """The process, which is killed after so many seconds; what it said; and how many seconds it took.

    Seconds are of a processor, so that whatever else the machine does is not measured.
    """
    # Symbols for a stack that nobody reads take longer than most finds.
    environment = dict(
        os.environ, PTEPROOF_FUZZ_TARGET=target, PTEPROOF_MUTANT=",".join(map(str, out)), ASAN_OPTIONS="symbolize=0",
        UBSAN_OPTIONS="symbolize=0")
    if refusing is not None:
        environment["PTEPROOF_MUTANTS_NOTED"] = str(refusing)
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        process = subprocess.Popen([FUZZER, *arguments], env=environment, stdout=said, stderr=said)
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


def once(target: str, out: Out, find: Path) -> Ended:
    return run(target, out, f"-timeout={SECONDS_PER_INPUT}", find, seconds=3 * SECONDS_PER_INPUT)


def confirm(target: str, out: Out, find: Path) -> None:
    """A find counts where it takes the missing check to break the promise; where two are out, the one that stands behind."""
    if once(target, out, find).code == 0:
        sys.exit(f"fuzz-seeded: a find for {out} breaks no promise when it is tried again")
    sound = once(target, out[1:], find)
    if sound.code != 0:
        kept = FOLDERS.work / find.name
        kept.write_bytes(find.read_bytes())
        give_up(f"{kept} breaks a promise of {target} without {out[0]} being out, too; that is a find to look at first", sound)


def promise(said: str) -> str:
    """What was broken, in a line."""
    found = re.search(r"broken[^\n]*|runtime error:[^\n]*|ERROR: (?:AddressSanitizer|libFuzzer): [^\n(]*|terminate called[^\n]*", said)
    return found[0].strip() if found else said.strip().splitlines()[-1]


def fuzz(target: str, out: Out, seed: int, seconds: int, refusing: Path | None = None) -> dict:
    """One run: executions and seconds until the find, or that there was none."""
    with tempfile.TemporaryDirectory() as scratch:
        new = Path(scratch) / "corpus"
        new.mkdir()
        process = run(
            target, out, f"-seed={seed}", *LENGTH, "-print_final_stats=1", "-detect_leaks=0", f"-timeout={SECONDS_PER_INPUT}",
            f"-artifact_prefix={scratch}/", new, *seeds_of(target), seconds=seconds, refusing=refusing)
        if process.code == -signal.SIGKILL:
            return {"found": False}
        executed = re.search(r"number_of_executed_units: (\d+)", process.said)
        if executed is None:
            give_up(f"{target} did not run", process)
        finds = [f for f in Path(scratch).iterdir() if f != new]
        if not finds:
            give_up(f"{target} ended with {process.code} and left no find", process)
        if out == CONTROL:
            (FOLDERS.work / finds[0].name).write_bytes(finds[0].read_bytes())
            give_up(f"{target} breaks a promise with all checks: {FOLDERS.work / finds[0].name}", process)
        confirm(target, out, finds[0])
        return {"found": True, "executions": int(executed[1]), "seconds": process.seconds, "by": promise(process.said)}


def median(runs: list[dict], what: str) -> float:
    return statistics.median_low([r[what] if r["found"] else math.inf for r in runs])


def reasons() -> dict[str, str]:
    """By name of a site: why nothing can show that it is out."""
    with REASONS.open(newline="") as lines:
        return {row["site"]: row["reason"] for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)}


def behind() -> dict[str, tuple[str, str]]:
    """By name of a site: the one that stands before it and is taken out with it, and the target that is to find both."""
    with BEHIND.open(newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["site"]: (row["behind"], row["target"]) for row in rows}


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def row(site: Numbered, result: dict | None, reason: str | None) -> str:
    file, function, condition = site.name.split(":", 2)
    before = behind().get(site.name)
    also = "" if before is None else f", nor `{cell(before[0])}`"
    head = f"| {file} | {function} | `{cell(condition)}`{also} |"
    if result is not None and not math.isinf(median(result["runs"], "seconds")):
        return f"{head} {result['target']} | {median(result['runs'], 'executions'):,} | {median(result['runs'], 'seconds'):.1f} |"
    if reason is not None:
        return f"{head} | {cell(reason)} | |"
    if result is None:
        return f"{head} not measured | | |"
    return f"{head} {result['target']}: not in {result['limit']} s | | |"


def is_found(result: dict | None) -> bool:
    return result is not None and not math.isinf(median(result["runs"], "seconds"))


def table(sites: list[Numbered], results: dict) -> str:
    known, why = results["sites"], reasons()
    lines = ["| file | function | not asked | target, or why nothing shows | executions | seconds |", "|---|---|---|---|---|---|"]
    lines += [row(s, known.get(s.name), why.get(s.name)) for s in sites]
    found = [s for s in sites if is_found(known.get(s.name))]
    shown = [s for s in sites if s not in found and s.name in why]
    runs = [len(known[s.name]["runs"]) for s in sites if s.name in known]
    untried = sum(s.name not in known and s.name not in why for s in sites)
    lines += ["", f"{len(sites)} checks: {len(found)} are found, of {len(shown)} nothing shows that they are out, "
                  f"{len(sites) - len(found) - len(shown) - untried} are not found, {untried} are not measured. "
                  f"Runs of each: {max(runs, default=0)}."]
    return "\n".join(lines) + "\n"


def known_of(sites: list[Numbered], results: dict) -> dict:
    """The results of the checks that there are."""
    return {s.name: results["sites"][s.name] for s in sites if s.name in results["sites"]}


class Sound:
    """Runs with all checks, which must have no find, and which checks refused something in each.

    Up to the first refusal a run without the check is the same. Where there was none in all of its time, nothing is found.
    """

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        self.refusing: dict[tuple[str, int], set[int]] = {}

    def refused(self, target: str, seed: int) -> set[int]:
        if (target, seed) not in self.refusing:
            noted = FOLDERS.work / f"refusing-{target}-{seed}.txt"
            noted.unlink(missing_ok=True)
            fuzz(target, CONTROL, seed, self.seconds, noted)
            self.refusing[target, seed] = set(map(int, noted.read_text().split())) if noted.exists() else set()
            print(f"{target} with all checks: no find, {len(self.refusing[target, seed])} refuse", file=sys.stderr, flush=True)
        return self.refusing[target, seed]


def runs_of(target: str, out: Out, sound: Sound, asked: argparse.Namespace) -> list[dict]:
    runs: list[dict] = []
    # What is not found with two random seeds would not become the median with a third.
    while len(runs) < asked.runs and sum(not r["found"] for r in runs) <= asked.runs // 2:
        seed = len(runs) + 1
        silent = len(out) == 1 and out[0] not in sound.refused(target, seed)
        runs.append({"found": False, "silent": True} if silent else fuzz(target, out, seed, asked.seconds))
    return runs


def measure_site(site: Numbered, numbers: dict[str, int], sound: Sound, asked: argparse.Namespace) -> dict:
    """With the first of its targets that finds it."""
    out, targets = (site.number,), site.targets
    if (pair := behind().get(site.name)) is not None:
        out, targets = (site.number, numbers[pair[0]]), [pair[1]]
    result: dict = {}
    for target in [asked.target] if asked.target else targets:
        result = {"target": target, "limit": asked.seconds, "runs": runs_of(target, out, sound, asked)}
        print(f"{site.name}, {target}: {result['runs'][-1]}", file=sys.stderr, flush=True)
        if is_found(result):
            break
    return result


def measure(sites: list[Numbered], numbers: dict[str, int], asked: argparse.Namespace, results: dict) -> None:
    sound = Sound(asked.seconds)
    for site in sites:
        results["sites"][site.name] = measure_site(site, numbers, sound, asked)
        RESULTS.write_text(json.dumps(results, indent=0))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fuzz-seeded")
    parser.add_argument("--target", choices=list(KINDS))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--left", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("sites", nargs="*")
    try:
        return parser.parse_args()
    except SystemExit:
        sys.exit(64)


def chosen(sites: list[Numbered], asked: argparse.Namespace, results: dict) -> list[Numbered]:
    unknown = [word for word in asked.sites if not any(word in s.name for s in sites)]
    if unknown:
        print(f"fuzz-seeded: no such site: {', '.join(unknown)}; --list shows all", file=sys.stderr)
        sys.exit(64)
    why = reasons()
    out = [s for s in sites if not asked.only or s.file.endswith(tuple(asked.only))]
    out = [s for s in out if not asked.sites or any(word in s.name for word in asked.sites)]
    return [s for s in out if not asked.left or not (is_found(results["sites"].get(s.name)) or s.name in why)]


def main() -> None:
    asked = arguments()
    everything = check_tree.build(asked.j)
    results = json.loads((RESULTS if RESULTS.exists() else STORED).read_text())
    sites = chosen(everything, asked, results)
    if asked.list:
        print("\n".join(f"{s.number}\t{s.file}:{s.line}\t{s.name}\t{','.join(s.targets)}" for s in sites))
        print(f"{len(sites)} sites", file=sys.stderr)
        return
    if not asked.report:
        measure(sites, {s.name: s.number for s in everything}, asked, results)
    print(table(everything, results), end="")
    if asked.write:
        put(PAGE, "seeded bugs", table(everything, results))
        STORED.write_text(json.dumps({"sites": known_of(everything, results)}, indent=0) + "\n")


if __name__ == "__main__":
    main()

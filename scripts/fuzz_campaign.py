"""Runs the fuzz targets that scripts/fuzz has built, and keeps account of what they did.

Per target: a guided build under AddressSanitizer and UBSan explores from the stored corpora and from what earlier
campaigns kept; then the corpus is minimised, with what targets of the same kind have added. The account is
build/fuzzing/report.json; it begins with what docs/explanation/evidence/fuzzing.json says of earlier campaigns. The first
ones explored without sanitizers, and only what they kept, `replayed` inputs, was tried again under these:
`unsanitised_executions` and `unsanitised_seconds` are theirs.
"""

import argparse
import fcntl
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

from fuzz_fields import fuzz_fields
from put_table import put

WORK = Path("build/fuzzing")
REPORT = WORK / "report.json"
STORED = Path("docs/explanation/evidence/fuzzing.json")
PAGE = Path("docs/explanation/evidence/fuzzing.md")
FINDS = WORK / "finds"
CORPUS = Path("corpus")
STAGES = ("refused", "read", "judged", "ran")
KINDS = dict(line.split() for line in Path("fuzz/targets.txt").read_text().splitlines())
# What else in corpus/ is of a kind.
FURTHER = {"program": ["crafted"], "data": ["crafted", "manifests"], "text": ["modules"]}
LARGEST_INPUT = {"program": 8192, "data": 4096, "text": 4096, "choices": 1024, "items": 336,
                 "calls": 104, "blob": 4096}
MOST_FINDS = 10  # of one target in one round: then it waits for somebody to mend them
SECONDS_PER_INPUT = 20
MEGABYTES = 3000


def say(text: str) -> None:
    print(f"fuzz: {text}", file=sys.stderr, flush=True)


def binary(target: str) -> str:
    return str(Path("build", "fuzz", "fuzz", target))


def stored_folders(kind: str) -> list[str]:
    folders = [CORPUS / "seeds" / kind, CORPUS / "regressions" / kind]
    folders += [CORPUS / name for name in FURTHER.get(kind, [])]
    return [str(folder) for folder in folders if folder.is_dir()]


def dictionary(kind: str) -> list[str]:
    path = Path("fuzz", "dictionaries", f"{kind}.dict")
    return [f"-dict={path}"] if path.exists() else []


def with_sanitised_apart(entry: dict) -> dict:
    """An account that was written before explorers ran under sanitizers knows one kind of executions."""
    if "executions" in entry and "unsanitised_executions" not in entry:
        spent = entry.pop("seconds", 0) + entry.pop("sanitised_seconds", 0)
        entry |= {"unsanitised_executions": entry["executions"], "unsanitised_seconds": spent}
    return entry


def read_report() -> dict:
    for path in (REPORT, STORED):
        if path.exists():
            return {target: with_sanitised_apart(entry) for target, entry in json.loads(path.read_text()).items()}
    return {}


def write_entry(target: str, entry: dict) -> None:
    """Campaigns of other targets may run at the same time, and write theirs."""
    with (WORK / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        report = read_report()
        report[target] = entry
        part = REPORT.with_suffix(".part")
        part.write_text(json.dumps(report, indent=2, sort_keys=True) + "\n")
        part.rename(REPORT)


def stages_of(target: str) -> list[int]:
    path = WORK / f"{target}.stages"
    size = 8 * len(STAGES)
    data = path.read_bytes()[:size] if path.exists() else b""
    return list(struct.unpack(f"<{len(STAGES)}Q", data.ljust(size, b"\0")))


def go_on_counting(target: str, entry: dict) -> None:
    """Where the counts of earlier campaigns were left elsewhere, this one begins with those of the account."""
    path = WORK / f"{target}.stages"
    if not path.exists() and "stages" in entry:
        path.write_bytes(struct.pack(f"<{len(STAGES)}Q", *(entry["stages"][stage] for stage in STAGES)))


def run(arguments: list[str], log: Path, **variables: str) -> tuple[int, float]:
    """Exit code and processor time of a fuzzer with these environment variables; what it says goes to `log`."""
    environment = dict(os.environ, **variables)
    with log.open("wb") as out:
        child = subprocess.Popen(arguments, stdout=out, stderr=subprocess.STDOUT, env=environment)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage.ru_utime + usage.ru_stime


def words_of(log: Path) -> str:
    """What a fuzzer says was wrong, for one line of a list."""
    text = log.read_text(errors="replace")
    for pattern in (r"broken promise: (.*)", r"(runtime error: .*)", r"ERROR: (.*)"):
        found = re.search(pattern, text)
        if found:
            return found.group(1)[:200]
    return "it ended, and said nothing"


def keep_find(target: str, entry: dict, log: Path) -> None:
    made = re.findall(r"Test unit written to (\S+)", log.read_text(errors="replace"))
    entry.setdefault("finds", []).append({"file": made[-1] if made else "", "what": words_of(log)})
    # One that was in the corpus already, of an older build, would end every round at its start.
    for file in made:
        (WORK / target / file.rpartition("-")[2]).unlink(missing_ok=True)
    say(f"{target}: FOUND {words_of(log)}  {made[-1] if made else ''}")


def explore(target: str, kind: str, seconds: float, entry: dict) -> None:
    own = WORK / target
    own.mkdir(parents=True, exist_ok=True)
    log = WORK / f"{target}.log"
    stages = WORK / f"{target}.stages"
    end = time.monotonic() + seconds
    for _ in range(MOST_FINDS):
        left = int(end - time.monotonic())
        if left <= 0:
            return
        code, spent = run(
            [binary(target), str(own), *stored_folders(kind), *dictionary(kind), f"-max_total_time={left}",
             f"-max_len={LARGEST_INPUT[kind]}", f"-timeout={SECONDS_PER_INPUT}", f"-rss_limit_mb={MEGABYTES}",
             f"-artifact_prefix={FINDS}/{target}-"], log, PTEPROOF_FUZZ_STAGES=str(stages))
        entry["seconds"] = entry.get("seconds", 0) + spent
        covered = re.findall(r"cov: (\d+) ft: (\d+)", log.read_text(errors="replace"))
        if covered:
            entry["edges"], entry["features"] = map(int, covered[-1])
        if code == 0:
            return
        keep_find(target, entry, log)


def minimise(target: str, kind: str, entry: dict) -> None:
    """The least that reaches all that this target, and others of its kind, have reached.

    A merge goes on after an input that breaks a promise, as one that another target has kept may; it is a find, too.
    """
    own = WORK / target
    others = [str(WORK / other) for other, its in KINDS.items()
              if its == kind and other != target and (WORK / other).is_dir()]
    fresh = WORK / f"{target}.fresh"
    log = WORK / f"{target}.merge.log"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    code, _ = run([binary(target), "-merge=1", f"-max_len={LARGEST_INPUT[kind]}",
                   f"-timeout={SECONDS_PER_INPUT}", f"-rss_limit_mb={MEGABYTES}",
                   f"-artifact_prefix={FINDS}/{target}-merged-", str(fresh), str(own), *others], log)
    if "Test unit written to" in log.read_text(errors="replace"):
        keep_find(target, entry, log)
    if code != 0:
        say(f"{target}: its corpus could not be minimised (build/fuzzing/{target}.merge.log); it stays as it is")
        shutil.rmtree(fresh)
        return
    shutil.rmtree(own)
    fresh.rename(own)


def fuzz(target: str, seconds: float) -> int:
    kind = KINDS[target]
    entry = read_report().get(target, {})
    before = len(entry.get("finds", []))
    say(f"{target} for {seconds:.0f} s")
    go_on_counting(target, entry)
    explore(target, kind, seconds, entry)
    entry.setdefault("unsanitised_executions", 0)
    entry["executions"] = sum(stages_of(target))
    entry["stages"] = dict(zip(STAGES, stages_of(target)))
    write_entry(target, entry)  # whatever becomes of the rest
    minimise(target, kind, entry)
    files = list((WORK / target).iterdir())
    entry["corpus_files"] = len(files)
    entry["corpus_bytes"] = sum(path.stat().st_size for path in files)
    write_entry(target, entry)
    return len(entry.get("finds", [])) - before


def settle(target: str, entry: dict) -> None:
    """Finds that no longer break a promise are counted as mended; one whose file is gone stays open."""
    still = []
    for find in {find["file"]: find for find in entry.get("finds", [])}.values():
        log = WORK / f"{target}.settle.log"
        if not Path(find["file"]).exists() or run([binary(target), find["file"]], log)[0] != 0:
            still.append(find)
        else:
            entry["mended"] = entry.get("mended", 0) + 1
    entry["finds"] = still


def try_mutants(folder: Path, runs: int) -> int:
    """So many mutants of each program of a folder, under sanitizers; how many programs have one that breaks a promise."""
    broken = 0
    for path in sorted(folder.glob("*.pte")):
        for target in ("fuzz_read", "fuzz_check", "fuzz_run"):
            log = WORK / f"{target}.mutants.log"
            last = FINDS / f"{target}-{path.stem}-mutant"
            code, spent = run(["build/asan/fuzz/fuzz_mutants", target, str(path), str(runs), str(last)], log)
            how = f"{words_of(log)}  {last}" if code else log.read_text().strip()
            say(f"{runs} mutants of {path.name}, {target}: {how}, {spent:.0f} s")
            broken += code != 0
    return broken


def table(report: dict) -> str:
    lines = ["| target | executions under sanitizers | processor time, min | a second | without sanitizers | edges | corpus | "
             "refused | read | judged | ran | finds |",
             "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    minutes = {"sanitised": 0.0, "unsanitised": 0.0}
    for target in KINDS:
        entry = report.get(target)
        if not entry or not entry.get("executions"):
            continue
        count = entry["executions"]
        plain = entry.get("unsanitised_executions", 0)
        seconds = entry.get("seconds", 0)
        minutes["sanitised"] += seconds / 60
        minutes["unsanitised"] += entry.get("unsanitised_seconds", 0) / 60
        shares = " | ".join(f"{100 * entry['stages'][stage] / count:.1f} %" for stage in STAGES)
        lines.append(f"| {target} | {count - plain:,} | {seconds / 60:.1f} | {(count - plain) / max(seconds, 1):,.0f} | {plain:,} | "
                     f"{entry.get('edges', 0):,} | {entry.get('corpus_files', 0):,} files, {entry.get('corpus_bytes', 0) / 1024:,.0f} kB | "
                     f"{shares} | {entry.get('mended', 0) + len(entry.get('finds', []))} |")
    count = sum(entry.get("executions", 0) - entry.get("unsanitised_executions", 0) for entry in report.values())
    still = sum(len(entry.get("finds", [])) for entry in report.values())
    lines += ["", f"{count:,} executions under sanitizers, in {minutes['sanitised']:.0f} minutes of processor time, after "
              f"{minutes['unsanitised']:.0f} minutes of exploring without, in which only new inputs were replayed under sanitizers; "
              f"{f'{still} of the finds still open' if still else 'all finds are mended'}."]
    return "\n".join(lines) + "\n"


def print_report(report: dict) -> None:
    print(table(report))
    for target in KINDS:
        for find in report.get(target, {}).get("finds", []):
            print(f"{target}: {find['what']}  {find['file']}")
    print(f"\nthe whole account: {REPORT}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/fuzz")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--time", type=float, default=60, metavar="SECONDS")
    parser.add_argument("--rounds", type=int, default=1, metavar="N")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--mutants-of", type=Path, metavar="FOLDER")
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--fields", action="store_true")
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--pairs", type=int, default=0, metavar="N")
    parser.add_argument("--stride", type=int, default=1, metavar="N")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("--shard", metavar="I/N")
    try:
        options = parser.parse_args()
        for target in options.targets:
            if target not in KINDS:
                parser.error(f"there is no target {target}; there are {', '.join(KINDS)}")
    except SystemExit as end:
        return 64 if end.code else 0
    FINDS.mkdir(parents=True, exist_ok=True)
    if options.fields:
        return fuzz_fields(options)
    if options.mutants_of:
        return 1 if try_mutants(options.mutants_of, options.runs) else 0
    found = 0
    if not options.report:
        for _ in range(options.rounds):
            for target in options.targets or KINDS:
                found += fuzz(target, options.time)
    report = read_report()
    if options.write:
        for target, entry in report.items():
            settle(target, entry)
            write_entry(target, entry)
        STORED.write_text(json.dumps(report, indent=2, sort_keys=True) + "\n")
        put(PAGE, "campaigns", table(report))
    print_report(report)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

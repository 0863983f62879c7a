"""What scripts/bench measures: probes, each with the figures that one run of a program gives.

A probe makes its inputs once, from the newer build, so that both builds get the same bytes. A figure is named as in
docs/explanation/evidence/speed.md. `asked` is what the project wants to reach; None: only told.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
COLLECTION = Path(os.environ.get("PTEPROOF_COLLECTION", ROOT.parent / "shared"))
MANY = 1000  # files of a folder


@dataclass(frozen=True)
class Site:
    """A source tree and its builds; `sanitized` is None unless it is asked for."""

    source: Path
    release: Path
    sanitized: Path | None

    def bench(self, name: str) -> str:
        return str(self.release / "bench" / name)

    @property
    def command(self) -> str:
        return str(self.release / "pteproof")


@dataclass(frozen=True)
class Figure:
    name: str
    unit: str
    asked: float | None = None
    more_is_better: bool = False


@dataclass(frozen=True)
class Probe:
    name: str
    figures: list[Figure]
    measure: Callable[[Site, Any], dict[str, float]]
    prepare: Callable[[Site, Path], Any] = lambda _site, _scratch: None
    missing: Callable[[Site], str] = lambda _site: ""  # why it cannot be measured, or nothing
    varies: bool = True  # False: long, or the same in each round


def output_of(command: list[str], good: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"PTEPROOF_COLLECTION": str(COLLECTION)})
    if done.returncode not in good:
        raise ValueError(f"{' '.join(command[:3])} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def of_google(site: Site, program: str, pattern: str) -> dict[str, dict]:
    """The benchmarks of a program of Google Benchmark whose names match, by name."""
    text = output_of([site.bench(program), f"--benchmark_filter={pattern}", "--benchmark_format=json"])
    rows = {row["name"]: row for row in json.loads(text[text.index("{") : text.rindex("}") + 1])["benchmarks"]}
    wrong = [row["error_message"] for row in rows.values() if row.get("error_occurred")]
    if wrong or not rows:
        raise ValueError(f"{program}: {wrong[0] if wrong else 'no benchmark of that name'}")
    return rows


def timed(command: list[str], good: tuple[int, ...] = (0,)) -> tuple[float, float]:
    """Seconds of the clock, and of processors."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    output_of(command, good)
    took = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def resident(command: list[str]) -> float:
    """Megabytes that a command holds at the most."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    return usage.ru_maxrss / 1024


# Reading and checking.


def read_and_check(site: Site, _: Any) -> dict[str, float]:
    rows = {name: row["cpu_time"] for name, row in of_google(site, "read_check_bench", "synthetic_100000").items()}
    verifier = rows["synthetic_100000/flatbuffers_verifier"]
    both = rows["synthetic_100000/read_and_check"]
    return {
        "read, 10^5 storages": rows["synthetic_100000/read"] / verifier,
        "read and check, 10^5 storages": both / verifier,
        "the same in ms": both / 1e6,
    }


def synthetic(site: Site, to: Path, storages: int, methods: int = 1) -> None:
    output_of([site.bench("synthetic_file"), str(storages), str(methods), str(to)])


def folder_of_files(site: Site, scratch: Path) -> Path:
    folder = scratch / "files"
    folder.mkdir()
    synthetic(site, folder / "0.pte", 9_300)
    first = (folder / "0.pte").read_bytes()
    for number in range(1, MANY):
        (folder / f"{number}.pte").write_bytes(first)
    return folder


def check_folder(site: Site, folder: Path) -> dict[str, float]:
    return {f"check of {MANY} files of 1 MB": timed([site.command, "check", "-q", str(folder)])[0]}


def prove_folder(site: Site, folder: Path) -> dict[str, float]:
    return {f"prove of {MANY} files of 1 MB": timed([site.command, "prove", "-q", str(folder)])[0]}


def large_file(_: Site, scratch: Path) -> Path:
    file = scratch / "large.pte"
    file.write_bytes((ROOT / "corpus/public/add_model.pte").read_bytes())
    os.truncate(file, 2_000_000_000)
    return file


def check_large(site: Site, file: Path) -> dict[str, float]:
    command = [site.command, "check", "-q", str(file)]
    return {"check of a file of 2 GB": timed(command)[0], "the same, memory": resident(command)}


def eight_methods(site: Site, scratch: Path) -> Path:
    file = scratch / "methods.pte"
    synthetic(site, file, 10_000, 8)
    return file


def prove_methods(site: Site, file: Path) -> dict[str, float]:
    return {"prove, 8 methods of 10^4 storages": timed([site.command, "prove", "-q", str(file)])[0]}


def comparison(site: Site, _: Any) -> dict[str, float]:
    rows = [line.split() for line in output_of([site.bench("compare_bench")]).splitlines()[1:]]
    seconds = {int(row[0]): float(row[1]) / 1e3 for row in rows}
    return {"compare, 10^4 instructions": seconds[10_000], "compare, 10^5 instructions": seconds[100_000]}


# Random cases.

CASES = {
    "random cases under hash": "CasesUnderHash",
    "random cases, real and tagged": "CasesUnderRealAndTagged",
    "random cases of the campaign": "CasesOfACampaign",
}


def random_cases(site: Site, _: Any) -> dict[str, float]:
    rows = of_google(site, "random_bench", "^Cases")
    return {name: rows[benchmark]["items_per_second"] for name, benchmark in CASES.items()}


def fuzz_speed(target: str, pattern: str, name: str) -> Callable[[Site, Any], dict[str, float]]:
    def measure(site: Site, _: Any) -> dict[str, float]:
        files = [str(file) for file in sorted((ROOT / "corpus").glob(pattern))]
        text = output_of([str(site.sanitized / "fuzz/fuzz_speed"), target, *files])
        return {name: float(text.partition(": ")[2].split()[0])}

    return measure


def not_sanitized(site: Site) -> str:
    return "" if site.sanitized else "only with --sanitized"


# Placement.


def tables(folder: str) -> list[Path]:
    return sorted((COLLECTION / "benchmarks" / folder).glob("*.csv"))


def without_tables(_: Site) -> str:
    return "" if tables("idealloc") else "the placement problems of the collection are not here"


def placed(site: Site, file: Path, *options: str) -> tuple[dict, float, float]:
    """What `place` says, seconds of the clock, and of processors."""
    command = [site.command, "place", str(file), "--json", "-o", os.devnull, *options]
    clock, processor = timed(command)
    return json.loads(output_of(command)), clock, processor


def minimalloc(site: Site, _: Any) -> dict[str, float]:
    optimal, seconds, peaks = 0, 0.0, {}
    for file in tables("minimalloc/challenging"):
        said, _clock, processor = placed(site, file)
        optimal += said["peak"] == said["at_least"]
        seconds += processor
        peaks[file.name[0]] = said["peak"], said["at_least"]
    return {
        "minimalloc, proved best of 11": optimal,
        "minimalloc, processor time of all": seconds,
        "minimalloc D, bytes": peaks["D"][0],
        "minimalloc D, at least": peaks["D"][1],
        "minimalloc J, bytes": peaks["J"][0],
        "minimalloc J, at least": peaks["J"][1],
    }


IDEALLOC = ("G_1", "S_1", "Y_1", "pangu_2.6B", "resnet50")


def idealloc(site: Site, _: Any) -> dict[str, float]:
    figures = {}
    for file in tables("idealloc"):
        said, clock, _processor = placed(site, file)
        figures[f"idealloc {file.stem}, bytes over bound"] = said["peak"] / said["at_least"]
        figures[f"idealloc {file.stem}, time"] = clock
    return figures


def threads(site: Site, _: Any) -> dict[str, float]:
    figures = {}
    for name in ("D", "J"):
        file = next(file for file in tables("minimalloc/challenging") if file.name.startswith(name))
        one, two = (placed(site, file, "--algorithm", "exact", "--jobs", jobs)[1] for jobs in ("1", "2"))
        figures[f"place {name} with two threads"] = one / two
    return figures


# Runs beside ExecuTorch's.


def without_executorch(_: Site) -> str:
    there = (ROOT / "build/executorch/executorch").exists()
    return "" if there else "ExecuTorch is not here (scripts/setup --with-executorch)"


NETS = ("mobilenet", "encoder", "decoder")


def nets(site: Site, _: Any) -> dict[str, float]:
    figures = {}
    for line in output_of([site.bench("net_bench"), *NETS]).splitlines():
        words = line.split()
        if words and words[0] in NETS:
            figures[f"a call of {words[0]}"] = float(words[1]) / 1e3
            figures[f"a call of {words[0]}, ExecuTorch over ours"] = float(words[3])
    return figures


def models(site: Site, _: Any) -> dict[str, float]:
    words = output_of([site.bench("model_bench")]).rpartition("\n\n")[2].split()
    return {"recorded models slower than ExecuTorch": float(words[2]) - float(words[0])}


PROBES = [
    Probe(
        "read and check",
        [
            Figure("read, 10^5 storages", "x verifier"),
            Figure("read and check, 10^5 storages", "x verifier", 5),
            Figure("the same in ms", "ms"),
        ],
        read_and_check,
    ),
    Probe("check of a folder", [Figure(f"check of {MANY} files of 1 MB", "s", 2)], check_folder, folder_of_files),
    Probe(
        "check of a large file",
        [Figure("check of a file of 2 GB", "s", 0.1), Figure("the same, memory", "MB", 20)],
        check_large,
        large_file,
    ),
    Probe("prove of a folder", [Figure(f"prove of {MANY} files of 1 MB", "s", 10)], prove_folder, folder_of_files, varies=False),
    Probe("prove of methods", [Figure("prove, 8 methods of 10^4 storages", "s", 5)], prove_methods, eight_methods),
    Probe(
        "compare",
        [Figure("compare, 10^4 instructions", "s", 0.02), Figure("compare, 10^5 instructions", "s", 0.3)],
        comparison,
    ),
    Probe(
        "random cases",
        [Figure(name, "a second", asked, True) for name, asked in zip(CASES, (8000, 6000, 6000), strict=True)],
        random_cases,
    ),
    *(
        Probe(name, [Figure(name, "a second", asked, True)], fuzz_speed(target, pattern, name), missing=not_sanitized)
        for name, target, pattern, asked in (
            ("fuzz_read and check, 1,156 bytes", "fuzz_check", "public/add_model.pte", 50_000),
            ("fuzz_diff", "fuzz_diff", "seeds/choices/*", 2000),
            ("fuzz_agree", "fuzz_agree", "seeds/choices/*", 1500),
        )
    ),
    Probe(
        "minimalloc",
        [
            Figure("minimalloc, proved best of 11", "problems", 9, True),
            Figure("minimalloc, processor time of all", "s"),
            Figure("minimalloc D, bytes", "bytes", 1_036_287),
            Figure("minimalloc D, at least", "bytes", 986_113, True),
            Figure("minimalloc J, bytes", "bytes", 1_034_239),
            Figure("minimalloc J, at least", "bytes", 989_185, True),
        ],
        minimalloc,
        missing=without_tables,
        varies=False,
    ),
    Probe(
        "idealloc",
        [
            figure
            for name in IDEALLOC
            for figure in (
                Figure(f"idealloc {name}, bytes over bound", "x", 1.002),
                Figure(f"idealloc {name}, time", "s", 5),
            )
        ],
        idealloc,
        missing=without_tables,
        varies=False,
    ),
    Probe(
        "threads of place",
        [Figure(f"place {name} with two threads", "x one", 1.8, True) for name in ("D", "J")],
        threads,
        missing=without_tables,
        varies=False,
    ),
    Probe(
        "nets",
        [
            figure
            for name in NETS
            for figure in (
                Figure(f"a call of {name}", "ms"),
                Figure(f"a call of {name}, ExecuTorch over ours", "x", 1, True),
            )
        ],
        nets,
        missing=without_executorch,
        varies=False,
    ),
    Probe(
        "models",
        [Figure("recorded models slower than ExecuTorch", "models", 0)],
        models,
        missing=without_executorch,
        varies=False,
    ),
]

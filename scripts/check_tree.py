"""The tree that is built with all checks in it that can be taken out, build/fuzz-seeded/tree, and the fuzzer of it."""

import hashlib
import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import check_sites
import generated_tree
from generated_tree import ROOT, Folders

FOLDERS = Folders("fuzz-seeded", ROOT / "build/fuzz-seeded")
HEADER = "tests/mutation/mutated.h"
LIST = ROOT / "fuzz/seeded/checked_files.txt"
FUZZER = FOLDERS.build / "fuzz/fuzz_seeded"
# All targets in one.
BUILT = """
add_executable(fuzz_seeded seeded/entry.cc entry_mutator.cc asan_options.cc)
target_link_libraries(fuzz_seeded PRIVATE pteproof_flags pteproof_fuzz fmt::fmt -fsanitize=fuzzer)
"""
IN_A_FILE = 256  # numbers of each, so that a change of one file leaves the others as they are
OPTIONS = [
    "-GNinja", "-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -gline-tables-only",
    "-DCMAKE_CXX_FLAGS=-w", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=8",
    "-DPTEPROOF_CLI=OFF", "-DPTEPROOF_TESTS=OFF", "-DPTEPROOF_SANITIZE=address,undefined", "-DPTEPROOF_FUZZ=ON",
    "-DPTEPROOF_FUZZ_GUIDED=ON"]


class Listed(NamedTuple):
    """A line of the list."""

    file: str
    targets: list[str]  # that may find what is missing there, the likeliest first
    strict: set[str]


class Numbered(NamedTuple):
    number: int
    name: str
    file: str
    line: int
    targets: list[str]


def listed() -> list[Listed]:
    lines = [line for line in LIST.read_text().splitlines() if line and not line.startswith("#")]
    columns = [(line.split("\t") + [""])[:3] for line in lines]
    return [Listed(file, targets.split(","), set(filter(None, strict.split(",")))) for file, targets, strict in columns]


def sites_in(one: Listed) -> list[check_sites.Site]:
    """A file's sites; kept, as finding them takes seconds."""
    parts = (Path(check_sites.__file__).read_bytes(), (ROOT / one.file).read_bytes(), repr(sorted(one.strict)).encode())
    known = hashlib.sha256(b"\0".join(parts)).hexdigest()
    kept = FOLDERS.work / "sites" / (one.file.replace("/", "-") + ".json")
    if kept.exists() and (stored := json.loads(kept.read_text()))["of"] == known:
        return [check_sites.Site(*site) for site in stored["sites"]]
    flags = generated_tree.flags_of(FOLDERS, one.file, HEADER)
    sites = check_sites.sites_of(ROOT / one.file, flags, one.strict)
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(json.dumps({"of": known, "sites": sites}))
    return sites


def build(jobs: int) -> list[Numbered]:
    """The fuzzer, with all sites in it, and these."""
    lines = listed()
    generated_tree.copy(FOLDERS, {one.file for one in lines}, {"fuzz/CMakeLists.txt": BUILT.encode()})
    generated_tree.run_build(FOLDERS, "cmake", "-S", str(FOLDERS.tree), "-B", str(FOLDERS.build), *OPTIONS)
    generated_tree.run_build(FOLDERS, "ninja", "-C", str(FOLDERS.build), "pteproof_schema")
    with ProcessPoolExecutor(jobs) as pool:
        found = list(pool.map(sites_in, lines))
    out: list[Numbered] = []
    for at, (one, sites) in enumerate(zip(lines, found)):
        numbers = range(at * IN_A_FILE, at * IN_A_FILE + len(sites))
        text = check_sites.rewritten((ROOT / one.file).read_text(), list(zip(numbers, sites)))
        generated_tree.put(FOLDERS, one.file, f'#include "{HEADER}"\n'.encode() + text.encode())
        out += [Numbered(n, s.name, one.file, s.line, one.targets) for n, s in zip(numbers, sites)]
    generated_tree.run_build(FOLDERS, "ninja", "-C", str(FOLDERS.build), f"-j{jobs}", FUZZER.name)
    return out

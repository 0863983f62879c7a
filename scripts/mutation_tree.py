"""The tree that is built with all mutants in it, build/mutation/tree, and the tests that are built from it."""

import hashlib
import json
import re
import subprocess
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import generated_tree
import mutation_sites
from generated_tree import ROOT, Folders, sources

FOLDERS = Folders("mutation", ROOT / "build/mutation")
WORK, TREE, BUILD, SITES = FOLDERS.work, FOLDERS.tree, FOLDERS.build, FOLDERS.work / "sites"
AREAS = ("meaning", "properties/rules", "properties/checks", "runtime/reader")
BINARIES = ("crafted_tests", "runtime_tests", "fuzz_tests", "properties_tests", "cases_tests")
HEADER = "tests/mutation/mutated.h"
MOST = 16384  # mutants that the header has room for
RECORDING = f"""
foreach(binary IN ITEMS {" ".join(BINARIES)})
  target_sources(${{binary}} PRIVATE ${{PROJECT_SOURCE_DIR}}/tests/mutation/record_reached.cc)
endforeach()
"""
# Warnings say nothing of mutants. libstdc++ ends a process that reads past the end of a vector.
QUIET = "-w -D_GLIBCXX_ASSERTIONS -Wno-error -Wno-c++11-narrowing"
OPTIONS = [
    "-GNinja", "-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG",
    f"-DCMAKE_CXX_FLAGS={QUIET}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_UNITY_BUILD=ON",
    "-DCMAKE_UNITY_BUILD_BATCH_SIZE=8", "-DPTEPROOF_CLI=OFF"]


class Numbered(NamedTuple):
    """A mutant of the whole."""

    number: int  # in this build
    key: str  # in all builds, as long as its line stays what it is
    file: str
    line: int
    text: str  # of that line
    change: str


def fail(what: str) -> None:
    generated_tree.fail(FOLDERS.name, what)


def digest(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def mutated_files() -> list[str]:
    return sorted(str(p.relative_to(ROOT)) for area in AREAS for p in (ROOT / area).rglob("*.cc"))


def find(file: str) -> list[mutation_sites.Mutant]:
    """A file's mutants; kept, as telling which of them compile takes seconds."""
    finder = Path(mutation_sites.__file__).read_bytes()
    known = digest((ROOT / file).read_bytes(), finder)
    kept = SITES / (file.replace("/", "-") + ".json")
    if kept.exists() and (stored := json.loads(kept.read_text()))["of"] == known:
        return [mutation_sites.Mutant(*m) for m in stored["mutants"]]
    mutants = mutation_sites.mutants_of(ROOT / file, generated_tree.flags_of(FOLDERS, file, HEADER))
    kept.write_text(json.dumps({"of": known, "mutants": mutants}))
    return mutants


def numbered(file: str, first: int, mutants: list[mutation_sites.Mutant]) -> list[Numbered]:
    source = (ROOT / file).read_bytes()
    lines = source.decode().splitlines()
    seen: dict[str, int] = {}
    out = []
    for number, mutant in enumerate(mutants, first):
        line = source[:mutant.start].count(b"\n") + 1
        text = lines[line - 1].strip()
        name = f"{file}|{text}|{mutant.change}"
        seen[name] = seen.get(name, 0) + 1
        out.append(Numbered(number, f"{name}|{seen[name]}", file, line, text, mutant.change))
    return out


def build(jobs: int) -> list[Numbered]:
    """Everything that the tests need, with all mutants in it."""
    SITES.mkdir(parents=True, exist_ok=True)
    files = mutated_files()
    generated_tree.copy(FOLDERS, set(files), {"tests/CMakeLists.txt": RECORDING.encode()})
    generated_tree.run_build(FOLDERS, "cmake", "-S", str(TREE), "-B", str(BUILD), *OPTIONS)
    generated_tree.run_build(FOLDERS, "ninja", "-C", str(BUILD), "pteproof_schema")
    print(f"mutation: looking for mutants in {len(files)} files", file=sys.stderr)
    with ProcessPoolExecutor(jobs) as pool:
        found = dict(zip(files, pool.map(find, files)))
    out: list[Numbered] = []
    for file, mutants in found.items():
        out += (here := numbered(file, len(out), mutants))
        text, _ = mutation_sites.rewritten((ROOT / file).read_bytes(), [(n.number, m) for n, m in zip(here, mutants)])
        generated_tree.put(FOLDERS, file, f'#include "{HEADER}"\n'.encode() + text)
    if len(out) > MOST:
        fail(f"there are {len(out)} mutants, {HEADER} has room for {MOST}")
    print(f"mutation: building the tests with {len(out)} mutants", file=sys.stderr)
    generated_tree.run_build(FOLDERS, "ninja", "-C", str(BUILD), f"-j{jobs}", *BINARIES)
    return out


def binary(name: str) -> Path:
    return next(p for p in (BUILD / "tests" / name, BUILD / "tests" / name.removesuffix("_tests") / name) if p.exists())


class Digests(NamedTuple):
    """Of what verdicts depend on."""

    common: str  # of what all tests may depend on
    of_file: dict[str, str]  # of each file that nothing but its own tests depends on

    def all(self) -> str:
        return digest(self.common.encode(), *(f"{n} {d}".encode() for n, d in sorted(self.of_file.items())))


def digests() -> Digests:
    corpus = subprocess.run(["git", "rev-parse", "HEAD:corpus"], cwd=ROOT, stdout=subprocess.PIPE, check=False).stdout
    common = [corpus]
    of_file = {}
    for name in sources():
        if not re.match(r"(include|tests|fuzz|properties|runtime|base|reference|meaning|planner)/.*\.(cc|h|case)$", name):
            continue
        if re.match(r"tests/.*(_test\.cc|\.case)$", name):
            of_file[name] = digest((ROOT / name).read_bytes())
        else:
            common.append(name.encode() + (ROOT / name).read_bytes())
    return Digests(digest(*common), of_file)


def files_of_tests(name: str) -> dict[str, str]:
    """By name of a test of that binary: the file that it stands in."""
    with tempfile.TemporaryDirectory() as scratch:
        listed = Path(scratch) / "tests.json"
        subprocess.run([binary(name), "--gtest_list_tests", f"--gtest_output=json:{listed}"], check=True, stdout=subprocess.DEVNULL)
        suites = json.loads(listed.read_text())["testsuites"]
    return {f"{suite['name']}.{test['name']}": test["file"].removeprefix(f"{TREE}/") for suite in suites for test in suite["testsuite"]}

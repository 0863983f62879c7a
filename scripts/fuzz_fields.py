"""Sets every field of every program to every value of a list, under sanitizers (scripts/fuzz --fields).

build/asan/fuzz/fuzz_fields does the work and keeps its state; here are the lists of programs, the shards, and the
finds by group. A find's frames are offsets in the executable, since a sanitizer that names them takes a second for each.
"""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

TOOL = Path("build/asan/fuzz/fuzz_fields")
STATE = Path("build/fuzzing/fields")
FINDS = Path("build/fuzzing/finds")
FOLDERS = ("corpus/exported", "corpus/public", "corpus/peer-crashes", "corpus/reports", "corpus/reports3", "corpus/safety")
# Fuzzers' programs have no ending, or one of their own.
FILES_OF_FUZZERS = ("corpus/seeds/program", "corpus/regressions/program")
SANITIZERS = {
    "ASAN_OPTIONS": "symbolize=0:allocator_may_return_null=1:max_allocation_size_mb=1024:quarantine_size_mb=1:"
                    "thread_local_quarantine_size_kb=64:malloc_context_size=1:detect_leaks=0:"
                    "detect_stack_use_after_return=0",
    "UBSAN_OPTIONS": "symbolize=0:print_stacktrace=1",
}
# Frames that say nothing about the cause.
OF_LIBRARIES = re.compile(r"^(__asan|__ubsan|__sanitizer|__interceptor|___interceptor|__GI_|std::|void std::|operator new|"
                          r"operator delete|abort|raise|gsignal|memcpy|memset|memmove|_start|main$|pteproof::fuzz::)")
TOP_FRAMES = 3


def collection() -> Path | None:
    named = os.environ.get("PTEPROOF_COLLECTION")
    folder = Path(named) if named else Path("../shared")
    return folder if (folder / "corpus").is_dir() else None


def programs() -> list[Path]:
    paths = sorted(Path("corpus").rglob("*.pte"))
    for folder in map(Path, FILES_OF_FUZZERS):
        paths += sorted(path for path in folder.iterdir() if path.is_file() and path.suffix not in (".pte", ".tsv", ".md"))
    beside = collection()
    if beside:
        for folder in FOLDERS:
            paths += sorted((beside / folder).rglob("*.pte"))
    return paths


def run_shards(arguments: list[str], jobs: int, shard: str | None) -> list[tuple[int, str]]:
    """Exit code and words of each; `jobs` shards at once, or the one that was asked for."""
    listed = "".join(f"{path}\n" for path in programs())
    shards = [shard] if shard else [f"{job}/{jobs}" for job in range(jobs)]
    children = [subprocess.Popen([str(TOOL), "try", str(STATE), str(FINDS), *arguments, "--shard", one],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                 env=dict(os.environ, **SANITIZERS)) for one in shards]
    for child in children:
        child.stdin.write(listed)
        child.stdin.close()
    words = [child.stdout.read() for child in children]
    return [(child.wait(), text) for child, text in zip(children, words)]


def names_of(offsets: list[str]) -> dict[str, list[str]]:
    """The functions at an offset, the innermost first."""
    symbolizer = shutil.which("llvm-symbolizer-19") or shutil.which("llvm-symbolizer")
    if not symbolizer or not offsets:
        return {}
    # What a frame names is where the call returns to.
    asked = "".join(f"0x{max(int(offset, 16) - 1, 0):x}\n" for offset in offsets)
    said = subprocess.run([symbolizer, f"--obj={TOOL}", "--functions=linkage", "--demangle"], input=asked, text=True,
                          capture_output=True, check=True).stdout
    names = {}
    for offset, block in zip(offsets, said.split("\n\n")):
        names[offset] = [line.replace("(anonymous namespace)::", "").split("(")[0] for line in block.strip().splitlines()[::2]]
    return names


def plain_group(group: str, names: dict[str, list[str]]) -> str:
    parts = group.split(" | ")
    said = [part for part in parts if not re.search(r"\+0x[0-9a-f]+$", part)]
    frames = []
    for part in parts:
        offset = re.search(r"\+(0x[0-9a-f]+)$", part)
        if offset and part.startswith(TOOL.name):
            frames += [name for name in names.get(offset[1], []) if not OF_LIBRARIES.match(name)]
    return " | ".join(said + frames[:TOP_FRAMES])


def read_finds() -> list[list[str]]:
    return [line.split("\t") for path in sorted(STATE.glob("finds-*.tsv"))
            for line in path.read_text(errors="replace").splitlines()]


def print_finds() -> int:
    finds = read_finds()
    offsets = sorted({found for find in finds for found in re.findall(re.escape(TOOL.name) + r"\+(0x[0-9a-f]+)", find[0])})
    names = names_of(offsets)
    groups: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}
    for find in finds:
        group = plain_group(find[0], names)
        groups[group] += 1
        if group not in examples or examples[group][1] == "-":
            examples[group] = find
    for group, count in groups.most_common():
        _, file, program, number, text = examples[group][:5]
        print(f"{count:>7}  {group}\n         {file}\n         {program}, mutant {number}: {text}")
    print(f"{len(finds)} mutants broke, in {len(groups)} groups")
    return len(finds)


def count(pairs: int) -> None:
    listed = "".join(f"{path}\n" for path in programs())
    subprocess.run([str(TOOL), "count", "--pairs", str(pairs)], input=listed, text=True, check=True,
                   env=dict(os.environ, **SANITIZERS))


def fuzz_fields(options) -> int:
    """`options` are those of scripts/fuzz. 1: something broke."""
    STATE.mkdir(parents=True, exist_ok=True)
    if options.again:
        for path in [*STATE.glob("*.state"), *STATE.glob("finds-*.tsv")]:
            path.unlink()
    if options.count:
        count(options.pairs)
        return 0
    if not options.report:
        arguments = ["--time", str(options.time), "--pairs", str(options.pairs), "--stride", str(options.stride)]
        for code, words in run_shards(arguments, options.jobs, options.shard):
            print(words, end="")
            if code not in (0, 1):
                print(f"fuzz: {TOOL} ended with {code}", file=sys.stderr)
                return 1
    return 1 if print_finds() else 0

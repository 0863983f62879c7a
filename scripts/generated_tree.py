"""A copy of the sources that is built with generated changes in it: build/WORK/tree, built in build/WORK/build."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Folders(NamedTuple):
    """Where a tool has its copy."""

    name: str  # of the tool, in messages
    work: Path

    @property
    def tree(self) -> Path:
        return self.work / "tree"

    @property
    def build(self) -> Path:
        return self.work / "build"


def fail(tool: str, what: str) -> None:
    print(f"{tool}: {what}", file=sys.stderr)
    sys.exit(70)


def sources() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    names = listed.stdout.decode().split("\0")
    return [name for name in names if name and not name.startswith("corpus/") and (ROOT / name).is_file()]


def put(folders: Folders, name: str, content: bytes) -> None:
    """Only where it differs, so that a build starts from what has changed."""
    path = folders.tree / name
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    shutil.copymode(ROOT / name, path)


def copy(folders: Folders, changed: set[str], more: dict[str, bytes]) -> None:
    """All sources but those that are changed, which are put later; `more`: what is added to the end of some."""
    folders.tree.mkdir(parents=True, exist_ok=True)
    names = sources()
    for name in names:
        if name not in changed or not (folders.tree / name).exists():
            put(folders, name, (ROOT / name).read_bytes() + more.get(name, b""))
    for stale in {str(p.relative_to(folders.tree)) for p in folders.tree.rglob("*.cc")} - set(names):
        (folders.tree / stale).unlink()
    corpus = folders.tree / "corpus"
    if not corpus.is_symlink():
        corpus.symlink_to("../../../corpus")


def run_build(folders: Folders, *command: str) -> None:
    log = folders.work / "build.log"
    with log.open("w") as out:
        if subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, cwd=ROOT).returncode != 0:
            print("".join(log.read_text(errors="replace").splitlines(True)[-60:]), file=sys.stderr)
            fail(folders.name, f"the build failed; the whole log is {log.relative_to(ROOT)}")


def flags_of(folders: Folders, file: str, header: str) -> list[str]:
    """What the file's library is compiled with, from another directory, and without its precompiled header."""
    library = f"pteproof_{file.split('/')[0]}.dir"
    commands = json.loads((folders.build / "compile_commands.json").read_text())
    command = next(shlex.split(c["command"]) for c in commands if library in c["command"] and "unity" in c["file"])
    kept: list[str] = []
    for i, word in enumerate(command):
        if word.startswith(("-D", "-std", "-I")):
            kept.append(word.replace(str(folders.tree), str(ROOT)))
        elif word == "-isystem":
            kept += [word, command[i + 1]]
    resources = subprocess.run([command[0], "-print-resource-dir"], stdout=subprocess.PIPE, text=True, check=True)
    return [
        *kept, "-w", "-Wno-c++11-narrowing", "-ferror-limit=0", "-resource-dir", resources.stdout.strip(),
        "-include", str(ROOT / header)]

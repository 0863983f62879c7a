"""What a hunt has done, in the files of its folder: a hunt that was ended goes on from them.

`rows*.jsonl` has a line for each program, `finds` a folder for each find, `known.jsonl` what a
later hunt may leave out. Several workers write files of their own.
"""

from __future__ import annotations

import collections
import json
import pathlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Journal:
    """The rows of one worker."""

    def __init__(self, folder: pathlib.Path, worker: int = 0) -> None:
        self.folder, self.worker = folder, worker
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"rows-{worker}.jsonl"
        self._current = folder / f"current-{worker}"
        _cut_torn_line(self._path)

    def begin(self, number: int) -> int:
        """Notes that a program is at hand; how often it was begun and not ended before."""
        before = 0
        if self._current.exists():
            said = self._current.read_text(encoding="ascii").split()
            before = int(said[1]) if said and int(said[0]) == number else 0
        self._current.write_text(f"{number} {before + 1}", encoding="ascii")
        return before

    def add(self, row: dict[str, Any]) -> None:
        """Writes a program's row."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        self.leave()

    def leave(self) -> None:
        """Forgets the program at hand, which did not end the process."""
        self._current.unlink(missing_ok=True)


def _cut_torn_line(path: pathlib.Path) -> None:
    """The last line of a process that was killed may be a part of one."""
    if not path.exists():
        return
    text = path.read_text(encoding="utf-8")
    if text and not text.endswith("\n"):
        path.write_text(text[: text.rfind("\n") + 1], encoding="utf-8")


def rows_in(folder: pathlib.Path) -> Iterator[dict[str, Any]]:
    """All rows of a folder; one that was cut off is left out."""
    for path in sorted(folder.glob("rows-*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                continue


def finds_in(folder: pathlib.Path) -> Iterator[tuple[pathlib.Path, dict[str, Any]]]:
    """Folders of finds, and what they say."""
    for path in sorted(folder.glob("finds/*/find.json")):
        yield path.parent, json.loads(path.read_text(encoding="utf-8"))


def write_known(folder: pathlib.Path) -> None:
    """The finds of a hunt, as `--known` reads them."""
    names = ("program", "signature", "drawn")
    lines = [
        json.dumps({name: told[name] for name in names if name in told})
        for _, told in finds_in(folder)
    ]
    (folder / "known.jsonl").write_text("".join(f"{each}\n" for each in lines), encoding="utf-8")


def known_in(path: pathlib.Path) -> list[dict[str, Any]]:
    """Finds that are known: a JSON object a line, with `program`, `signature` and `drawn`.

    `drawn` is the signature before shrinking; that of a find which was not shrunk is the only one.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip() and not line.startswith("#")]


def signatures(known: Iterable[dict[str, Any]]) -> set[str]:
    """Those of known finds, shrunk and as they were drawn."""
    return {each[name] for each in known for name in ("signature", "drawn") if name in each}


def classes(
    folders: Iterable[pathlib.Path],
) -> dict[str, list[tuple[pathlib.Path, dict[str, Any]]]]:
    """The finds by signature, those with the shortest script first."""
    found = collections.defaultdict(list)
    for folder in folders:
        for path, told in finds_in(folder):
            found[told["signature"]].append((path, told))
    for same in found.values():
        same.sort(key=lambda each: each[1]["lines"])
    return dict(sorted(found.items()))

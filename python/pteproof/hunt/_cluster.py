"""A hunt on a cluster of Dask's that is there: `--dask ADDRESS`.

Programs go out in packs. A worker judges a pack in a process of its own, since exports need a main
thread and may end their process. Rows and finds of a pack come back together or not at all: Dask
gives the pack of a worker that was lost to another one, so that each program has one row. The
client exports nothing, and needs no torch.
"""

from __future__ import annotations

import collections
import importlib
import importlib.metadata
import itertools
import json
import pathlib
import pickle
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pteproof.hunt._journal import Journal, rows_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pteproof.hunt._request import Request

    Files = dict[str, bytes]  # by name, below the folder of a hunt

PACK = 20  # programs: the start of a process takes as long as three of them
_AHEAD = 2  # packs that are out, for each thread of the cluster
_PATIENCE = 60  # seconds, for the first worker


def judge_pack(request: Request) -> Files:
    """Judges the programs that `request.only` names, on a worker. Returns rows and finds."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        asked = pickle.dumps(replace(request, out=folder))
        words = [sys.executable, "-W", "ignore", "-m", "pteproof.hunt._cluster"]
        for _ in range(2 * PACK + 1):  # a program that ends the process twice gets its row
            made = subprocess.run(words, input=asked, capture_output=True, check=False)
            if made.returncode >= 0:
                break
        if made.returncode != 0:
            raise RuntimeError(made.stderr.decode(errors="replace")[-2000:])
        paths = [path for path in folder.rglob("*") if path.is_file()]
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def version_there() -> str:
    """The version of ExecuTorch that a worker has."""
    return importlib.metadata.version("executorch")


class Books:
    """What has come back, in the folder of the hunt."""

    def __init__(self, request: Request, version: str) -> None:
        self.request = request
        self.journal = Journal(request.out)
        self.known = {each["signature"] for each in request.known}
        self.seen: collections.Counter[str] = collections.Counter()
        self.done: set[str] = set()
        self.new = 0  # finds that are not known
        for row in rows_in(request.out):
            if row.get("version") == version:
                self._count(row)

    def _count(self, row: dict[str, Any]) -> None:
        self.done.add(row["program"])
        if row.get("signature"):
            self.seen[row["signature"]] += 1

    def packs(self) -> Iterator[list[int]]:
        """Programs that have no row yet."""
        seed = self.request.seed
        left = (n for n in self.request.numbers() if f"{seed}:{n}" not in self.done)
        while pack := list(itertools.islice(left, PACK)):
            yield pack

    def add(self, files: Files) -> None:
        """Takes what a pack brings."""
        for name, data in files.items():
            if name.startswith("finds/"):
                path = self.request.out / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
                if path.name == "find.json":
                    self.new += json.loads(data)["signature"] not in self.known
            elif name.startswith("rows-"):
                for line in data.decode().splitlines():
                    row = json.loads(line)
                    self._count(row)
                    self.journal.add(row)


class Cluster:
    """The packs that are out."""

    def __init__(self, client: Any, books: Books, judge: Callable[[Request], Files]) -> None:
        self.client, self.books, self.judge = client, books, judge
        self.coming = _distributed().as_completed(raise_errors=False)
        self.out: dict[Any, list[int]] = {}
        self.started = time.monotonic()
        self.failed = False

    def run(self) -> bool:
        """Hunts until it is over. Returns whether all packs came back."""
        packs = self.books.packs()
        while True:
            most = _AHEAD * max(1, sum(self.client.nthreads().values()))
            while len(self.out) < most and not self._is_over():
                if (pack := next(packs, None)) is None:
                    break
                self._send(pack)
            if not self.out:
                return not self.failed
            self._take(next(self.coming))
            self._say()

    def _send(self, pack: list[int]) -> None:
        request, left = self.books.request, self._left()
        asked = replace(request, only=pack, seconds=left, seen=dict(self.books.seen), quiet=True)
        future = self.client.submit(self.judge, asked, pure=False)
        self.out[future] = pack
        self.coming.add(future)

    def _take(self, future: Any) -> None:
        pack = self.out.pop(future)
        if future.status == "finished":
            self.books.add(future.result())
            return
        self.failed = True
        why = str(future.exception()).strip()
        print(f"pteproof hunt: programs {pack[0]} to {pack[-1]}: {why}", file=sys.stderr)

    def _left(self) -> float | None:
        seconds = self.books.request.seconds
        return None if seconds is None else seconds - (time.monotonic() - self.started)

    def _is_over(self) -> bool:
        left = self._left()
        found = self.books.request.stop_at_first and self.books.new > 0
        return found or (left is not None and left <= 0)

    def _say(self) -> None:
        if self.books.request.quiet or not sys.stderr.isatty():
            return
        text = f"{len(self.books.done)} programs, {self.books.new} finds, {len(self.out)} packs "
        text += f"are out, {len(self.client.nthreads())} workers"
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def _distributed() -> Any:
    """Dask's package, which has no types. Raises ImportError if it is not there."""
    return importlib.import_module("distributed")


def hunt_on(
    address: str,
    request: Request,
    judge: Callable[[Request], Files] = judge_pack,
    version: Callable[[], str] = version_there,
) -> bool:
    """Hunts on the cluster at that address; judge and version run there.

    Returns whether all programs came back. Raises OSError if no cluster or no worker answers.
    """
    with _distributed().Client(address) as client:
        client.wait_for_workers(1, timeout=_PATIENCE)
        books = Books(request, client.submit(version, pure=False).result())
        return Cluster(client, books, judge).run()


if __name__ == "__main__":
    from pteproof.hunt._hunt import Hunt

    Hunt(pickle.loads(sys.stdin.buffer.read())).run()

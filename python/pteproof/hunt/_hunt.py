"""The hunt itself: draws, judges, signs, shrinks and tells, program after program.

The first three finds of a signature are shrunk, the others are counted. Shrinking takes at most a
third of the time: finds wait for it, and are told as they are if it never comes.
"""

from __future__ import annotations

import collections
import importlib.metadata
import sys
import time
from typing import TYPE_CHECKING, Any

from pteproof.hunt import _judge, _options
from pteproof.hunt._export import set_up
from pteproof.hunt._journal import Journal, rows_in, signatures
from pteproof.hunt._judge import Judge, Judged
from pteproof.hunt._program import Drawing, Program, draw, operators_of
from pteproof.hunt._shrink import Shrunk, shrink
from pteproof.hunt._sign import shrunk_signature, signature
from pteproof.hunt._source import NotExpressibleError
from pteproof.hunt._tell import folder_name, tell

if TYPE_CHECKING:
    from pteproof.hunt._request import Request

_SHRUNK = 3  # finds of a signature
_SECONDS = 60.0  # of this process, for one
_BY_CLOCK = 300.0  # the same with what others take
_SHARE = 1 / 3  # of a hunt's time, for shrinking
_AT_ONCE = 30.0  # seconds of it that may be used ahead


class Hunt:
    """One process of a hunt."""

    def __init__(self, request: Request) -> None:
        self.request = request
        set_up()
        self.drawing = Drawing(_options.Available(), request.planner)
        self.judge = Judge(request.loaders)
        self.journal = Journal(request.out, request.worker[0])
        self.known = {each["signature"] for each in request.known}
        self.drawn = signatures(request.known)
        self.version = importlib.metadata.version("executorch")
        self.seen: collections.Counter[str] = collections.Counter(request.seen)
        self.waiting: list[tuple[int, Program, Judged, str]] = []
        self.shrinking = 0.0
        self.new = 0  # finds that are not known
        self.programs = 0
        self.started = time.monotonic()

    def run(self) -> None:
        """Hunts until it is over."""
        done = set()
        for row in rows_in(self.request.out):
            if row.get("version") != self.version:
                continue
            done.add(row["program"])
            if row.get("signature"):
                self.seen[row["signature"]] += 1
        try:
            for number in self.request.numbers():
                if f"{self.request.seed}:{number}" in done:
                    continue
                self.one(number)
                self._say()
                if self._is_over():
                    break
        except KeyboardInterrupt:
            self.journal.leave()
            raise
        finally:
            self._tell_waiting()

    def _elapsed(self) -> float:
        return time.monotonic() - self.started

    def _is_over(self) -> bool:
        seconds = self.request.seconds
        late = seconds is not None and self._elapsed() >= seconds
        return late or (self.request.stop_at_first and self.new > 0)

    def one(self, number: int) -> None:
        """One program: its row, and its find."""
        began = time.monotonic()
        row: dict[str, Any] = {"program": f"{self.request.seed}:{number}", "version": self.version}
        if self.journal.begin(number) > 1:  # it ended the process twice
            self.journal.add({**row, "row": _judge.DIES, "why": "the exporter ends the process"})
            return
        try:
            program = draw(self.request.seed, number, self.drawing)
        except NotExpressibleError as error:
            self.journal.add({**row, "row": _judge.NO_WORDS, "why": str(error)})
            return
        judged = self.judge.judge(program)
        self.programs += 1
        row.update(_about(program, judged))
        if judged.row in _judge.FINDS:
            row["signature"] = signature(program, judged)
        row["seconds"] = round(time.monotonic() - began, 3)
        self.journal.add(row)
        if judged.row in _judge.FINDS:
            self._find(number, program, judged, row["signature"])
        self._shrink_waiting()

    def _find(self, number: int, program: Program, judged: Judged, signed: str) -> None:
        self.seen[signed] += 1
        if signed in self.known or self.seen[signed] > _SHRUNK:
            return
        judged.exported = None  # it is large, and is made again
        self.waiting.append((number, program, judged, signed))

    def _shrink_waiting(self) -> None:
        while self.waiting:
            first = self.request.stop_at_first
            budget = _SHARE * time.process_time() + _AT_ONCE - self.shrinking
            if not first and budget < _SECONDS / 2:
                return
            number, program, judged, drawn = self.waiting[0]  # told as drawn, if Ctrl-C ends this
            began = time.process_time()
            left = _BY_CLOCK
            if self.request.seconds is not None:
                left = min(left, max(5.0, self.request.seconds - self._elapsed()))
            smaller = shrink(program, judged, self.judge.judge, _SECONDS, left)
            self.shrinking += time.process_time() - began
            signed = shrunk_signature(smaller.program, smaller.judged)
            if signed not in self.known:
                self._tell(number, smaller, signed, drawn)
            self.waiting.pop(0)

    def _tell(self, number: int, smaller: Shrunk, signed: str, drawn: str) -> None:
        self.new += 1
        if smaller.judged.exported is None:
            smaller.judged = self.judge.judge(smaller.program)
        program = f"{self.request.seed}:{number}"
        folder = self.request.out / "finds" / folder_name(program, signed)
        tell(smaller, {"program": program, "signature": signed, "drawn": drawn}, folder)

    def _tell_waiting(self) -> None:
        """Those for which no time is left, as they were drawn, if no known find was drawn so."""
        for number, program, judged, drawn in self.waiting:
            if drawn not in self.drawn:
                self._tell(number, Shrunk(program, judged), drawn, drawn)
        self.waiting.clear()

    def _say(self) -> None:
        if self.request.quiet or not sys.stderr.isatty():
            return
        rate = self.programs / max(self._elapsed(), 1e-9)
        text = f"{self.programs} programs, {rate:.2f} a second, {self.new} finds, "
        text += f"{len(self.waiting)} wait"
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def _about(program: Program, judged: Judged) -> dict[str, Any]:
    return {
        "row": judged.row,
        "why": judged.why,
        "kind": program.kind,
        "options": program.options.drawn(),
        "operators": sorted(operators_of(program)),
        "otherwise": sorted(program.counted),
        "loader": judged.loader,
        "verdicts": judged.verdicts,
        "rules": judged.rules,
        "left_out": judged.left_out,
        "notes": judged.notes,
        "run": judged.ran.text if judged.ran is not None else "",
    }

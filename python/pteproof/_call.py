"""One call of the command: its words, the files in memory, and what came out, or an exception."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any, NoReturn

from pteproof import _library, _solver
from pteproof.errors import (
    InternalError,
    MalformedError,
    ManifestError,
    NoPlanError,
    PteproofError,
    SolverError,
    UndecidedError,
    UnreadableError,
    UsageError,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Buffer

SAFE, UNSAFE, MALFORMED, UNDECIDED, USAGE, UNREADABLE = 0, 1, 2, 3, 64, 66


@dataclasses.dataclass
class Outcome:
    """What a call of the command came to."""

    code: int
    output: str
    text: str  # of a report in JSON: the same for people
    complaints: str
    wrong_manifest: bool
    results: dict[str, bytes]

    def lines(self) -> list[dict[str, Any]]:
        """Returns the JSON objects of the output, one a line."""
        return [json.loads(line) for line in self.output.splitlines()]

    def certificate(self) -> str | None:
        """The text of the certificate that was asked for; None: there is none."""
        found = self.results.get("<certificate>")
        return None if found is None else found.decode()

    def fail(self, text: str = "") -> NoReturn:
        """Raises the exception of the exit code."""
        what = text or self.complaints or self.text or self.output
        raise self._kind()(what.removeprefix("pteproof: ").rstrip("\n"))

    def _kind(self) -> type[PteproofError]:
        if self.wrong_manifest:
            return ManifestError
        kinds = {
            UNSAFE: NoPlanError,
            MALFORMED: MalformedError,
            UNDECIDED: UndecidedError,
            USAGE: UsageError,
            UNREADABLE: UnreadableError,
            _library.NO_SOLVER: SolverError,
        }
        return kinds.get(self.code, InternalError)


def call(
    words: Iterable[str],
    files: dict[str, Buffer] | None = None,
    results: Iterable[str] = (),
    seconds: float | None = None,
) -> Outcome:
    """Runs the command in this process, without its streams.

    words: what follows `pteproof` on a command line.
    files: the content of files that the words name and that are in memory; read in place.
    results: names of files that the words ask for and that are returned instead of written.
    seconds: the most that it may take; TimeoutError is raised then.

    >>> call(["rules", "plan-overlap"]).output.partition(":")[0]
    'plan-overlap (error)'
    """
    _solver.look()
    ended = _library.run(list(words), files or {}, list(results), seconds or 0.0)
    outcome = Outcome(
        ended.code,
        _decoded(ended.output),
        _decoded(ended.text),
        _decoded(ended.complaints),
        ended.wrong_manifest,
        ended.results,
    )
    if ended.code == _library.NO_MEMORY:
        raise MemoryError("out of memory")
    if ended.code == _library.NO_SOLVER:
        outcome.fail(outcome.complaints)
    return outcome


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", errors="surrogateescape")

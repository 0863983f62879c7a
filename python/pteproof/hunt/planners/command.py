"""A command that reads and writes the table of `pteproof place`, started once for a problem."""

from __future__ import annotations

import csv
import io
import pathlib
import shlex
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING

from pteproof.hunt.planners.problem import Layout
from pteproof.hunt.planners.specs import WrongAnswerError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pteproof.hunt.planners.problem import Problem


def table_of(problem: Problem, names: Sequence[str] = ()) -> str:
    """The problem as a table. A column is there if some storage needs it."""
    storages = problem.storages
    columns = ["id", "lower", "upper", "size"]
    columns += ["alignment"] if any(x.alignment > 1 for x in storages) else []
    columns += ["offset"] if any(x.offset is not None for x in storages) else []
    columns += ["bank"] if any(x.bank for x in storages) else []
    text = io.StringIO()
    rows = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    rows.writeheader()
    for index, storage in enumerate(storages):
        for lower, upper in storage.lives:
            name = names[index] if names else f"s{index}"
            row = {**storage._asdict(), "id": name, "lower": lower, "upper": upper}
            rows.writerow({key: "" if value is None else value for key, value in row.items()})
    return text.getvalue()


def layout_of(problem: Problem, text: str) -> Layout:
    """The layout that a table says. Raises WrongAnswerError if it is not one of the problem."""
    places: list[tuple[int, int] | None] = [None] * len(problem.storages)
    rows = csv.DictReader(io.StringIO(text, newline=""))
    if not {"id", "offset"} <= {*(rows.fieldnames or ())}:
        raise WrongAnswerError("its table has no columns 'id' and 'offset'")
    names = {f"s{index}": index for index in range(len(problem.storages))}
    for row in rows:
        index = names.get(row["id"])
        if index is None:
            raise WrongAnswerError(f"its table has an unknown storage {row['id']!r:.50}")
        try:
            offset = int(row["offset"])
        except (TypeError, ValueError):
            continue
        place = (problem.storages[index].bank or 1, offset)
        if places[index] not in (None, place):
            raise WrongAnswerError(f"its table has two offsets of storage {index}")
        places[index] = place
    return Layout(places)


class Command:
    """Asks a command: {in} is the problem's file, {out} that of the answer.

    Without {in} it reads standard input, without {out} it writes standard output.
    """

    def __init__(self, command: str, seconds: float) -> None:
        self.words = shlex.split(command)
        if not self.words or shutil.which(self.words[0]) is None:
            raise ValueError(f"no such command: {command!r}")
        self.seconds = seconds
        self.reads, self.writes = ("{in}" in command, "{out}" in command)

    def __call__(self, problem: Problem) -> Layout:
        """The layout of a problem. Raises WrongAnswerError, also if the command fails."""
        with tempfile.TemporaryDirectory(prefix="pteproof-planner-") as name:
            given, answer = pathlib.Path(name, "in.csv"), pathlib.Path(name, "out.csv")
            given.write_text(table_of(problem), encoding="ascii")
            words = [
                word.replace("{in}", str(given)).replace("{out}", str(answer))
                for word in self.words
            ]
            with given.open("rb") as file:
                done = subprocess.run(
                    words,
                    stdin=subprocess.DEVNULL if self.reads else file,
                    capture_output=True,
                    timeout=self.seconds,
                    check=False,
                )
            if done.returncode != 0:
                last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
                raise WrongAnswerError(f"exit code {done.returncode}: {' '.join(last)[:200]}")
            if self.writes and not answer.exists():
                raise WrongAnswerError("it wrote no file")
            text = answer.read_bytes() if self.writes else done.stdout
            return layout_of(problem, text.decode("utf-8", "replace"))

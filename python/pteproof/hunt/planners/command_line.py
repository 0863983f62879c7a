"""The command line of hunts in planners alone."""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import pathlib
import re
import sys
import time
from typing import TYPE_CHECKING, Any

from pteproof.hunt.planners.laws import Options, Outcome, Planner, hunt
from pteproof.hunt.planners.problem import SPEC_KINDS, TABLE_KINDS
from pteproof.hunt.planners.reproduce import script_of, text_of
from pteproof.hunt.planners.specs import MOST_STORAGES
from pteproof.hunt.planners.validate import LAWS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pteproof.hunt.planners.laws import Find

FOUND, USAGE = 1, 64
_SECONDS_BETWEEN_LINES = 0.5
_CASES = 10_000


def main(arguments: list[str]) -> int:
    """Hunts with the words of a command line. Exit codes: 0 no find, 1 a find, 64 usage."""
    try:
        words = _parser().parse_args(arguments)
    except SystemExit as end:
        return USAGE if end.code else 0
    try:
        asked = words.command or callable_of(words.planner_only)
        planner, numbers = Planner(asked, _options(words)), _numbers(words)
    except ValueError as error:
        print(f"pteproof: {error}", file=sys.stderr)
        return USAGE
    until = None if words.seconds is None else time.monotonic() + words.seconds
    outcome = hunt(
        planner, numbers, until=until, stop_at_first=words.stop_at_first, tell=_progress()
    )
    _report(planner, outcome, words)
    return FOUND if outcome.finds else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pteproof.hunt.planners",
        description="Asks a planner for layouts of random problems, and validates them.",
        epilog="Exit codes: 0 no find, 1 a find, 64 usage. The laws: "
        + "; ".join(f"{law}: {text}" for law, text in LAWS.items())
        + ".",
    )
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument(
        "--planner-only",
        metavar="MODULE:CALLABLE",
        help="a callable with the interface of ExecuTorch's memory_planning_algo",
    )
    asked.add_argument(
        "--command",
        metavar="COMMAND",
        help="a command that reads the table {in} and writes it with offsets to {out}",
    )
    parser.add_argument("--cases", type=int, metavar="N", help=f"problems (default: {_CASES:,})")
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after so many seconds")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the problems")
    parser.add_argument("--replay", metavar="S:N", help="ask problem N of seed S alone")
    parser.add_argument(
        "--shard",
        type=shard_of,
        default=(0, 1),
        metavar="I/N",
        help="every Nth problem, from the Ith on; I from 1 to N",
    )
    parser.add_argument(
        "--storages", type=int, default=20, metavar="N", help="the most of a problem (default: 20)"
    )
    parser.add_argument(
        "--without",
        default="",
        metavar="KINDS",
        help="what is not drawn: " + ", ".join(sorted(SPEC_KINDS | TABLE_KINDS)),
    )
    parser.add_argument(
        "--order-independent",
        action="store_true",
        help="the planner promises the same layout in each order of the storages",
    )
    parser.add_argument(
        "--limit", type=float, default=10.0, metavar="S", help="seconds for an answer (default: 10)"
    )
    parser.add_argument("--stop-at-first", action="store_true", help="stop at the first find")
    parser.add_argument("-o", "--out", metavar="FOLDER", help="write a script of each find there")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each find")
    return parser


def shard_of(text: str) -> tuple[int, int]:
    """The first number and the step of I/N, with I from 1 to N."""
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is not I/N, with I from 1 to N")
    return int(found[1]) - 1, int(found[2])


def _options(words: argparse.Namespace) -> Options:
    without = frozenset(filter(None, words.without.split(",")))
    unknown = without - SPEC_KINDS - TABLE_KINDS
    if unknown:
        raise ValueError(f"unknown kinds: {', '.join(sorted(unknown))}")
    if not 1 <= words.storages <= MOST_STORAGES:
        raise ValueError(f"a problem has 1 to {MOST_STORAGES} storages")
    seed = int(words.replay.partition(":")[0]) if words.replay else words.seed
    return Options(seed, words.storages, without, words.order_independent, words.limit)


def callable_of(name: str) -> Callable[..., Any]:
    """What MODULE:CALLABLE names. Raises ValueError if there is none."""
    module, _, attribute = name.partition(":")
    sys.path.insert(0, "")  # modules of the working folder, as for python -m
    try:
        found = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"no callable {name!r}: {error}") from None
    if not callable(found):
        raise ValueError(f"{name!r} cannot be called")
    return found


def _numbers(words: argparse.Namespace) -> Iterable[int]:
    """The numbers of the problems."""
    if words.replay:
        _, _, number = words.replay.partition(":")
        return [int(number)]
    first, step = words.shard
    cases = words.cases
    if cases is None and words.seconds is None:
        cases = _CASES
    return itertools.count(first, step) if cases is None else range(first, cases, step)


def _progress() -> Callable[[Outcome], None] | None:
    """A line on a terminal."""
    if not sys.stderr.isatty():
        return None
    last = [0.0]

    def tell(outcome: Outcome) -> None:
        if outcome.seconds - last[0] >= _SECONDS_BETWEEN_LINES:
            last[0] = outcome.seconds
            line = f"\r{outcome.cases:,} problems, {len(outcome.finds)} finds "
            print(line, end="", file=sys.stderr, flush=True)

    return tell


def _report(planner: Planner, outcome: Outcome, words: argparse.Namespace) -> None:
    seed = planner.options.seed
    for find in sorted(outcome.finds.values(), key=lambda find: find.number):
        script, ending = script_of(planner, find)
        if words.out:
            folder = pathlib.Path(words.out)
            folder.mkdir(parents=True, exist_ok=True)
            name = "".join(c if c.isalnum() else "-" for c in find.kind)
            (folder / f"{name}.{ending}").write_text(script, encoding="utf-8")
        print(_json(find, seed, script) if words.json else text_of(find, seed, script), end="")
    if not words.json:
        rate = outcome.cases / max(outcome.seconds, 1e-9)
        kinds = f"{len(outcome.finds)} kinds of finds" if outcome.finds else "no find"
        print(f"{outcome.cases:,} problems, seed {seed}: {kinds} ({rate:,.0f} problems a second)")


def _json(find: Find, seed: int, script: str) -> str:
    return (
        json.dumps(
            {
                "kind": find.kind,
                "law": find.mistake.law,
                "text": find.mistake.text,
                "seed": seed,
                "number": find.number,
                "count": find.count,
                "script": script,
            }
        )
        + "\n"
    )

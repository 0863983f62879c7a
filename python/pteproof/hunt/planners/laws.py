"""The laws of planners, on random problems; the first find of each law is made small.

Problem N of a seed is the same on every machine. Each is asked twice, and once with its storages in
another order, which is a problem of its own: a mistake in its layout is a mistake.
"""

from __future__ import annotations

import contextlib
import dataclasses
import random
import signal
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Any

from pteproof.hunt.planners.command import Command
from pteproof.hunt.planners.problem import SPEC_KINDS, TABLE_KINDS, draw, is_fair, permuted, smaller
from pteproof.hunt.planners.specs import Algorithm, WrongAnswerError
from pteproof.hunt.planners.validate import Mistake, mistake_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pteproof.hunt.planners.problem import Layout, Problem

_SECONDS_TO_SHRINK = 60.0
_TRIES_OF_REPEAT = 5  # of a planner whose answers change


@dataclasses.dataclass(frozen=True)
class Options:
    """What is drawn, and what is asked of the layouts."""

    seed: int = 0
    storages: int = 20  # the most of a problem
    without: frozenset[str] = frozenset()  # kinds that are not drawn
    order_independent: bool = False  # whether the planner promises it
    seconds: float = 10.0  # for an answer


@dataclasses.dataclass
class Find:
    """A law that is broken, with the smallest problem that was found."""

    kind: str
    number: int  # of the first problem
    problem: Problem
    mistake: Mistake
    order: tuple[int, ...] = ()  # of the storages, if the law compares two
    count: int = 1  # of problems that break it

    @property
    def title(self) -> str:
        """What is wrong, on one line."""
        text = " ".join(self.mistake.text.split())
        return text if text.startswith(self.kind) else f"{self.kind}: {text}"


@dataclasses.dataclass
class Outcome:
    """What a hunt found."""

    cases: int = 0
    seconds: float = 0.0
    finds: dict[str, Find] = dataclasses.field(default_factory=dict)  # by their kinds


def kind_of(mistake: Mistake) -> str:
    """The law, and of a planner that raises also what."""
    return mistake.text.partition(":")[0] if mistake.law == "raises" else mistake.law


class Planner:
    """A planner behind one interface, asked within a time."""

    def __init__(self, planner: Callable[..., Any] | str, options: Options) -> None:
        self.options, self.planner = options, planner
        self.is_command = isinstance(planner, str)
        if isinstance(planner, str):
            self.ask: Callable[[Problem], Layout] = Command(planner, options.seconds)
            self.kinds = TABLE_KINDS - options.without
        else:
            algorithm = Algorithm(planner)
            self.ask = algorithm
            self.kinds = SPEC_KINDS - options.without
            if not algorithm.has_parts:
                self.kinds -= {"parts"}
        self.timed = not self.is_command and (threading.current_thread() is threading.main_thread())

    def problem(self, number: int) -> tuple[Problem, random.Random]:
        """Problem `number` of the seed, and what draws the rest."""
        drawing = random.Random(f"{self.options.seed}:{number}")
        return draw(drawing, self.options.storages, self.kinds, self.is_command), drawing

    def answer(self, problem: Problem) -> Layout | Mistake:
        """Its layout, or that it gives none."""
        try:
            if not self.timed:
                return self.ask(problem)
            with _alarm(self.options.seconds):
                return self.ask(problem)
        except WrongAnswerError as error:
            return Mistake("raises", str(error))
        except (TimeoutError, subprocess.TimeoutExpired):
            return Mistake("raises", f"it gives no answer in {self.options.seconds:g} seconds")
        except Exception as error:
            return Mistake("raises", f"it raises {type(error).__name__}: {str(error)[:300]}")

    def mistake(
        self, problem: Problem, order: tuple[int, ...]
    ) -> tuple[Mistake, Problem, tuple[int, ...]] | None:
        """The first law that is broken, by which problem; and the order if two were compared."""
        first = self.answer(problem)
        wrong = _wrong(problem, first)
        if wrong:
            return wrong, problem, ()
        if self.answer(problem) != first:
            return _repeated(), problem, ()
        other = permuted(problem, order)
        second = self.answer(other)
        wrong = _wrong(other, second)
        if wrong:
            return wrong, other, ()
        if self.options.order_independent:
            for new, old in enumerate(order):
                if first.places[old] != second.places[new]:  # type: ignore[union-attr]
                    text = f"storage {old} lies elsewhere if the storages come in the order {order}"
                    return Mistake("order", text), problem, order
        return None


def _wrong(problem: Problem, answer: Layout | Mistake) -> Mistake | None:
    return answer if isinstance(answer, Mistake) else mistake_in(problem, answer)


def _repeated() -> Mistake:
    return Mistake("repeat", "the same problem has another layout when it is asked again")


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in this thread after so many seconds."""

    def ring(_signal: int, _frame: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def hunt(
    planner: Planner,
    numbers: Iterable[int],
    *,
    until: float | None = None,
    stop_at_first: bool = False,
    tell: Callable[[Outcome], None] | None = None,
) -> Outcome:
    """Asks the planner these problems, until a point of time.monotonic(), or Ctrl-C."""
    outcome, began = Outcome(), time.monotonic()
    with contextlib.suppress(KeyboardInterrupt):  # what was found until then counts
        for number in numbers:
            if until is not None and time.monotonic() >= until:
                break
            _ask(planner, number, outcome)
            outcome.seconds = time.monotonic() - began
            if stop_at_first and outcome.finds:
                break
            if tell is not None:
                tell(outcome)
    outcome.seconds = time.monotonic() - began
    return outcome


def _ask(planner: Planner, number: int, outcome: Outcome) -> None:
    problem, drawing = planner.problem(number)
    order = list(range(len(problem.storages)))
    drawing.shuffle(order)
    found = planner.mistake(problem, tuple(order))
    outcome.cases += 1
    if found is None:
        return
    mistake, problem, compared = found
    kind = kind_of(mistake)
    if kind in outcome.finds:
        outcome.finds[kind].count += 1
    else:
        outcome.finds[kind] = shrunk(planner, Find(kind, number, problem, mistake, compared))


def shrunk(planner: Planner, find: Find, seconds: float = _SECONDS_TO_SHRINK) -> Find:
    """The same law broken by a problem that no step makes smaller, or as far as time allows."""
    until = time.monotonic() + seconds
    progress = True
    while progress:
        progress = False
        for problem in smaller(find.problem):
            if time.monotonic() >= until:
                return find
            if not is_fair(problem):
                continue
            mistake, order = _same(planner, find, problem)
            if mistake:
                find = dataclasses.replace(find, problem=problem, mistake=mistake, order=order)
                progress = True
                break
    return find


def _same(planner: Planner, find: Find, problem: Problem) -> tuple[Mistake | None, tuple[int, ...]]:
    """The mistake of the find's law in a smaller problem, if it has one."""
    if find.kind == "order":
        order = tuple(reversed(range(len(problem.storages))))
        found = planner.mistake(problem, order)
        return (found[0], order) if found and found[0].law == "order" else (None, ())
    answer = planner.answer(problem)
    wrong = _wrong(problem, answer)
    if find.kind == "repeat" and wrong is None:
        again = (planner.answer(problem) for _ in range(_TRIES_OF_REPEAT))
        return (_repeated() if any(x != answer for x in again) else None), ()
    return (wrong if wrong and kind_of(wrong) == find.kind else None), ()

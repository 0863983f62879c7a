"""Assertions about programs, for tests. A failing one shows the explanation, not a dict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pteproof import _verbs
from pteproof.errors import UnsafePlanError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pteproof._words import Manifest, Policy, Program
    from pteproof.reports import Comparison, Report


def assert_plan_safe(
    program: Program,
    *,
    policy: Policy | None = None,
    manifest: Manifest = None,
    **options: Any,
) -> Report:
    """Fails unless the program's plan is safe under the loader's policy, or under all of them.

    options: other arguments of `pteproof.check`. Of what `pteproof.executorch.to_executorch`
    returned, its own report counts, which knows the lines of the model, unless other facts or
    options are named.

    >>> import pteproof.testing
    >>> pteproof.testing.assert_plan_safe("corpus/public/add_model.pte").verdict
    'safe'
    """
    __tracebackhide__ = True
    report = report_of(program, policy=policy, manifest=manifest, **options)
    return demand_safe(report, policy)


def report_of(
    program: Program,
    *,
    policy: Policy | None = None,
    manifest: Manifest = None,
    **options: Any,
) -> Report:
    """Returns the report of a program, that of its export if there is one."""
    made: Report | None = getattr(program, "report", None)
    if made is not None and manifest is None and not options:
        return made
    return _verbs.check(program, policy=policy, manifest=manifest, **options)


def demand_safe(report: Report, policy: str | None = None) -> Report:
    """Fails unless the report says that the plan is safe."""
    __tracebackhide__ = True
    try:
        return report.raise_if_unsafe(policy, strict=True)
    except UnsafePlanError as error:
        raise AssertionError(f"{report.file}: {error}") from None


def assert_same(old: Program, new: Program, **options: Any) -> Comparison:
    """Fails unless both programs compute the same, are called the same way, and no finding is new.

    options: other arguments of `pteproof.compare`; `fail_on` names other parts.

    >>> import pteproof.testing
    >>> path = "corpus/public/add_model.pte"
    >>> pteproof.testing.assert_same(path, path).computation.answer
    'same'
    """
    __tracebackhide__ = True
    comparison = _verbs.compare(old, new, **options)
    open_ = comparison.computation.answer == "cannot be compared"
    if comparison.failed or open_ or comparison.computation.answer == "differs":
        raise AssertionError(comparison.text)
    return comparison


def assert_memory(program: Program, method: str, bank: int, *, at_most: int) -> int:
    """Fails unless the method's bank has at most so many bytes, and returns how many it has.

    >>> import pteproof.testing
    >>> pteproof.testing.assert_memory("corpus/public/add_model.pte", "forward", 1, at_most=64)
    32
    """
    __tracebackhide__ = True
    banks = [each for each in _verbs.check(program).banks if each.method == method]
    found = [each for each in banks if each.bank == bank]
    if not found:
        known = ", ".join(str(each.bank) for each in banks) or "none"
        raise AssertionError(f"method '{method}' has no bank {bank}; its banks: {known}")
    [use] = found
    if use.size > at_most:
        raise AssertionError(
            f"bank {bank} of '{method}' has {use.size} bytes, more than {at_most}: "
            f"{use.load} are live at most, {use.waste} are waste"
        )
    return use.size


def planner_laws(
    planner: Callable[..., Any] | str,
    *,
    cases: int = 10_000,
    seed: int = 0,
    storages: int = 20,
    without: Iterable[str] = (),
    order_independent: bool = False,
    seconds: float = 10.0,
) -> Callable[[], None]:
    """Returns a test that asks a planner for layouts of random problems, and validates them.

    planner: a callable with the interface of ExecuTorch's `memory_planning_algo`, or a command
      like "my_planner {in} {out}" that reads and writes the table of `pteproof place`.
    storages: the most of a problem.
    without: what is not drawn, of alignment, banks, parts, taken, padding, fixed, lives.
    order_independent: whether the planner promises the same layout in each order of the storages.
    seconds: for an answer.

    >>> import pteproof.testing
    >>> def every_storage_at_zero(alignment, specs, graph_module, graph_signature, padding):
    ...     for spec in specs:
    ...         spec.mem_id, spec.mem_offset = spec.mem_id or 1, 0
    ...     return [0, 1 << 40, 1 << 40, 1 << 40]
    >>> pteproof.testing.planner_laws(every_storage_at_zero, without=["parts", "taken"])()
    Traceback (most recent call last):
        ...
    AssertionError: overlap: storages 0 and 1 share bytes [0, 1), and both live at point 0
    ...
    """
    from pteproof.hunt.planners import laws, reproduce

    options = laws.Options(seed, storages, frozenset(without), order_independent, seconds)

    def test() -> None:
        __tracebackhide__ = True
        asked = laws.Planner(planner, options)
        outcome = laws.hunt(asked, range(cases), stop_at_first=True)
        for find in outcome.finds.values():
            script, _ = reproduce.script_of(asked, find)
            raise AssertionError(reproduce.text_of(find, seed, script))

    return test

"""The pytest plugin `pteproof`: a fixture that checks programs, and a page of what was checked.

`--pteproof-policy POLICY` is the loader in use, `--pteproof-html FILE` the page.
"""

from __future__ import annotations

import html
import pathlib
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from pteproof.reports import Report

_CHECKED = pytest.StashKey[list[tuple[str, "Report"]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("pteproof", "memory plans of ExecuTorch programs")
    group.addoption(
        "--pteproof-policy",
        choices=("private", "share-1-2", "share-all"),
        help="which banks the loader in use shares (default: all three must be safe)",
    )
    group.addoption(
        "--pteproof-html", metavar="FILE", help="write a page with all programs that were checked"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Makes the list of what is checked."""
    config.stash[_CHECKED] = []


@pytest.fixture
def pteproof_check(request: pytest.FixtureRequest) -> Callable[..., Report]:
    """Checks a program as `pteproof.testing.assert_plan_safe` does, and keeps it for the page."""
    from pteproof import testing

    def check(program: Any, **options: Any) -> Report:
        __tracebackhide__ = True
        options.setdefault("policy", request.config.getoption("--pteproof-policy"))
        report = testing.report_of(program, **options)
        request.config.stash[_CHECKED].append((request.node.nodeid, report))
        return testing.demand_safe(report, options["policy"])

    return check


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Writes the page."""
    path = session.config.getoption("--pteproof-html")
    if path:
        parts = [
            f"<h2>{html.escape(test)}</h2>\n{report._repr_html_()}\n"
            for test, report in session.config.stash[_CHECKED]
        ]
        text = '<!DOCTYPE html>\n<meta charset="utf-8">\n<title>pteproof</title>\n' + "".join(parts)
        pathlib.Path(path).write_text(text, encoding="utf-8")

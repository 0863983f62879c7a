"""Runs the tests without one part of the harness after the other, and prints which test notices.

What scripts/parts does once all is built; see there.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from put_table import put

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/planted"
PAGE = ROOT / "docs/explanation/evidence/planted.md"
# In this order: those that see most, and soonest, come first.
TESTS = ["properties/properties_tests", "cases/cases_tests", "cli/cli_tests", "planner/planner_tests", "planted/planted_tests"]
# Of the first of them, what most likely notices, asked before the rest.
LIKELY = {"proved ": "CorpusProofs.*:ModuleProofs.*", "generated: ": "DefaultDistribution.*:DrawCase.*:HealthProblems.*"}
# Kinds of name and features are where they are asked for.
KINDS = {
    "recovered name": ("meaning/aliases.cc", r'"([a-z-]+)"', "kRecoveredName"),
    "generated": ("properties/generators/draw.cc", r'\{"([a-z-]+)", \d+\}', ""),
}


def rules(folder: str) -> list[str]:
    """Names of the rules that files of a folder tell of."""
    sources = "".join(path.read_text() for path in (ROOT / folder).rglob("*.cc"))
    named = re.findall(r'std::string_view (k\w+) = "([a-z-]+)"', (ROOT / "base/rule_names.h").read_text())
    return [name for constant, name in named if f"rule::{constant}" in sources]


def parts() -> list[str]:
    found = [f"rule: {name}" for name in rules("properties/rules")]
    found += [f"checked rule: {name}" for name in rules("properties/checks")]
    found += [f"proved rule: {name}" for name in rules("properties/proofs/rules")]
    for kind, (file, pattern, mark) in KINDS.items():
        lines = [line for line in (ROOT / file).read_text().splitlines() if mark in line]
        found += [f"{kind}: {name}" for line in lines for name in re.findall(pattern, line)]
    return list(dict.fromkeys(found))


def binary(test: str) -> Path:
    plain = BUILD / "tests" / test.partition("/")[2]
    return plain if plain.exists() else BUILD / "tests" / test


def first_failure(part: str) -> str:
    """The first test that fails without the part; empty: none does."""
    environment = dict(os.environ, PTEPROOF_WITHOUT=part)
    likely = [(TESTS[0], only) for kind, only in LIKELY.items() if part.startswith(kind)]
    for test, only in likely + [(test, "*") for test in TESTS]:
        ran = subprocess.run(
            [binary(test), "--gtest_fail_fast", "--gtest_brief=1", f"--gtest_filter={only}"], env=environment,
            capture_output=True, text=True, errors="replace", cwd=ROOT)
        failed = re.search(r"\[  FAILED  \] (\S+?)[,\s]", ran.stdout)
        if failed:
            return failed[1]
        if ran.returncode != 0:
            return f"{binary(test).name} ended with {ran.returncode}"
    return ""


def table(noticed: dict[str, str]) -> str:
    lines = ["| part | noticed by |", "|---|---|"]
    lines += [f"| {part} | {f'`{test}`' if test else 'no test'} |" for part, test in noticed.items()]
    seen = sum(bool(test) for test in noticed.values())
    return "\n".join(lines) + f"\n\n{seen} of {len(noticed)} missing parts are noticed.\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="parts")
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    if failed := first_failure(""):
        print(f"parts: {failed} fails with all parts in place", file=sys.stderr)
        sys.exit(70)
    noticed = {}
    chosen = [part for part in parts() if asked.only in part]
    for number, part in enumerate(chosen, 1):
        began = time.monotonic()
        noticed[part] = first_failure(part)
        took = time.monotonic() - began
        print(f"parts: {number} of {len(chosen)}: {part}: {noticed[part] or 'NOT NOTICED'}, {took:.0f} s", file=sys.stderr,
              flush=True)
    print(table(noticed), end="")
    if asked.write:
        put(PAGE, "parts", table(noticed))
    sys.exit(0 if all(noticed.values()) else 1)


if __name__ == "__main__":
    main()

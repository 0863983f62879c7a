"""Prints `N passed, N failed` over the files named as arguments, in JUnit's format as CTest writes it.

Exits 1 when something failed. A test that could not run has failed; one that skipped itself counts as neither.
"""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def outcome(case: ElementTree.Element) -> str:
    """One of passed, failed, skipped."""
    if case.get("status") == "run" and case.find("failure") is None:
        return "passed"
    skipped = case.find("skipped")
    reason = "" if skipped is None else skipped.get("message", "")
    if case.get("status") == "disabled" or reason.startswith("SKIP_"):
        return "skipped"
    return "failed"


def main(paths: list[str]) -> int:
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for path in map(Path, paths):
        cases = list(ElementTree.parse(path).getroot().iter("testcase")) if path.exists() else []
        if not cases:
            print(f"{path}: no results")
            count["failed"] += 1
        for case in cases:
            count[outcome(case)] += 1
            if outcome(case) != "passed":
                print(f"{path}: {outcome(case)}: {case.get('name')}")
    print(f"{count['passed']} passed, {count['failed']} failed")
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

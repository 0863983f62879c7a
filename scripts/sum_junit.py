"""Prints the slowest tests, then `N passed, N failed`, over the files named as arguments, in JUnit's format as CTest writes it.

Exits 1 when something failed. A test that could not run has failed; one that skipped itself counts as neither. A part
of a test program (`NAME.partN`) counts as the tests that it lists in parts/NAME.partN.xml, as GoogleTest writes them
when it ends; a part that did not come so far has failed. A test of suite.xml that takes more than a second says why, by
the label or the property `slow`; those that do not are listed.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SLOWEST = 20
LONG = 1.0  # seconds


def cases_of(path: Path) -> list[ElementTree.Element]:
    """The test cases of a file and of its parts."""
    if not path.exists():
        return []
    cases = []
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        part = path.parent / "parts" / f"{case.get('name')}.xml"
        is_part = re.search(r"\.part\d+$", case.get("name", "")) is not None
        if is_part and part.exists():
            listed = list(ElementTree.parse(part).getroot().iter("testcase"))
            cases += listed
            # It ended badly, and none of its tests has failed.
            if outcome(case) == "passed" or any(outcome(each) == "failed" for each in listed):
                continue
        cases.append(case)
    return cases


def name_of(case: ElementTree.Element) -> str:
    """As CTest has it: a test of GoogleTest is in a suite."""
    suite, name = case.get("classname"), case.get("name", "")
    return name if suite in (None, name) else f"{suite}.{name}"


def outcome(case: ElementTree.Element) -> str:
    """One of passed, failed, skipped."""
    if case.get("status") == "notrun" or case.get("result") in ("skipped", "suppressed"):
        return "skipped"
    if case.get("status") == "run" and case.find("failure") is None:
        return "passed"
    skipped = case.find("skipped")
    reason = "" if skipped is None else skipped.get("message", "")
    if case.get("status") == "disabled" or reason.startswith("SKIP_"):
        return "skipped"
    return "failed"


def seconds(case: ElementTree.Element) -> float:
    return float(case.get("time", 0))


def is_slow(case: ElementTree.Element) -> bool:
    """By its own words."""
    if case.get("slow"):
        return True
    return any(p.get("name") == "slow" or (p.get("name") == "cmake_labels" and "slow" in p.get("value", "").split(";"))
               for p in case.iter("property"))


def print_times(cases: list[ElementTree.Element]) -> None:
    whole = sum(map(seconds, cases)) or 1.0
    slowest = sorted(cases, key=seconds, reverse=True)[:SLOWEST]
    print(f"the {len(slowest)} slowest tests, {100 * sum(map(seconds, slowest)) / whole:.0f} % of {whole:.0f} s:")
    for case in slowest:
        print(f"{seconds(case):8.1f} s {100 * seconds(case) / whole:3.0f} %  {name_of(case)}")


def print_long(cases: list[ElementTree.Element]) -> None:
    for case in cases:
        if seconds(case) > LONG and not is_slow(case):
            print(f"longer than a second without a reason: {name_of(case)}")


def main(paths: list[str]) -> int:
    count = {"passed": 0, "failed": 0, "skipped": 0}
    everything, of_suite = [], []
    for path in map(Path, paths):
        cases = cases_of(path)
        everything += cases
        if path.stem == "suite":
            of_suite += cases
        if not cases:
            print(f"{path}: no results")
            count["failed"] += 1
        for case in cases:
            count[outcome(case)] += 1
            if outcome(case) != "passed":
                print(f"{path}: {outcome(case)}: {name_of(case)}")
    if everything:
        print_times(everything)
    print_long(of_suite)
    print(f"{count['passed']} passed, {count['failed']} failed")
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Compares two golden dumps (scripts/golden): a line for each difference, those of one cause together.

A cause is what differs without what is a program's own: names, indices and bytes. So one cause has many programs.
"""

import collections
import re
import sys
from pathlib import Path

COLUMNS = ("check", "findings", "proof")


def dump(path: str) -> dict[str, list[str]]:
    """The columns of each subject."""
    rows = (line.split("\t") for line in Path(path).read_text(errors="replace").splitlines())
    return {row[0]: [*row[1:], "", "", ""][:3] for row in rows}


def findings(column: str) -> collections.Counter:
    return collections.Counter(filter(None, column.split("; ")))


def general(finding: str) -> str:
    """Severity, rule and policies: of "error plan-overlap all 'decode' i5 v3,4 bank 1 [0,64)" the first three words."""
    return re.sub(r" '.*", "", finding)


def differences(old: list[str], new: list[str]) -> tuple[list[str], str]:
    """What differs in general, and in words for this subject."""
    causes, words = [], []
    for name, before, after in zip(COLUMNS, old, new, strict=True):
        if before == after:
            continue
        if name != "findings":
            causes.append(f"{name}: {before} -> {after}" if name == "check" else verdicts(before, after))
            words.append(f"{name} {before} -> {after}")
            continue
        gone, come = findings(before) - findings(after), findings(after) - findings(before)
        causes += sorted({f"- {general(f)}" for f in gone} | {f"+ {general(f)}" for f in come})
        words += [f"- {f}" for f in gone] + [f"+ {f}" for f in come]
    return causes, "; ".join(words)


def verdicts(before: str, after: str) -> str:
    """The proof's verdicts; the numbers of obligations behind "of" differ from program to program."""
    old, new = (text.partition(" of ")[0] for text in (before, after))
    return f"proof: {old} -> {new}" if old != new else "proof: other numbers of obligations"


def main() -> int:
    old, new = dump(sys.argv[1]), dump(sys.argv[2])
    by_cause: dict[tuple[str, ...], list[str]] = collections.defaultdict(list)
    for subject in old.keys() | new.keys():
        if subject not in new or subject not in old:
            by_cause["only in the old dump" if subject in old else "only in the new dump",].append(subject)
        elif old[subject] != new[subject]:
            causes, words = differences(old[subject], new[subject])
            by_cause[tuple(causes)].append(f"{subject}: {words}")
    for cause, subjects in sorted(by_cause.items(), key=lambda each: -len(each[1])):
        print(f"{len(subjects)} x {', '.join(cause)}")
        for subject in sorted(subjects):
            print(f"  {subject}")
    total = sum(map(len, by_cause.values()))
    print(f"{total} of {len(old.keys() | new.keys())} differ, by {len(by_cause)} causes")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())

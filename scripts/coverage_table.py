"""Prints what the tests reach of the reader and of the checks, from llvm-cov's exports in the folder named first.

Writes the same table to the JSON file named second. Exits 1 when an area is below its bar.
"""

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

# What makes bytes into a Program, a DataFile or a Bundle; and what judges a Program.
AREAS = {
    "reader": (
        "runtime/reader/", "runtime/read_", "runtime/verify_flatbuffer.h", "runtime/data_container.", "runtime/data_rules.h",
        "runtime/dense_layout.", "runtime/file_kind.", "runtime/finding_list.h", "runtime/aligned_bytes.h",
        "runtime/decode_budget.h", "runtime/check_bundle.cc", "runtime/bind_external."),
    "checks": ("meaning/", "properties/rules/", "properties/checks/", "properties/check.cc", "properties/check.h"),
}
BARS = {"lines": 95.0, "branches": 90.0}  # percent of each area


class Branch(NamedTuple):
    """One outcome of one condition."""

    line: int
    first: int  # column of the condition's first character, from 1
    last_line: int
    end: int  # the column after its last one
    outcome: bool


def area_of(path: str) -> str | None:
    return next((area for area, starts in AREAS.items() if path.startswith(starts)), None)


def read_lines(export: Path, root: Path) -> dict[str, dict[int, int]]:
    """Per file of an area: how often each line was run."""
    lines: dict[str, dict[int, int]] = {}
    path = ""
    for row in export.read_text().splitlines():
        kind, _, rest = row.partition(":")
        if kind == "SF":
            path = str(Path(rest).relative_to(root)) if Path(rest).is_relative_to(root) else ""
        elif kind == "DA" and area_of(path):
            line, count = (int(number) for number in rest.split(",")[:2])
            lines.setdefault(path, {})[line] = count
    return lines


def read_branches(export: Path, root: Path) -> dict[str, Counter[Branch]]:
    """Per file of an area: how often each branch was taken, over all instantiations of a template."""
    branches: dict[str, Counter[Branch]] = defaultdict(Counter)
    for file in json.loads(export.read_text())["data"][0]["files"]:
        path = Path(file["filename"])
        if not path.is_relative_to(root) or not area_of(str(path.relative_to(root))):
            continue
        for line, first, last_line, end, taken, untaken, *_ in file["branches"]:
            known = branches[str(path.relative_to(root))]
            known[Branch(line, first, last_line, end, True)] += taken
            known[Branch(line, first, last_line, end, False)] += untaken
    return branches


def row_of(counts: dict) -> dict[str, float]:
    reached = sum(1 for count in counts.values() if count > 0)
    percent = 100 * reached / len(counts) if counts else 100.0
    return {"all": len(counts), "reached": reached, "percent": round(percent, 2)}


def show(name: str, row: dict[str, dict[str, float]]) -> str:
    cells = (f"{row[what]['reached']:>6} of {row[what]['all']:>5} {row[what]['percent']:>7.2f} %" for what in BARS)
    return f"{name:<42}" + "".join(cells)


def condition(source: list[str], branch: Branch) -> str:
    """The condition's text, on one line."""
    if branch.line == branch.last_line:
        return source[branch.line - 1][branch.first - 1:branch.end - 1]
    parts = [source[branch.line - 1][branch.first - 1:], *source[branch.line:branch.last_line - 1]]
    parts.append(source[branch.last_line - 1][:branch.end - 1])
    return " ".join(part.strip() for part in parts)


def missed(path: str, lines: dict[int, int], branches: Counter[Branch]) -> list[dict]:
    source = Path(path).read_text().splitlines()
    found = [{"file": path, "line": line, "source": source[line - 1].strip()} for line, count in lines.items() if count == 0]
    dead = {entry["line"] for entry in found}
    for branch, count in sorted(branches.items()):
        if count == 0 and branch.line not in dead:
            found.append({"file": path, "line": branch.line, "source": source[branch.line - 1].strip(),
                          "condition": condition(source, branch), "never": branch.outcome})
    return sorted(found, key=lambda entry: entry["line"])


def describe(entry: dict) -> str:
    place = f"{entry['file']}:{entry['line']}: "
    if "condition" not in entry:
        return f"{place}never run: {entry['source']}"
    return f"{place}never {str(entry['never']).lower()}: {entry['condition']}"


def main(folder: Path, out: Path, list_missed: bool) -> int:
    root = Path.cwd()
    lines = read_lines(folder / "lines.lcov", root)
    branches = read_branches(folder / "branches.json", root)
    report: dict[str, dict] = {}
    below = False
    for area in AREAS:
        files = {path: {"lines": row_of(lines[path]), "branches": row_of(branches[path])}
                 for path in sorted(lines) if area_of(path) == area}
        total = {what: row_of({(path, key): count for path in files for key, count in counts[path].items()})
                 for what, counts in (("lines", lines), ("branches", branches))}
        left = [entry for path in files for entry in missed(path, lines[path], branches[path])]
        report[area] = {"total": total, "bar": BARS, "files": files, "missed": left}
        print(f"{area:<42}{'lines':>23}{'branches':>23}")
        for path, row in files.items():
            print(show(path, row))
        print(show("total", total) + "\n")
        for what, bar in BARS.items():
            if total[what]["percent"] < bar:
                print(f"coverage: {area}: {total[what]['percent']} % of {what}, the bar is {bar} %", file=sys.stderr)
                below = True
    if list_missed:
        print("\n".join(describe(entry) for area in report.values() for entry in area["missed"]))
    out.write_text(json.dumps(report, indent=1) + "\n")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), "--missed" in sys.argv[3:]))

"""Puts each real mistake of a folder of exported programs beside the planted defects of its class.

Each case is a folder with a program, its manifest and recorded calls; INDEX.md says which entry of the catalogue of
planner bugs it shows. Asked are the check and the proof (with the manifest), the tagged run of the recorded calls, and
the planned run compared with what PyTorch gave; what ExecuTorch's runtime gave is recorded.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

from put_table import put

COMMAND = "build/release/pteproof"
PAGE = Path("docs/explanation/evidence/planted.md")
# Cases that the index calls new: the entries that they became.
NEWER = {
    "in-place-result-freed": 70, "in-place-result-freed-state": 70, "in-place-output": 71, "in-place-state": 71,
    "in-place-output-annotated": 71, "in-place-state-annotated": 71, "in-place-then-store": 72,
    "in-place-on-constant": 73, "in-place-on-input": 73, "old-input-returned": 74, "pass-missing": 75,
    "pass-per-method": 75, "pass-part": 75, "in-place-flip": 76, "cond-scan": 77, "cond-map": 77,
}
# Entries without a defect of their own, and the nearest one (docs/explanation/evidence/planted.md says why).
NEAREST = {
    34: "alias-under-result", 36: "small-alignment-refused", 72: "view-of-stored-buffer", 74: "entry-output-not-copied",
}


def cases(folder: Path) -> list[tuple[str, int, str]]:
    """Name, entry of the catalogue, and what ExecuTorch did that was wrong."""
    found = []
    for line in (folder / "INDEX.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) < 8 or not (folder / cells[0]).is_dir():
            continue
        number = re.match(r"\d+", cells[1])
        entry = NEWER.get(cells[0]) or (int(number.group()) if number else 0)
        found.append((cells[0], entry, cells[7]))
    return found


def runs(*arguments: str) -> int:
    return subprocess.run([COMMAND, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode


def defects_by_entry(page: Path) -> dict[int, list[str]]:
    by_entry: dict[int, list[str]] = {}
    for name, entry in re.findall(r"^\| ([a-z-]+) \| (\d+) \| I\d+ \|", page.read_text(), re.MULTILINE):
        by_entry.setdefault(int(entry), []).append(name)
    return by_entry


def ways(folder: Path, name: str, recorded: str) -> list[str]:
    program = str(folder / name / f"{name}.pte")
    seen = []
    # Under the loader with which the mistake showed: another one may be wrong for the file altogether.
    loader = re.search(r"\((private|share-1-2|share-all)\)$", recorded)
    policy = ["--policy", loader[1]] if loader else []
    code = runs("check", *policy, program)
    if code in (1, 2):
        seen.append("file" if code == 2 else "check")
    if code != 2:
        if runs("prove", *policy, program) == 1:
            seen.append("proof")
    shows = not recorded.startswith("none")
    if code != 2 and shows:
        if runs("run", "--mode", "tagged", program) == 1:
            seen.append("tagged")
        if runs("run", "--compare", "eager", "--state-initial", "each-load", program) == 1:
            seen.append("run")
    if shows:
        seen.append("ExecuTorch")
    return seen


def table(folder: Path, page: Path) -> str:
    planted = defects_by_entry(page)
    lines = ["| real mistake | entry | seen by | planted defects of its class |", "|---|---|---|---|"]
    for name, entry, recorded in cases(folder):
        seen = ", ".join(ways(folder, name, recorded)) or "-"
        classmates = planted.get(entry) or [NEAREST.get(entry, "-")]
        lines.append(f"| {name} | {entry or 'none'} | {seen} | {', '.join(classmates)} |")
        print(f"real cases: {name}: {seen}", file=sys.stderr, flush=True)
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/real_cases.py")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    made = table(options.folder, PAGE)
    print(made)
    if options.write:
        put(PAGE, "real mistakes", made)
    return 0


if __name__ == "__main__":
    sys.exit(main())

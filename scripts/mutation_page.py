"""The tables and lists of docs/explanation/evidence/mutation.md, from judged changes and known reasons.

scripts/mutation_reasons.tsv names survivors that no test could notice: the file, a part of the line's text, what was
changed, and why nothing can show it. With a `=` in front, the part is the whole line; `#2` after
the change is the second of equal ones on equal lines.
"""

import csv
import sys
from collections import Counter

from mutation_tree import ROOT, Numbered

PAGE = ROOT / "docs/explanation/evidence/mutation.md"
REASONS = ROOT / "scripts/mutation_reasons.tsv"
BEGIN, END = "<!-- mutants: begin -->\n", "<!-- mutants: end -->\n"


def percent(part: int, whole: int) -> str:
    return f"{int(1000 * part / whole) / 10:.1f} %" if whole else "-"  # rounded down


def is_line(piece: str, text: str) -> bool:
    return text == piece[1:] if piece.startswith("=") else piece in text


def is_change(change: str, mutant: Numbered) -> bool:
    return change in (mutant.change, f"{mutant.change} #{mutant.key.rpartition('|')[2]}")


class Page:
    def __init__(self, mutants: list[Numbered], of: int, report: dict) -> None:
        self.mutants = mutants
        self.of = of
        self.verdict = {m.key: report[m.key]["verdict"] for m in mutants}
        self.reason: dict[str, str] = {}
        with REASONS.open(newline="") as file:
            rows = [row for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row]
        for where, piece, change, why in rows[1:]:
            meant = [m for m in mutants if m.file == where and is_line(piece, m.text) and is_change(change, m)]
            self.reason |= {m.key: why for m in meant}
            for m in meant:
                if self.verdict[m.key] == "killed":
                    print(f"mutation: a test notices what {REASONS.name} explains: {where}: {change}", file=sys.stderr)

    def state(self, mutant: Numbered) -> str:
        verdict = self.verdict[mutant.key]
        return "explained" if verdict != "killed" and mutant.key in self.reason else verdict

    def score(self) -> float:
        """Percent that tests notice, of all that were judged."""
        return 100 * sum(v == "killed" for v in self.verdict.values()) / max(1, len(self.mutants))

    def row(self, name: str, mutants: list[Numbered]) -> str:
        states = Counter(self.state(m) for m in mutants)
        judged = len(mutants)
        killed, explained = states["killed"], states["explained"]
        return (f"| {name} | {judged} | {killed} | {judged - killed - explained} | {explained} | {percent(killed, judged)} "
                f"| {percent(killed, judged - explained)} |")

    def text(self) -> str:
        files = sorted({m.file for m in self.mutants})
        whole = "all" if len(self.mutants) == self.of else f"{len(self.mutants):,} of {self.of:,}"
        lines = [
            f"Judged: {whole} changes.", "",
            "| file | changes | noticed | not noticed | explained | score | score without the explained |",
            "|---|---|---|---|---|---|---|"]
        lines += [self.row(f"`{file}`", [m for m in self.mutants if m.file == file]) for file in files]
        areas = sorted({file.rpartition("/")[0] for file in files})
        lines += [self.row(f"**{area}**", [m for m in self.mutants if m.file.startswith(area)]) for area in areas]
        lines += [self.row("**all**", self.mutants), "", "### Not noticed", ""]
        lines += self.listed([m for m in self.mutants if self.state(m) in {"survived", "not reached"}], False)
        lines += ["", "### Explained", ""]
        lines += self.listed([m for m in self.mutants if self.state(m) == "explained"], True)
        return "\n".join(lines) + "\n"

    def listed(self, mutants: list[Numbered], explained: bool) -> list[str]:
        if not mutants:
            return ["None."]
        last = "why nothing can show it" if explained else "reached by a test"
        lines = [f"| where | change | {last} |", "|---|---|---|"]
        for m in mutants:
            cell = self.reason[m.key] if explained else "no" if self.verdict[m.key] == "not reached" else "yes"
            change = m.change.replace("|", "\\|")
            lines.append(f"| `{m.file.removeprefix('properties/').removeprefix('runtime/')}` {m.line} | {change} | {cell} |")
        return lines

    def write(self) -> None:
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(before + BEGIN + self.text() + END + rest.split(END)[1])

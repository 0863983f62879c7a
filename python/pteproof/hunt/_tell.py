"""A find as a folder: the script, the file and its manifest, the picture, the explanation."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from pteproof import _verbs
from pteproof._words import file_text
from pteproof.errors import PteproofError
from pteproof.hunt._request import POLICIES
from pteproof.hunt._script import script

if TYPE_CHECKING:
    import pathlib

    from pteproof.hunt._shrink import Shrunk


def tell(shrunk: Shrunk, signed: dict[str, str], folder: pathlib.Path) -> None:
    """Writes a find's folder. signed: what names the find in find.json."""
    folder.mkdir(parents=True, exist_ok=True)
    program, judged = shrunk.program, shrunk.judged
    source = script(program, judged)
    (folder / "show.py").write_text(source, encoding="utf-8")
    told = {
        **signed,
        "row": judged.row,
        "rule": judged.why,
        "loader": judged.loader,
        "verdicts": judged.verdicts,
        "options": program.options.drawn(),
        "lines": source.count("\n"),
        "tried": shrunk.tried,
        "run": judged.ran.text if judged.ran else "",
        "notes": judged.notes,
    }
    (folder / "find.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    made = judged.exported
    text = f"{judged.row}: {judged.why}\n"
    if made is not None and judged.loader:
        policy, load = POLICIES[judged.loader]
        facts = made.facts(policy, load)
        (folder / "program.pte").write_bytes(made.buffer)
        (folder / "program.manifest.json").write_text(file_text(facts), encoding="utf-8")
        text += "\n" + explanation(made.made, policy, load, facts)
        _draw(folder, made.made, policy, load, facts, judged)
    if judged.ran is not None and judged.ran.text:
        text += f"\nExecuTorch against PyTorch, call {judged.ran.call}: {judged.ran.text}\n"
    (folder / "explanation.txt").write_text(text + judged.notes, encoding="utf-8")


def explanation(program: Any, policy: Any, load: Any, facts: dict[str, Any]) -> str:
    """What the check says of a file."""
    try:
        return _verbs.check(program, policy=policy, load=load, manifest=facts).text
    except PteproofError as error:  # malformed
        return f"{error}\n"


def _draw(
    folder: pathlib.Path, program: Any, policy: Any, load: Any, facts: Any, judged: Any
) -> None:
    finding = judged.finding
    if finding is None or finding.bank is None:
        return
    try:
        picture = _verbs.map(program, policy=policy, load=load, manifest=facts)
    except PteproofError:
        return
    (folder / "picture.svg").write_text(picture, encoding="utf-8")


def folder_name(program: str, signature: str) -> str:
    """A name that can be read: the program, the row and the rule."""
    words = re.sub(r"[^a-z0-9]+", "-", " ".join(signature.lower().split(" | ")[:2])).strip("-")
    return f"{program.replace(':', '-')}-{words[:48].strip('-')}"

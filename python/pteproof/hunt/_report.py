"""What a hunt found, as text, JSON and JUnit; of one folder, or of several that are merged."""

from __future__ import annotations

import collections
import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from pteproof.hunt._journal import classes, rows_in

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Sequence


def summary(folders: Sequence[pathlib.Path]) -> dict[str, Any]:
    """Counts of rows, options and operators, and the finds, each class once."""
    rows: dict[tuple[str, str | None], dict[str, Any]] = {}  # by program and version
    for folder in folders:
        for row in rows_in(folder):
            rows.setdefault((row["program"], row.get("version")), row)
    counts: dict[str, collections.Counter[str]] = {
        name: collections.Counter()
        for name in ("row", "options", "operators", "otherwise", "loaders")
    }
    signatures: collections.Counter[str] = collections.Counter()
    for row in rows.values():
        counts["row"][row["row"]] += 1
        counts["options"].update(row.get("options", ()))
        counts["operators"].update(row.get("operators", ()))
        counts["otherwise"].update(row.get("otherwise", ()))
        counts["loaders"].update(list(row.get("verdicts", {})))
        if row.get("signature"):
            signatures[row["signature"]] += 1
    seconds = sum(row.get("seconds", 0.0) for row in rows.values())
    return {
        "programs": len(rows),
        "seconds": round(seconds, 1),
        "left_out": sum(row.get("left_out", 0) for row in rows.values()),
        "versions": sorted({row["version"] for row in rows.values() if "version" in row}),
        "rows": dict(counts["row"].most_common()),
        "finds": _finds(folders),
        "signatures": dict(signatures.most_common()),
        "refusals": _refusals(rows.values()),
        "options": dict(counts["options"].most_common()),
        "operators": dict(counts["operators"].most_common()),
        "put_otherwise": dict(counts["otherwise"].most_common()),
        "loaders": dict(counts["loaders"].most_common()),
    }


def _refusals(rows: Any) -> dict[str, int]:
    words = (row["why"][:100] for row in rows if row["row"] == "export refuses")
    return dict(collections.Counter(words).most_common(20))


def _finds(folders: Sequence[pathlib.Path]) -> list[dict[str, Any]]:
    found = []
    for signature, same in classes(folders).items():
        path, told = same[0]
        programs = [each["program"] for _, each in same]
        about = {key: told[key] for key in ("row", "rule", "loader", "options", "lines")}
        found.append({"signature": signature, "programs": programs, "folder": str(path), **about})
    return found


def text_of(found: dict[str, Any]) -> str:
    """The report for people."""
    lines = [f"{found['programs']} programs in {found['seconds']} s of work"]
    lines += [f"  {count:6}  {row}" for row, count in found["rows"].items()]
    if found["left_out"]:
        lines.append(f"{found['left_out']} calls depend on rounding and were left out")
    lines.append(f"{len(found['finds'])} kinds of finds after shrinking")
    for find in found["finds"]:
        lines.append(f"  {find['signature']}")
        lines.append(f"    {', '.join(find['programs'])}: {find['folder']} ({find['lines']} lines)")
    ran = ", ".join(f"{name} ({count} programs)" for name, count in found["loaders"].items())
    lines.append(f"loaders that ran: {ran or 'none'}")
    return "\n".join(lines) + "\n"


def junit_of(found: dict[str, Any]) -> str:
    """The finds as failures."""
    count = len(found["finds"])
    attributes = {"name": "pteproof hunt", "tests": str(max(count, 1)), "failures": str(count)}
    suite = ElementTree.Element("testsuite", attributes)
    for find in found["finds"]:
        case = ElementTree.SubElement(suite, "testcase", {"name": find["signature"]})
        failure = ElementTree.SubElement(
            case, "failure", {"message": f"{find['row']}: {find['rule']}"}
        )
        failure.text = f"programs {', '.join(find['programs'])}; script {find['folder']}/show.py"
    if not found["finds"]:
        ElementTree.SubElement(suite, "testcase", {"name": f"{found['programs']} programs"})
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def json_of(found: dict[str, Any]) -> str:
    """The report as one JSON object."""
    return json.dumps(found) + "\n"

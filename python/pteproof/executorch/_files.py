"""Writes the files that lie beside a program: NAME.manifest.json and NAME.source.json."""

from __future__ import annotations

import hashlib
import pathlib
from typing import TYPE_CHECKING, Any

from pteproof._words import file_text
from pteproof.executorch._manifest import manifest
from pteproof.executorch._source import sources

if TYPE_CHECKING:
    import os

    from pteproof.executorch._manifest import Facts, Programs

_MANIFEST, _SOURCE, _CERTIFICATE = ".manifest.json", ".source.json", ".cert.json"


def write_manifest(
    path: str | os.PathLike[str],
    programs: Programs,
    *,
    policy: str | None = None,
    load: str | None = None,
    lowered: Any = None,
    program: str | os.PathLike[str] | None = None,
) -> None:
    """Writes manifest(programs, ...) to a file, as indented JSON.

    If `lowered` is what to_executorch returned, the lines of the model go to NAME.source.json
    beside NAME.manifest.json, for a program file of its bytes. The manifest then names these bytes,
    or those of the file `program`: for another program it is an error.
    """
    facts = manifest(programs, policy=policy, load=load, lowered=lowered)
    path = pathlib.Path(path)
    if hasattr(lowered, "executorch_program"):
        facts = of_program(facts, lowered.buffer)
        name = path.name.removesuffix(_MANIFEST).removesuffix(".json")
        _write_source(path.with_name(name + _SOURCE), sources(lowered, programs), lowered.buffer)
    elif program is not None:
        facts = of_program(facts, pathlib.Path(program).read_bytes())
    _write(path, facts)


def of_program(facts: Facts, program: bytes) -> Facts:
    """The manifest, as that of a program file with these bytes."""
    stated = {key: value for key, value in facts.items() if key != "program_sha256"}
    sha256 = hashlib.sha256(program).hexdigest()
    return {"pteproof": stated.pop("pteproof"), "program_sha256": sha256, **stated}


def write_beside(
    path: str, facts: Facts | None, lines: Facts, program: bytes, certificate: str | None = None
) -> None:
    """Writes what there is beside the program file of that path: manifest, lines, certificate."""
    if facts is not None:
        _write(pathlib.Path(path).with_suffix(_MANIFEST), of_program(facts, program))
    _write_source(pathlib.Path(path).with_suffix(_SOURCE), lines, program)
    if certificate is not None:
        pathlib.Path(path).with_suffix(_CERTIFICATE).write_text(certificate, encoding="utf-8")


def _write_source(path: pathlib.Path, lines: Facts, program: bytes) -> None:
    _write(path, {**lines, "program_sha256": hashlib.sha256(program).hexdigest()})


def _write(path: pathlib.Path, content: Facts) -> None:
    path.write_text(file_text(content), encoding="utf-8")

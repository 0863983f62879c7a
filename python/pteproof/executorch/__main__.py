"""The command `python -m pteproof.executorch`: what lies beside a program that was exported before.

`manifest` takes programs saved by torch.export.save, `source` an ETRecord.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from typing import TYPE_CHECKING

import torch
from executorch.devtools.etrecord import parse_etrecord

from pteproof.executorch._etrecord import record_sources
from pteproof.executorch._files import write_beside, write_manifest
from pteproof.executorch._manifest import LOADS, POLICIES

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the file that the words ask for."""
    parser = argparse.ArgumentParser(prog="python -m pteproof.executorch")
    verbs = parser.add_subparsers(dest="verb", required=True)
    manifest = verbs.add_parser(
        "manifest",
        help="write a manifest",
        description="Write a pteproof manifest from programs saved by torch.export.save.",
        epilog="example: python -m pteproof.executorch manifest put=put.pt2 get=get.pt2 "
        "-o model.manifest.json",
    )
    manifest.add_argument("methods", nargs="+", metavar="METHOD=FILE.pt2")
    manifest.add_argument("-o", "--output", required=True, metavar="NAME.manifest.json")
    manifest.add_argument(
        "--program", metavar="NAME.pte", help="the program file that the manifest is of"
    )
    manifest.add_argument("--policy", choices=POLICIES, help="the loader in use")
    manifest.add_argument("--load", choices=LOADS, help="when methods are loaded")
    source = verbs.add_parser(
        "source",
        help="write the lines of the model",
        description="Write the lines of the model that a program's instructions come from.",
        epilog="example: python -m pteproof.executorch source model.pte etrecord.bin",
    )
    source.add_argument("program", type=pathlib.Path, metavar="NAME.pte")
    source.add_argument("record", metavar="ETRECORD")
    options = parser.parse_args(arguments)
    if options.verb == "source":
        return _write_source(options.program, options.record, source)
    programs = {}
    for method in options.methods:
        name, equals, path = method.partition("=")
        if not (name and equals and path):
            manifest.error(f"{method!r} is not METHOD=FILE.pt2")
        programs[name] = torch.export.load(path)
    write_manifest(
        options.output,
        programs,
        policy=options.policy,
        load=options.load,
        program=options.program,
    )
    return 0


def _write_source(path: pathlib.Path, record: str, parser: argparse.ArgumentParser) -> int:
    """Writes NAME.source.json beside NAME.pte."""
    program = path.read_bytes()
    try:
        lines = record_sources(parse_etrecord(record), program)
    except ValueError as error:
        parser.error(str(error))
    write_beside(str(path), None, lines, program)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The command `python -m pteproof.executorch manifest`: of programs saved by torch.export.save."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

import torch

from pteproof.executorch._files import write_manifest
from pteproof.executorch._manifest import LOADS, POLICIES

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the manifest that the words ask for."""
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
    manifest.add_argument("--policy", choices=POLICIES, help="the loader in use")
    manifest.add_argument("--load", choices=LOADS, help="when methods are loaded")
    options = parser.parse_args(arguments)
    programs = {}
    for method in options.methods:
        name, equals, path = method.partition("=")
        if not (name and equals and path):
            manifest.error(f"{method!r} is not METHOD=FILE.pt2")
        programs[name] = torch.export.load(path)
    write_manifest(options.output, programs, policy=options.policy, load=options.load)
    return 0


if __name__ == "__main__":
    sys.exit(main())

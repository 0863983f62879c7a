"""The verbs that put programs together and take them apart: `link` and `split`."""

from __future__ import annotations

import json
import os
import pathlib
from typing import TYPE_CHECKING, Literal

from pteproof import reports
from pteproof._call import SAFE
from pteproof._words import Manifest, Path, Policy, Program, Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from typing_extensions import Buffer


def link(
    *programs: Program,
    manifests: Sequence[Manifest] | Literal[False] = (),
    share: Iterable[str] = (),
    rename: Mapping[tuple[int, str], str] | None = None,
    initial: Literal["auto", "file", "method"] | None = None,
    alignment: int | None = None,
    policy: Policy | None = None,
    operators: Iterable[Path] = (),
    data: Iterable[Path | Buffer] = (),
    seed: int | None = None,
    runs: int | None = None,
    certificate: bool = False,
) -> reports.Linked:
    """Makes one program of several that were exported apart, and shows it right.

    manifests: those of the programs, in their order; one that is None, or is left out, lies beside
      its path, or is that of the export. False: use none.
    share: names of buffers that methods share, with * and ?; none: those that the manifests say.
    rename: other names for methods, by the program's position, from 0, and the method's name.
    initial: the place of shared buffers' initial values.
    alignment: of state, in bytes.
    policy: the loader in use.
    seed, runs: of the random calls of each method.
    certificate: the result has what an independent checker needs to confirm the new plan, as the
      text of a file (docs/reference/certificate.md).

    Raises NoPlanError if a plan is unsafe or the programs cannot be one, UndecidedError if the
    files leave that open, and UsageError for names that do not fit.

    >>> import pteproof
    >>> folder = "corpus/link/lm/"
    >>> linked = pteproof.link(folder + "prefill.pte", folder + "decode.pte", share=["layers_*"])
    >>> [buffer["name"] for buffer in linked.shown["shared"]][:2]
    ['layers_0_k', 'layers_0_v']
    >>> pteproof.check(linked.program, manifest=linked.manifest, policy="share-all").verdict
    'safe'
    """
    words = Words("link")
    names = []
    for index, program in enumerate(programs):
        words.program(program, f"<program {index}>")
        names.append(words.words[-1])
        if manifests is not False:
            _lay_beside(words, names[-1], program, _item(manifests, index))
    words.result("--output", "<new>")
    words.results.append("<new>.manifest.json")
    words.flag("no-manifest", manifests is False)
    for pattern in [share] if isinstance(share, str) else share:
        words.option("share", pattern)
    for (index, method), name in (rename or {}).items():
        words.option("rename", f"{names[index]}:{method}={name}")
    words.option("initial", initial)
    words.option("alignment", alignment)
    words.option("policy", policy)
    words.operators(operators)
    words.data(data)
    words.option("seed", seed)
    words.option("runs", runs)
    if certificate:
        words.result("--certificate", "<certificate>")
    words.flag("json", True)
    outcome = words.call()
    if outcome.code != SAFE:
        outcome.fail()
    [shown] = outcome.lines()
    manifest = json.loads(outcome.results["<new>.manifest.json"])
    return reports.Linked(
        outcome.results["<new>"], manifest, shown, outcome.certificate(), outcome.text
    )


def split(
    program: Program,
    methods: Iterable[str],
    *,
    manifest: Manifest = None,
    trust_manifests: bool = False,
    operators: Iterable[Path] = (),
    data: Iterable[Path | Buffer] = (),
    seed: int | None = None,
    runs: int | None = None,
) -> reports.SplitProgram:
    """Takes methods out of a program, with what they use, and shows the new one right.

    methods: their names.
    seed, runs: of the random calls of each method.
    certificate: the result has what an independent checker needs to confirm the new plan, as the
      text of a file (docs/reference/certificate.md).

    Raises NoPlanError if the methods cannot be alone, UndecidedError if the plan is not safe, and
    UsageError for a method that the program does not have.

    >>> import pteproof
    >>> part = pteproof.split("corpus/real/models/put_get/put_get.pte", ["get"])
    >>> [method.method for method in pteproof.inspect(part.program).methods]
    ['get']
    """
    words = Words("split")
    words.program(program)
    words.words += [methods] if isinstance(methods, str) else methods
    words.result("--output", "<new>")
    words.results.append("<new>.manifest.json")
    words.manifest(manifest, trust_manifests)
    words.operators(operators)
    words.data(data)
    words.option("seed", seed)
    words.option("runs", runs)
    outcome = words.call()
    if outcome.code != SAFE:
        outcome.fail()
    made = json.loads(outcome.results["<new>.manifest.json"])
    return reports.SplitProgram(outcome.results["<new>"], made, outcome.output)


def _item(manifests: Sequence[Manifest], index: int) -> Manifest:
    return manifests[index] if index < len(manifests) else None


def _lay_beside(words: Words, name: str, program: Program, manifest: Manifest) -> None:
    """Puts a program's manifest where the command looks for it: beside the program."""
    stated = getattr(program, "facts", None) if manifest is None else manifest
    if stated is None:
        return
    if stated is False:
        raise ValueError("a single manifest is not False: say manifests=False")
    beside = name.removesuffix(pathlib.Path(name).suffix) + ".manifest.json"
    words.files[beside] = _bytes_of(stated)


def _bytes_of(manifest: Path | Mapping[str, object]) -> bytes:
    if isinstance(manifest, (str, os.PathLike)):
        return pathlib.Path(manifest).read_bytes()
    return json.dumps(manifest).encode()

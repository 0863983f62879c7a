"""The verb that counts a device's memory: `memory`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pteproof import reports
from pteproof._call import SAFE
from pteproof._record import record
from pteproof._words import Manifest, Path, Policy, Program, Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Buffer


def memory(
    program: Program,
    *,
    policy: Policy | None = None,
    loader: str | None = None,
    loader_file: Path | None = None,
    files: Literal["read", "mapped"] | None = None,
    method: str | Iterable[str] = (),
    at: str | Iterable[str] = (),
    top: int | None = None,
    manifest: Manifest = None,
    trust_manifests: bool = False,
    operators: Iterable[Path] = (),
    data: Iterable[Path | Buffer] = (),
) -> reports.Memory:
    """Says what a device allocates to load a program and to call it.

    policy, loader, loader_file: the loader in use, as `check` has it; None: the manifest's policy,
      else one entry for each of three loaders.
    files: whether the loader reads files into memory or maps them; None: as it does.
    method: the methods that are loaded; none: all.
    at: sizes of inputs in place of their bounds, as "x=1,512,512": the bytes in use there, too.
    top: the storages in use at the peak of each bank, too, at most so many lines for each.
    manifest, trust_manifests, operators, data: as those of `check`.

    >>> import pteproof
    >>> memory = pteproof.memory("corpus/public/add_model.pte")
    >>> [(loader.loader, loader.planned) for loader in memory.loaders]
    [('Module', 32), ('Module-shared-arenas', 32), ('executorch.runtime', 32)]
    """
    words = Words("memory")
    words.program(program)
    words.option("policy", policy)
    words.option("loader", loader)
    words.option("loader-file", loader_file)
    words.option("files", files)
    for name in [method] if isinstance(method, str) else method:
        words.option("method", name)
    for sizes in [at] if isinstance(at, str) else at:
        words.option("at", sizes)
    words.option("top", top)
    words.manifest(manifest, trust_manifests)
    words.operators(operators)
    words.data(data)
    words.flag("json", True)
    outcome = words.call()
    if outcome.code != SAFE:
        outcome.fail()
    [json] = outcome.lines()
    report = record(reports.Memory, json)
    report.text = outcome.text
    return report

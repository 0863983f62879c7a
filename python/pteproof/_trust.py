"""The verb that trusts a manifest: `trust`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pteproof import reports
from pteproof._call import SAFE
from pteproof._record import record
from pteproof._words import Path, Policy, Words

if TYPE_CHECKING:
    from collections.abc import Iterable


def trust(
    program: Path,
    *,
    manifest: Path | None = None,
    config: Path | None = None,
    policy: Policy | None = None,
    operators: Iterable[Path] = (),
    data: Iterable[Path] = (),
    dry_run: bool = False,
) -> reports.Trust:
    """Says what a program's manifest decides, and trusts it in pteproof.toml.

    program: a path. Afterwards `pteproof check` takes the manifest that lies beside it for a better
      verdict, too, as long as the manifest has the same bytes (docs/reference/gate.md).
    manifest: its path; None: NAME.manifest.json beside NAME.pte.
    config: the file that the entry is written to; None: pteproof.toml in the working folder or the
      nearest one above it, or a new one.
    policy: the loader in use, which the entry names.
    operators, data: as those of `check`.
    dry_run: write nothing.

    Raises ManifestError if the manifest is that of another program, and UsageError if there is none
    or if the config cannot be changed.

    >>> import pteproof
    >>> path = "corpus/real/models/put_get/put_get.pte"
    >>> trust = pteproof.trust(path, policy="share-all", dry_run=True)
    >>> trust.verdict_alone, trust.verdict_trusted, trust.written
    ('depends', 'safe', False)
    """
    words = Words("trust")
    words.program(program)
    words.manifest(manifest, trust=False)
    words.option("config", config)
    words.option("policy", policy)
    words.operators(operators)
    words.data(data)
    words.flag("dry-run", dry_run)
    words.flag("json", True)
    outcome = words.call()
    if outcome.code != SAFE:
        outcome.fail()
    [json] = outcome.lines()
    report = record(reports.Trust, json)
    report.text = outcome.text
    return report

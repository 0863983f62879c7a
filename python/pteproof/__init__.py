"""pteproof: is the memory plan of an ExecuTorch program safe?

The verbs of the command `pteproof` as functions: `check`, `prove`, `compare`, `replan`, `link`,
`split`, `diff`, `lint`, `inspect`, `map`, `memory`, `place`, `plan`, `trust`.
`pteproof.executorch` is for export scripts, and `pteproof.testing` for tests.

>>> import pteproof
>>> report = pteproof.check("corpus/public/add_model.pte")
>>> report.verdict, report.policies["private"]
('safe', 'safe')
"""

from pteproof import errors, reports
from pteproof._library import version as __version__
from pteproof._link import link, split
from pteproof._memory import memory
from pteproof._trust import trust
from pteproof._verbs import (
    check,
    compare,
    diff,
    inspect,
    lint,
    map,
    place,
    plan,
    prove,
    replan,
)
from pteproof._words import Module
from pteproof.errors import (
    InternalError,
    MalformedError,
    ManifestError,
    ModelError,
    NoPlanError,
    PteproofError,
    SolverError,
    UndecidedError,
    UnreadableError,
    UnsafePlanError,
    UnsafePlanWarning,
    UsageError,
    WrongProgramError,
)
from pteproof.reports import Finding, Report

__all__ = [
    "Finding",
    "InternalError",
    "MalformedError",
    "ManifestError",
    "ModelError",
    "Module",
    "NoPlanError",
    "PteproofError",
    "Report",
    "SolverError",
    "UndecidedError",
    "UnreadableError",
    "UnsafePlanError",
    "UnsafePlanWarning",
    "UsageError",
    "WrongProgramError",
    "__version__",
    "check",
    "compare",
    "diff",
    "errors",
    "inspect",
    "link",
    "lint",
    "map",
    "memory",
    "place",
    "plan",
    "prove",
    "replan",
    "reports",
    "split",
    "trust",
]

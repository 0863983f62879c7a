"""What goes wrong: one class of exceptions per exit code of the command, with its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pteproof.reports import Comparison, Report


class PteproofError(Exception):
    """What all errors of pteproof have in common."""


class MalformedError(PteproofError, ValueError):
    """The bytes are not a program, or not with the data given (exit code 2)."""


class UsageError(PteproofError, ValueError):
    """Wrong arguments, or a file of another kind (exit code 64)."""


class ManifestError(UsageError):
    """The manifest is wrong, or is that of another program (exit code 64)."""


class UnreadableError(PteproofError, OSError):
    """A file cannot be read or written (exit code 66)."""


class ModelError(PteproofError, ValueError):
    """The exported and the edge programs are not of one model, or no file can hold its state."""


class SolverError(PteproofError, RuntimeError):
    """A proof needs the solver Z3, and its library cannot be opened (exit code 70)."""


class InternalError(PteproofError, RuntimeError):
    """A bug in pteproof (exit code 70)."""


class NoPlanError(PteproofError):
    """What was asked for cannot be planned, placed or written (exit code 1)."""


class UndecidedError(PteproofError):
    """The file leaves open whether it is right (exit code 3)."""


class UnsafePlanError(PteproofError):
    """The plan is not safe; `report` says why."""

    def __init__(self, text: str, report: Report) -> None:
        super().__init__(text)
        self.report = report


class WrongProgramError(PteproofError):
    """A program does not compute what its model does; `comparison`, the proof, may say where they
    part (None: only calls show it)."""

    def __init__(self, text: str, comparison: Comparison | None) -> None:
        super().__init__(text)
        self.comparison = comparison


class UnsafePlanWarning(UserWarning):
    """A plan is undecided, or safe under some loaders only; or a program is not proved right."""

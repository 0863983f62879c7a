"""Where the solver's library is: that of PyPI's z3-solver, else one that the system has."""

from __future__ import annotations

import ctypes.util
import functools
import importlib.util
import os
import pathlib
import sys

from pteproof import _library

# By system: how its file is called in the package, and what to ask the system for.
_NAMES = {"darwin": ("libz3*.dylib", "libz3.dylib"), "win32": ("libz3.dll",) * 2}
_PATTERN, *_OF_SYSTEM = _NAMES.get(sys.platform, ("libz3.so*", "libz3.so", "libz3.so.4"))


def candidates() -> list[str]:
    """Returns the paths and names to open, in order of preference.

    The environment variable PTEPROOF_Z3 names the only one. z3-solver's library carries its
    version in its name, and a link without it.

    >>> os.environ["PTEPROOF_Z3"] = "/opt/z3/libz3.so"
    >>> candidates()
    ['/opt/z3/libz3.so']
    >>> del os.environ["PTEPROOF_Z3"]
    """
    named = os.environ.get("PTEPROOF_Z3")
    if named:
        return [named]
    found = [str(path) for folder in _folders() for path in sorted(folder.glob(_PATTERN))]
    system = ctypes.util.find_library("z3")
    return [*found, *([system] if system else []), *_OF_SYSTEM]


def _folders() -> list[pathlib.Path]:
    """The folders of the package z3 that may hold its library, without importing it."""
    spec = importlib.util.find_spec("z3")
    places = spec.submodule_search_locations if spec else None
    return [pathlib.Path(place) / "lib" for place in places or ()]


@functools.cache
def look() -> None:
    """Tells the library where to look, once."""
    _library.look_for_solver(candidates())

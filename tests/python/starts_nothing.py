"""A plugin for where no program can be started: a test that starts one is skipped, and says so.

scripts/wheel_elsewhere and the workflow of wheels use it: pytest -p starts_nothing.
"""

import ctypes.util
import os
import sys

import pytest

STARTS = ("subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system")


def refuse(event, arguments):
    if event in STARTS:
        pytest.skip("it starts a program", allow_module_level=True)


def find_library(name):
    """Python's own asks programs; the package goes on without."""
    if sys._getframe(1).f_globals["__name__"].startswith("test_"):
        pytest.skip("it asks programs for a library")


ctypes.util.find_library = find_library
os.environ.setdefault("PTEPROOF_BINARY", sys.executable)  # it is there, and is not started
sys.addaudithook(refuse)

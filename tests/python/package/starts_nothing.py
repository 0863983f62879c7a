"""A plugin for where no program can be started: a test that starts one is skipped, and says so.

scripts/wheel_elsewhere and the workflow of wheels use it: pytest -p starts_nothing.
"""

import ctypes.util
import sys

import pytest

STARTS = ("subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system")


def refuse(event, arguments):
    if event in STARTS:
        pytest.skip("it starts a program", allow_module_level=True)


ctypes.util.find_library = lambda name: None  # asks programs
sys.addaudithook(refuse)

"""The lists of what the wheel's runtime registers are those of the wheel."""

import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(os.environ.get("PTEPROOF_SOURCE_DIR", pathlib.Path(__file__).parents[3]))


def test_the_operators_and_delegates_of_the_wheel_are_listed():
    script = SOURCE / "scripts/wheel_names"
    checked = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert (checked.returncode, checked.stdout) == (0, ""), checked.stderr

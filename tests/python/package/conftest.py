"""What the package's tests share: the repository's root as the working folder, the built command."""

import os
import pathlib
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ.get("PTEPROOF_SOURCE_DIR", pathlib.Path(__file__).parents[3]))
BINARY = os.environ.get("PTEPROOF_BINARY", str(SOURCE / "build/release/pteproof"))


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(SOURCE)


@pytest.fixture(scope="session")
def command():
    """Runs the command with these words, from the root: (exit code, output, complaints)."""

    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}

    def run(*words):
        done = subprocess.run(
            [BINARY, *map(str, words)], cwd=SOURCE, env=environment, capture_output=True, text=True
        )
        return done.returncode, done.stdout, done.stderr

    return run

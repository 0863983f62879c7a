"""The wheel, in a new environment that has the solver besides and nothing else."""

import os
import pathlib
import subprocess
import venv

import pytest

from pteproof import _library

SOURCE = pathlib.Path(os.environ.get("PTEPROOF_SOURCE_DIR", pathlib.Path(__file__).parents[3]))
CLEAN = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}


def run(*words, env=None):
    return subprocess.run([str(w) for w in words], env=env, capture_output=True, text=True)


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """The folder of the environment's commands."""
    folder = tmp_path_factory.mktemp("wheel")
    made = run(SOURCE / "scripts/wheel", folder, _library.path(), env=os.environ)
    assert made.returncode == 0, made.stderr
    wheel = pathlib.Path(made.stdout.splitlines()[-1])
    assert wheel.stat().st_size < 15_000_000
    venv.create(folder / "env", with_pip=True)
    scripts = folder / "env/bin"
    found = ["--no-index", "--find-links", SOURCE / "build/python/wheels"]
    installed = run(scripts / "python", "-m", "pip", "install", *found, wheel, env=CLEAN)
    assert installed.returncode == 0, installed.stdout + installed.stderr
    return scripts


def test_the_installed_command_checks_and_proves(scripts):
    safe = run(scripts / "pteproof", "check", "corpus/public/add_model.pte", env=CLEAN)
    assert (safe.returncode, safe.stderr) == (0, "")
    bug = "corpus/real/bugs/cond-siblings/cond-siblings.pte"
    unsafe = run(scripts / "python", "-m", "pteproof", "check", bug, env=CLEAN)
    assert unsafe.returncode == 1
    assert "region-escape" in unsafe.stdout
    refuted = run(scripts / "pteproof", "prove", bug, env=CLEAN)
    assert (refuted.returncode, refuted.stderr) == (1, "")


def test_the_installed_library_uses_no_library_of_the_build(scripts):
    """What it has loaded after a proof comes with the wheels, or with every system."""
    program = """
import pteproof, sys
assert pteproof.prove("corpus/public/add_model.pte").verdict == "proved"
for line in open("/proc/self/maps"):
    name = line.split()[-1].rpartition("/")[2]
    if line.split()[-1].startswith("/usr/lib") or line.split()[-1].startswith("/lib"):
        print(name)
"""
    done = run(scripts / "python", "-c", program, env=CLEAN)
    assert done.returncode == 0, done.stderr
    assert "libstdc++" in done.stdout
    for library in ("libz3", "libfmt", "libflatbuffers"):
        assert library not in done.stdout


def test_the_installed_package_has_its_types(scripts):
    where = "import pteproof, pathlib; print(pathlib.Path(pteproof.__file__).parent)"
    folder = pathlib.Path(run(scripts / "python", "-c", where, env=CLEAN).stdout.strip())
    for name in ("py.typed", "_library.py"):
        assert (folder / name).is_file()


def test_the_installed_package_names_its_plugin(scripts):
    program = "import importlib.metadata as m; print(*m.entry_points(group='pytest11'))"
    done = run(scripts / "python", "-c", program, env=CLEAN)
    assert "value='pteproof.pytest_plugin'" in done.stdout

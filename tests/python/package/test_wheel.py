"""The wheel, in a new environment that has the solver besides and nothing else."""

import os
import pathlib
import subprocess
import sys

import pytest

from pteproof import _library

SOURCE = pathlib.Path(os.environ.get("PTEPROOF_SOURCE_DIR", pathlib.Path(__file__).parents[3]))
CLEAN = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}


def run(*words, env=None):
    return subprocess.run([str(w) for w in words], env=env, capture_output=True, text=True)


def pythons():
    """This Python, and others from 3.10 on that are installed beside it."""
    found = {"%d.%d" % sys.version_info[:2]: sys.executable}
    folders = [pathlib.Path(folder) for folder in os.get_exec_path()]
    folders += pathlib.Path.home().glob(".pyenv/versions/*/bin")
    for version in ("3.10", "3.11", "3.12", "3.13", "3.14"):
        for folder in folders:
            python = folder / f"python{version}"
            if version not in found and python.is_file() and run(python, "-m", "venv", "-h").stdout:
                found[version] = python
    return found


PYTHONS = pythons()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    made = run(SOURCE / "scripts/wheel", folder, _library.path(), env=os.environ)
    assert made.returncode == 0, made.stderr
    return pathlib.Path(made.stdout.splitlines()[-1])


def installed(python, wheel, folder):
    """The folder of the commands of a new environment that has the wheel."""
    assert run(python, "-m", "venv", folder).returncode == 0
    found = ["--no-index", "--find-links", SOURCE / "build/python/wheels"]
    words = [folder / "bin/python", "-m", "pip", "install", *found, wheel]
    done = run(*words, env=CLEAN)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "bin"


@pytest.fixture(scope="module")
def scripts(wheel, tmp_path_factory):
    return installed(sys.executable, wheel, tmp_path_factory.mktemp("env"))


@pytest.mark.parametrize("version", PYTHONS)
def test_one_wheel_installs_on_every_python(version, wheel, tmp_path):
    assert "-py3-none-" in wheel.name
    folder = installed(PYTHONS[version], wheel, tmp_path)
    program = "import pteproof, sys; print(pteproof.check(sys.argv[1]).verdict)"
    done = run(folder / "python", "-c", program, "corpus/public/add_model.pte", env=CLEAN)
    assert (done.stdout, done.stderr) == ("safe\n", "")


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

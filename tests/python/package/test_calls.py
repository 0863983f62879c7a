"""Buffers, threads, Ctrl-C, errors: how the module calls the command."""

import ctypes.util
import json
import mmap
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy
import pytest

import pteproof
from pteproof import _call, _library, _solver

SAFE = "corpus/public/add_model.pte"
UNSAFE = "corpus/real/bugs/cond-siblings/cond-siblings.pte"
SHARED = "corpus/real/models/put_get/put_get.pte"

# Its computation is compared by random calls.
OPEN = "corpus/regressions/program/concatenation-of-what-varies.pte"


def content(path):
    return pathlib.Path(path).read_bytes()


def test_every_kind_of_buffer_is_read():
    with pathlib.Path(UNSAFE).open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    data = content(UNSAFE)
    for buffer in (
        data,
        bytearray(data),
        memoryview(data),
        mapped,
        numpy.frombuffer(data, numpy.uint8),
    ):
        report = pteproof.check(buffer)
        assert report.verdict == "unsafe"
        assert report.file == "<program>"
        assert report.manifest is None


def test_check_says_whether_a_loader_takes_the_program(tmp_path):
    missing = "corpus/reports/operator-missing/relu_.pte"
    report = pteproof.check(missing, loader="executorch.runtime@1.5")
    assert (report.verdict, report.loads) == ("safe", False)
    assert report.loader == "executorch.runtime@1.5"
    assert pteproof.check(missing).loads is None
    table = tmp_path / "own.toml"
    table.write_text("[bank.2]\nshared = true\n")
    assert pteproof.check(SHARED, loader_file=table).verdict == "safe"


def test_check_judges_another_use():
    program = "corpus/real/models/put_get/put_get.pte"
    assert pteproof.check(program, policy="share-all", use="reload").verdict == "safe"
    report = pteproof.check(program, policy="share-all", use="concurrent")
    assert (report.verdict, report.findings[0].rule) == ("unsafe", "concurrent-access")


def test_a_buffer_is_read_in_place():
    """A file of 1 GB of zeros, of which no page is touched but the first, takes no memory."""
    size = 1 << 30
    program = textwrap.dedent(f"""
        import mmap, resource, pteproof
        nothing = mmap.mmap(-1, {size})
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            pteproof.check(nothing)
        except pteproof.MalformedError:
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 100_000  # KB


def test_what_is_not_a_buffer_is_a_type_error():
    with pytest.raises(TypeError):
        pteproof.check(12)


def test_a_buffer_is_given_back_after_the_call():
    data = bytearray(content(SAFE))
    pteproof.check(data)
    data.append(0)  # an exported buffer could not grow


class Manager:
    """As what to_executorch returns."""

    def __init__(self, path, data=None):
        self.buffer = content(path)
        self._tensor_data = data or {}

    def write_to_file(self, file):
        file.write(self.buffer)


def test_a_program_manager_is_read_with_its_data():
    assert pteproof.check(Manager(SAFE)).verdict == "safe"
    with pytest.raises(pteproof.MalformedError, match="weights"):
        pteproof.check(Manager(SAFE, {"weights": content("corpus/crafted/data-file-cut.ptd")}))


def test_data_is_read_from_memory_and_from_files():
    assert pteproof.check(SAFE, data="corpus/crafted/base.ptd").verdict == "safe"
    data = "corpus/crafted/data-file-cut.ptd"
    with pytest.raises(pteproof.MalformedError):
        pteproof.check(SAFE, data=data)
    with pytest.raises(pteproof.MalformedError):
        pteproof.check(SAFE, data=[content(data)])
    with pytest.raises(pteproof.MalformedError):
        pteproof.check(SAFE, data=[pathlib.Path(data)])


def test_a_manifest_may_be_a_path_or_an_object():
    path = UNSAFE.replace(".pte", ".manifest.json")
    named = pteproof.check(content(UNSAFE), manifest=path)
    stated = pteproof.check(content(UNSAFE), manifest=json.loads(content(path)))
    assert named.manifest == path
    assert stated.manifest == "<manifest>"
    assert named.findings == stated.findings
    assert pteproof.check(UNSAFE, manifest=False).manifest is None
    assert pteproof.check(UNSAFE, trust_manifests=True).trusted


def test_a_wrong_manifest_is_a_manifest_error():
    with pytest.raises(pteproof.ManifestError, match="/polizy"):
        pteproof.check(SAFE, manifest={"pteproof": 1, "polizy": "share-all"})
    with pytest.raises(pteproof.ManifestError, match="/polizy"):
        pteproof.prove(SAFE, manifest={"pteproof": 1, "polizy": "share-all"})
    with pytest.raises(pteproof.ManifestError, match="does not fit the program"):
        pteproof.check(SAFE, manifest={"pteproof": 1, "methods": {"backward": {}}})


def test_wrong_arguments_are_usage_errors():
    with pytest.raises(pteproof.UsageError, match="did you mean 'share-all'"):
        pteproof.check(SAFE, policy="share-al")
    with pytest.raises(pteproof.UsageError, match="there is no method"):
        pteproof.inspect(SAFE, method="backward")
    with pytest.raises(pteproof.UsageError, match="'--nonsense'"):
        pteproof.plan("corpus/modules/counter.module", nonsense=True)


def test_files_that_cannot_be_read_are_os_errors():
    for verb in (
        pteproof.check,
        pteproof.prove,
        pteproof.diff,
        pteproof.inspect,
        pteproof.map,
        pteproof.lint,
    ):
        with pytest.raises(OSError, match="No such file"):
            verb("nowhere.pte")
    with pytest.raises(pteproof.UnreadableError):
        pteproof.compare(SAFE, "nowhere.pte")


def test_damaged_files_are_malformed_for_all_verbs():
    cut = content(SAFE)[:100]
    for verb in (
        pteproof.check,
        pteproof.prove,
        pteproof.diff,
        pteproof.inspect,
        pteproof.map,
        pteproof.replan,
    ):
        with pytest.raises(pteproof.MalformedError, match="malformed"):
            verb(cut)
    with pytest.raises(pteproof.MalformedError):
        pteproof.place(b"nothing")


def test_a_module_in_place_of_a_program_is_bad_usage():
    with pytest.raises(pteproof.UsageError, match="Module"):
        pteproof.check("corpus/modules/counter.module")


def test_a_path_may_look_like_a_flag(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("--json").write_bytes(b"")
    with pytest.raises(pteproof.MalformedError):
        pteproof.check("--json")
    with pytest.raises(pteproof.UnreadableError):
        pteproof.check("-")  # not the standard input


def test_an_unsafe_plan_is_not_replanned():
    with pytest.raises(pteproof.NoPlanError, match="the plan is unsafe"):
        pteproof.replan(UNSAFE)


def test_numbers_of_options_reach_the_command():
    assert pteproof.check(SAFE, optimum=True, timeout=0.1).banks[0].best == (32, 32)
    assert pteproof.diff(SAFE, seed=7, sequences=3)[0].seed == 7
    operators = "corpus/operators/README.md"
    with pytest.raises(pteproof.UsageError):
        pteproof.check(SAFE, operators=operators)


def test_a_report_raises_and_warns_as_asked():
    report = pteproof.check(SHARED)
    assert report.verdict == "depends"
    with pytest.warns(pteproof.UnsafePlanWarning, match="depends on the loader"):
        report.raise_if_unsafe()
    with pytest.raises(pteproof.UnsafePlanError) as raised:
        report.raise_if_unsafe(strict=True)
    assert raised.value.report is report
    assert report.raise_if_unsafe("share-all") is report


def test_a_report_shows_itself_in_a_notebook():
    report = pteproof.check(content(UNSAFE))
    page = report._repr_html_()
    assert page.startswith("<iframe srcdoc=")
    assert "region-escape" in page
    assert "application/json" in page
    report.page = None
    assert report._repr_html_().startswith("<pre>&lt;program&gt;: unsafe")


def test_a_report_says_in_one_line_what_it_is():
    assert repr(pteproof.check(SAFE)) == f"<pteproof report of {SAFE}: safe>"
    assert repr(pteproof.check(UNSAFE)).endswith(": unsafe, 2 findings>")
    assert repr(pteproof.check(SHARED)).endswith(": depends, 4 findings>")


def test_threads_check_at_once():
    """The interpreter's lock is released: a long call lets the other threads run."""
    reports = []
    started = time.monotonic()
    pteproof.check(SAFE)
    seconds = max(1.0, 10 * (time.monotonic() - started))
    long = threading.Thread(target=lambda: reports.append(pteproof.diff(SHARED, time=seconds)))
    long.start()
    for _ in range(3):
        pteproof.check(SAFE)
    assert long.is_alive()
    long.join()
    assert reports[0][0].verdict == "agrees"


def test_checks_from_eight_threads_keep_no_memory():
    program = f"""
import pathlib, threading, pteproof
data = [pathlib.Path(file).read_bytes() for file in {[SAFE, UNSAFE, SHARED]!r}] + [b"nothing"]
def check(count):
    for turn in range(count):
        try:
            pteproof.check(data[turn % 4])
        except pteproof.MalformedError:
            pass
def kilobytes():
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
def run(count):
    threads = [threading.Thread(target=check, args=(count // 8,)) for _ in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
run(2000)
before = kilobytes()
run(10000)
print(kilobytes() - before)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 3000


LONG = {
    "place": """pteproof.place(b"id,lower,upper,size\\n" + b"".join(
        b"%d,%d,%d,%d\\n" % (i, i * 7 % 97, i * 7 % 97 + 5 + i % 23, 100 + i * 37 % 101) for i in range(400)),
        time=100, jobs=2)""",
    "diff": f"pteproof.diff({SHARED!r}, time=100)",
    "compare": f"pteproof.compare({OPEN!r}, {OPEN!r}, runs=1_000_000)",
    "prove": "pteproof._call.call(['prove', '--planner', '--storages', '5'])",
}


@pytest.mark.parametrize("verb", LONG)
def test_ctrl_c_ends_a_long_call_soon(verb):
    program = f"""
import pteproof, time
print("started", flush=True)
try:
    {LONG[verb]}
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(pteproof.check({SAFE!r}).verdict, flush=True)
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "started\n"
        time.sleep(1.0)
        asked = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - asked < 5.0  # on a busy machine; a second otherwise
        assert process.stdout.readline() == "safe\n"
        assert process.wait(timeout=20) == 0


def test_a_comparison_ends_when_its_time_is_over():
    started = time.monotonic()
    with pytest.raises(TimeoutError, match="the time is over"):
        pteproof.compare(OPEN, OPEN, runs=1_000_000, seconds=0.2)
    assert time.monotonic() - started < 5.0  # on a busy machine; a second otherwise


def test_what_needs_no_proof_works_without_the_solver(tmp_path):
    program = f"""
import pteproof
assert pteproof.check({UNSAFE!r}).verdict == "unsafe"
assert pteproof.diff({SAFE!r})[0].verdict == "agrees"
assert pteproof.compare({SAFE!r}, {SAFE!r}).computation.answer == "same"
try:
    pteproof.prove({SAFE!r})
except pteproof.SolverError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PTEPROOF_Z3": str(tmp_path / "libz3.so"), "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "pip install z3-solver" in done.stdout
    assert str(tmp_path / "libz3.so") in done.stdout


def test_a_library_that_is_not_z3_is_refused():
    program = "import pteproof; pteproof.prove('corpus/public/add_model.pte')"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PTEPROOF_Z3": "libm.so.6", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert "it has no Z3_" in done.stderr


def test_the_solver_is_opened_where_it_was_found():
    assert pteproof.prove(SAFE).verdict == "proved"
    assert _library.solver() in _solver.candidates()


PROVE = """
import pteproof
from pteproof import _library
for file in FILES:
    proof = pteproof.prove(file)
    print(proof.verdict, proof.proved, proof.refuted, proof.unknown)
print(_library.solver())
"""


def test_versions_of_the_solver_prove_the_same():
    """That of PyPI's package, and the distribution's, which is some years older."""
    libraries = [_solver.candidates()[0], ctypes.util.find_library("z3")]
    assert libraries[1], "scripts/setup installs libz3-dev"
    said = []
    for library in libraries:
        done = subprocess.run(
            [sys.executable, "-c", PROVE.replace("FILES", repr([SAFE, UNSAFE, SHARED]))],
            env={"PTEPROOF_Z3": library, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        said.append(done.stdout.splitlines())
    assert [lines.pop() for lines in said] == libraries
    assert said[0] == said[1]
    assert said[0][1].startswith("refuted")


def test_the_library_is_not_linked_to_the_solver():
    """Its SONAME carries the version, so that an upgrade of z3-solver would break the library."""
    listing = subprocess.run(
        ["readelf", "-d", _library.path()], capture_output=True, text=True, check=True
    )
    assert "(NEEDED)" in listing.stdout
    assert "libz3" not in listing.stdout


def ended(code, complaints=b""):
    return lambda *_: _library.Ended(code, b"", b"", complaints, False, {})


def test_mistakes_of_the_command_are_internal_errors(monkeypatch):
    monkeypatch.setattr(_library, "run", ended(_library.NO_MEMORY))
    with pytest.raises(MemoryError):
        _call.call(["check"])
    monkeypatch.setattr(_library, "run", ended(70, b"pteproof: odd\n"))
    with pytest.raises(pteproof.InternalError, match=r"^odd$"):
        pteproof.check(SAFE)


def test_a_word_with_a_zero_byte_is_refused():
    for words in (["check", "a\0b"], ["check\0"]):
        with pytest.raises(ValueError, match="embedded null byte"):
            _call.call(words)
    with pytest.raises(ValueError, match="embedded null byte"):
        _call.call(["check", "a"], files={"a\0b": b""})


def test_a_buffer_that_is_not_in_one_piece_is_refused():
    with pytest.raises((BufferError, ValueError)):
        pteproof.check(memoryview(content(SAFE))[::2])


def test_the_command_is_the_command(command):
    for words in (["check", UNSAFE], ["check", "--polcy", SAFE], ["rules"], ["prove", SAFE]):
        code, output, complaints = command(*words)
        done = subprocess.run(
            [sys.executable, "-m", "pteproof", *words],
            env={key: value for key, value in os.environ.items() if key != "COLUMNS"},
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (code, complaints)
        if words[0] != "prove":
            assert done.stdout == output


def test_ctrl_c_ends_the_command_as_it_does():
    with subprocess.Popen(
        [sys.executable, "-m", "pteproof", "diff", SHARED, "--time", "100"],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        mapped = pathlib.Path(f"/proc/{process.pid}/maps")
        # Until the library is there it is Python that stops.
        while process.poll() is None and "libpteproof" not in mapped.read_text():
            time.sleep(0.05)
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        assert "stopped by SIGINT" in process.stderr.read()
        assert process.wait(timeout=5) == 130


def test_the_package_has_the_command_s_version(command):
    header = pathlib.Path("include/pteproof/version.h").read_text()
    assert f' kVersion = "{pteproof.__version__}"' in header
    assert command("--version")[1] == f"pteproof {pteproof.__version__}\n"


def test_a_folder_is_told_from_a_file(tmp_path):
    for folder in (tmp_path, str(tmp_path)):
        with pytest.raises(pteproof.UsageError, match="is a folder: name a program file"):
            pteproof.check(folder)

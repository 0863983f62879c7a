"""The command line of a hunt: `python -m pteproof hunt`."""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import traceback
from typing import TYPE_CHECKING, Any

from pteproof.hunt._journal import classes, known_in, rows_in
from pteproof.hunt._report import json_of, junit_of, summary, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pteproof.hunt._hunt import Hunt, Request

NONE, FOUND, UNDECIDED, USAGE, INTERNAL = 0, 1, 3, 64, 70


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"pteproof hunt: {message}\n")


def main(argv: Sequence[str]) -> int:
    """Runs the command with these words, and returns its exit code."""
    if "--planner-only" in argv or any(
        a.startswith(("--planner-only=", "--command")) for a in argv
    ):
        from pteproof.hunt import planners

        return planners.main([*argv])
    options = _parser().parse_args(argv)
    if options.merge:
        return _merge(options)
    if options.bisect:
        return _bisect(options)
    try:
        import executorch  # noqa: F401
        import torch  # noqa: F401
    except ImportError as error:
        print(f"pteproof hunt: needs torch and executorch: {error}", file=sys.stderr)
        return USAGE
    try:
        return _replay(options) if options.replay else _hunt(options)
    except Exception:
        traceback.print_exc()
        return INTERNAL


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="pteproof hunt", description=__doc__)
    add = parser.add_argument
    add("--seed", type=int, default=1, metavar="S", help="of the programs (1)")
    add("--cases", type=int, metavar="N", help="programs 0 to N - 1 (100, if no time is given)")
    add("--seconds", type=float, metavar="S", help="at most so long")
    add("--out", type=pathlib.Path, default=pathlib.Path("hunt"), metavar="DIR", help="the folder")
    add("--jobs", type=int, default=1, metavar="N", help="processes (1)")
    add("--shard", metavar="I/N", help="every Nth program, from the Ith on; I from 1 to N")
    add(
        "--known",
        type=pathlib.Path,
        metavar="FILE",
        help="finds that are tried first, and left out",
    )
    add("--stop-at-first", action="store_true", help="end after one find that is not known")
    add("--planner", metavar="MODULE:CALLABLE", help="your memory_planning_algo")
    add("--planner-only", metavar="MODULE:CALLABLE", help="problems for it, without models")
    add("--loaders", default="Runtime,portable", metavar="LIST", help="Runtime, portable")
    add("--replay", metavar="S:N", help="one program, with all that is said of it")
    add("--merge", nargs="+", type=pathlib.Path, metavar="DIR", help="reports on several folders")
    add("--bisect", nargs="+", metavar="PYTHON", help="how other Pythons judge the finds of --out")
    add("--json", action="store_true", help="the report as JSON")
    add("--junit", type=pathlib.Path, metavar="FILE", help="the report as JUnit's XML")
    add("-q", "--quiet", action="store_true", help="no progress line")
    return parser


def _shard(text: str | None) -> tuple[int, int]:
    if text is None:
        return 0, 1
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        _parser().error(f"--shard is {text!r}; it is I/N, with I from 1 to N")
    assert found is not None
    return int(found[1]) - 1, int(found[2])


def _request(options: argparse.Namespace) -> Request:
    from pteproof.hunt._hunt import Request

    cases = options.cases
    if cases is None and options.seconds is None:
        cases = 100
    return Request(
        options.seed,
        options.out,
        cases,
        options.seconds,
        _shard(options.shard),
        known=known_in(options.known) if options.known else [],
        stop_at_first=options.stop_at_first,
        planner=options.planner,
        loaders=tuple(options.loaders.split(",")),
        quiet=options.quiet,
    )


def _hunt(options: argparse.Namespace) -> int:
    from pteproof.hunt._hunt import Hunt, write_known

    request = _request(options)
    sys.path.insert(0, "")  # a planner of the user's own
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    hunt = Hunt(request)
    _try_known(hunt, request)
    if options.jobs > 1:
        _fork(request, options.jobs)
    else:
        try:
            hunt.run()
        except KeyboardInterrupt:
            print("\npteproof hunt: ended; the same --out goes on", file=sys.stderr)
    write_known(options.out)
    known = {each["signature"] for each in request.known}
    return _report([options.out], options, known)


def _try_known(hunt: Hunt, request: Request) -> None:
    """Known finds first: whether they are still wrong."""
    from pteproof.hunt import _judge
    from pteproof.hunt._program import draw

    for each in request.known:
        seed, _, number = each["program"].partition(":")
        judged = hunt.judge.judge(draw(int(seed), int(number), hunt.drawing))
        still = "still wrong" if judged.row in _judge.FINDS else "gone"
        print(f"{each['program']}: {still} ({judged.row}): {each['signature']}")


def _fork(request: Request, jobs: int) -> None:
    """Processes of what is imported already; each has programs, rows and finds of its own."""
    import dataclasses

    from pteproof.hunt._hunt import Hunt

    children = []
    for k in range(jobs):
        child = os.fork()
        if child == 0:
            code = NONE
            try:
                Hunt(dataclasses.replace(request, worker=(k, jobs), quiet=k > 0)).run()
            except KeyboardInterrupt:
                pass
            except BaseException as error:
                print(f"pteproof hunt: {error!r}", file=sys.stderr)
                code = INTERNAL
            sys.stderr.flush()
            os._exit(code)
        children.append(child)
    for child in children:
        _wait(child, children)


def _wait(child: int, children: Sequence[int]) -> None:
    while True:
        try:
            os.waitpid(child, 0)
            return
        except KeyboardInterrupt:
            for each in children:
                try:
                    os.kill(each, signal.SIGTERM)
                except ProcessLookupError:
                    continue


def _report(folders: Sequence[pathlib.Path], options: argparse.Namespace, known: set[str]) -> int:
    found = summary(folders)
    if options.junit:
        options.junit.write_text(junit_of(found), encoding="utf-8")
    sys.stdout.write(json_of(found) if options.json else text_of(found))
    if any(find["signature"] not in known for find in found["finds"]):
        return FOUND
    return UNDECIDED if found["rows"].get("undecided") else NONE


def _merge(options: argparse.Namespace) -> int:
    missing = [str(each) for each in options.merge if not any(rows_in(each))]
    if missing:
        print(f"pteproof hunt: no rows of a hunt in {missing[0]}", file=sys.stderr)
        return USAGE
    known = {each["signature"] for each in known_in(options.known)} if options.known else set()
    return _report(options.merge, options, known)


def _replay(options: argparse.Namespace) -> int:
    from pteproof.hunt import _judge, _options
    from pteproof.hunt._device import POLICIES
    from pteproof.hunt._hunt import Hunt
    from pteproof.hunt._program import draw
    from pteproof.hunt._tell import explanation

    seed, _, number = options.replay.partition(":")
    if not (seed.isdigit() and number.isdigit()):
        _parser().error(f"--replay is {options.replay!r}; it is S:N")
    hunt = Hunt(_request(options))
    program = draw(int(seed), int(number), hunt.drawing)
    judged = hunt.judge.judge(program)
    print("\n".join(program.lines()))
    names = [method.name for method in program.module.methods]
    print(_options.lowering_line(program.options))
    print(_options.config_line(program.options, names))
    if judged.exported is not None and judged.loader:
        policy, load = POLICIES[judged.loader]
        made = judged.exported
        print(explanation(made.made, policy, load, made.facts(policy, load)))
    ran = judged.ran.text if judged.ran is not None else ""
    print(f"{options.replay}: {judged.row}: {judged.why} {ran}".rstrip())
    return FOUND if judged.row in _judge.FINDS else NONE


def _bisect(options: argparse.Namespace) -> int:
    """Each find of the folder, as other Pythons judge its program."""
    package = str(pathlib.Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": package}
    for signature, same in classes([options.out]).items():
        print(signature)
        program = same[0][1]["program"]
        for python in options.bisect:
            words = [python, "-W", "ignore", "-m", "pteproof", "hunt", "--replay", program]
            made = subprocess.run(
                words, env=environment, capture_output=True, text=True, check=False
            )
            said = (made.stdout.strip() or made.stderr.strip() or "nothing").splitlines()[-1]
            print(f"  {_version(python)}: {said}")
    return NONE


def _version(python: str) -> str:
    code = "import importlib.metadata as m; print('executorch', m.version('executorch'))"
    made = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return made.stdout.strip() or python

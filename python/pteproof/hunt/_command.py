"""The command line of a hunt: `python -m pteproof hunt`."""

from __future__ import annotations

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import traceback
from typing import TYPE_CHECKING, Any

from pteproof.hunt._journal import classes, known_in, rows_in, signatures, write_known
from pteproof.hunt._report import json_of, junit_of, summary, text_of
from pteproof.hunt._request import POLICIES, Request
from pteproof.hunt.planners.command_line import callable_of, shard_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pteproof.hunt._hunt import Hunt

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
    if options.dask:
        return _hunt_on_cluster(options)
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
    add("--seconds", type=float, metavar="S", help="stop after S seconds")
    add("--out", type=pathlib.Path, default=pathlib.Path("hunt"), metavar="DIR", help="the folder")
    add("--jobs", type=int, default=1, metavar="N", help="processes (1)")
    add("--dask", metavar="ADDRESS", help="hunt on the workers of that Dask scheduler")
    add(
        "--shard",
        type=shard_of,
        default=(0, 1),
        metavar="I/N",
        help="every Nth program, starting with the Ith; I from 1 to N",
    )
    add(
        "--known",
        type=_known,
        default=[],
        metavar="FILE",
        help="known finds: they are tried first, and are not new",
    )
    add("--stop-at-first", action="store_true", help="stop at the first new find")
    add("--planner", metavar="MODULE:CALLABLE", help="your memory_planning_algo")
    add(
        "--planner-only",
        metavar="MODULE:CALLABLE",
        help="test it on random problems, without models",
    )
    add("--loaders", default="Runtime,portable", metavar="LIST", help="Runtime,portable")
    add("--replay", metavar="S:N", help="show one program: its model, options, report and row")
    add("--merge", nargs="+", type=pathlib.Path, metavar="DIR", help="report on several folders")
    add("--bisect", nargs="+", metavar="PYTHON", help="judge the finds of --out in other Pythons")
    add("--json", action="store_true", help="the report as JSON")
    add("--junit", type=pathlib.Path, metavar="FILE", help="the report as JUnit's XML")
    add("-q", "--quiet", action="store_true", help="no progress line")
    return parser


def _known(path: str) -> list[dict[str, Any]]:
    try:
        return known_in(pathlib.Path(path))
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{path}: {error}") from None


def _request(options: argparse.Namespace) -> Request:
    loaders = tuple(word.strip() for word in options.loaders.split(","))
    for unknown in (each for each in loaders if each not in POLICIES):
        _parser().error(f"--loaders has {unknown!r}; those that run files: {', '.join(POLICIES)}")
    if options.planner:
        try:
            callable_of(options.planner)
        except ValueError as error:
            _parser().error(f"--planner: {error}")
    cases = options.cases
    if cases is None and options.seconds is None:
        cases = 100
    return Request(
        options.seed,
        options.out,
        cases,
        options.seconds,
        options.shard,
        known=options.known,
        stop_at_first=options.stop_at_first,
        planner=options.planner,
        loaders=loaders,
        quiet=options.quiet,
    )


def _hunt(options: argparse.Namespace) -> int:
    from pteproof.hunt._hunt import Hunt

    request = _request(options)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    hunt = Hunt(request)
    _try_known(hunt, request)
    failed = False
    if options.jobs > 1:
        failed = _fork(request, options.jobs)
    else:
        try:
            hunt.run()
        except KeyboardInterrupt:
            print("\npteproof hunt: ended; the same --out goes on", file=sys.stderr)
    write_known(options.out)
    code = _report([options.out], options)
    return INTERNAL if failed else code


def _hunt_on_cluster(options: argparse.Namespace) -> int:
    if options.jobs > 1 or options.replay:
        _parser().error("--dask stands without --jobs and --replay")
    try:
        from pteproof.hunt._cluster import hunt_on

        came = hunt_on(options.dask, _request(options))
    except ImportError as error:
        print(f"pteproof hunt: --dask needs pteproof[dask]: {error}", file=sys.stderr)
        return USAGE
    except OSError as error:
        print(f"pteproof hunt: {options.dask}: {error}", file=sys.stderr)
        return INTERNAL
    except KeyboardInterrupt:
        print("\npteproof hunt: ended; the same --out goes on", file=sys.stderr)
        came = True
    write_known(options.out)
    code = _report([options.out], options)
    return code if came else INTERNAL


def _try_known(hunt: Hunt, request: Request) -> None:
    """Known finds first: whether they are still wrong."""
    from pteproof.hunt import _judge
    from pteproof.hunt._program import draw

    for each in request.known:
        seed, _, number = each["program"].partition(":")
        judged = hunt.judge.judge(draw(int(seed), int(number), hunt.drawing))
        still = "still wrong" if judged.row in _judge.FINDS else "gone"
        print(f"{each['program']}: {still} ({judged.row}): {each['signature']}")


def _fork(request: Request, jobs: int) -> bool:
    """Processes of what is imported already; each has programs, rows and finds of its own.

    Returns whether one of them failed.
    """
    import dataclasses

    from pteproof.hunt._hunt import Hunt

    children = {}
    for k in range(jobs):
        child = os.fork()
        if child == 0:
            code = INTERNAL
            try:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent passes it on, once
                Hunt(dataclasses.replace(request, worker=(k, jobs), quiet=k > 0)).run()
                code = NONE
            except KeyboardInterrupt:
                code = NONE
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(code)
        children[child] = k
    return _any_failed(children)


def _any_failed(children: dict[int, int]) -> bool:
    """Waits for the processes, and says which of them failed; Ctrl-C ends them."""
    failed = False
    while children:
        try:
            child, status = os.wait()
        except KeyboardInterrupt:
            for each in children:
                os.kill(each, signal.SIGTERM)
            continue
        k = children.pop(child)
        if status != 0:
            failed = True
            code = os.waitstatus_to_exitcode(status)
            why = f"exit code {code}" if code > 0 else signal.Signals(-code).name
            print(f"pteproof hunt: process {k} ended with {why}", file=sys.stderr)
    return failed


def _report(folders: Sequence[pathlib.Path], options: argparse.Namespace) -> int:
    found, known = summary(folders), signatures(options.known)
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
    return _report(options.merge, options)


def _replay(options: argparse.Namespace) -> int:
    from pteproof.hunt import _judge, _options
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
    more = ["--loaders", options.loaders]
    more += ["--planner", options.planner] if options.planner else []
    for signature, same in classes([options.out]).items():
        print(signature)
        program = same[0][1]["program"]
        for python in options.bisect:
            words = [python, "-W", "ignore", "-m", "pteproof", "hunt", "--replay", program, *more]
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

"""A file's calls in ExecuTorch's own runtime, in a child process that may die.

Loaders: "Runtime" shares all banks of all methods, which are loaded first; "portable" is
`_load_for_executorch_from_buffer`, whose methods have banks of their own and are loaded late.
"""

from __future__ import annotations

import dataclasses
import os
import pickle
import resource
import signal
import traceback
from typing import TYPE_CHECKING, Any

from pteproof.executorch._device import _difference

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import torch

    # A method, its inputs, and what eager mode returned.
    Expected = tuple[str, list[torch.Tensor], list[torch.Tensor]]

_SECONDS = 30
_MEMORY = 4 << 30  # bytes more than the process has


@dataclasses.dataclass
class Ran:
    """How a file ran.

    outcome: "agrees", "differs", "does not load", "refuses a call", "dies" or "takes too long";
    sequence and call: where; text: the difference, or the error.
    """

    outcome: str
    sequence: int = 0
    call: int = 0
    text: str = ""
    calls: int = 0  # that agree
    found: list[Any] = dataclasses.field(default_factory=list)  # outputs of that call


def run(buffer: bytes, loader: str, sequences: Sequence[Sequence[Expected]]) -> Ran:
    """Makes all sequences, each of a program that is loaded anew."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(_said(buffer, loader, sequences))
            os._exit(0)
        finally:  # whatever happens: the rest is the parent's work
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if status == 0:
        ran = pickle.loads(said)
        if isinstance(ran, Ran):
            return ran
        raise RuntimeError(ran)
    ended = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if ended == signal.SIGALRM:
        return Ran("takes too long", text=f"longer than {_SECONDS} s")
    name = signal.Signals(ended).name if ended else f"exit code {os.WEXITSTATUS(status)}"
    return Ran("dies", text=name)


def _said(buffer: bytes, loader: str, sequences: Sequence[Sequence[Expected]]) -> bytes:
    """The child's answer: how the file ran, or the traceback of a mistake of ours."""
    try:
        _limits()
        return pickle.dumps(_run(buffer, loader, sequences))
    except Exception:
        return pickle.dumps(traceback.format_exc())


def _limits() -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(_SECONDS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        pages = int(file.read().split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)


def _run(buffer: bytes, loader: str, sequences: Sequence[Sequence[Expected]]) -> Ran:
    ran = Ran("agrees")
    for ran.sequence, sequence in enumerate(sequences):
        try:
            call = _loaded(buffer, loader, sorted({name for name, _, _ in sequence}))
        except Exception as error:
            return Ran("does not load", ran.sequence, 0, _first(error), ran.calls)
        for ran.call, (name, inputs, wanted) in enumerate(sequence):
            try:
                found = list(call(name, [each.clone() for each in inputs]))
            except Exception as error:
                return Ran("refuses a call", ran.sequence, ran.call, _first(error), ran.calls)
            if text := _difference(found, wanted, None):
                kept = [each.clone() for each in found]
                return Ran("differs", ran.sequence, ran.call, text, ran.calls, kept)
            ran.calls += 1
    return ran


def _first(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def _loaded(buffer: bytes, loader: str, names: Sequence[str]) -> Callable[..., Any]:
    if loader == "Runtime":
        from executorch.runtime import Runtime, Verification

        program = Runtime.get().load_program(buffer, verification=Verification.Minimal)
        methods = {name: program.load_method(name) for name in names}
        return lambda name, inputs: methods[name].execute(inputs)
    from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer

    loaded = _load_for_executorch_from_buffer(buffer)
    return lambda name, inputs: loaded.run_method(name, tuple(inputs))

"""The shared library that lies beside this file, by its C interface (pteproof/pteproof.h)."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import dataclasses
import os
import pathlib
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from typing_extensions import Buffer

NO_SOLVER, INTERNAL, NO_MEMORY = 69, 70, 71  # codes that the command's words do not explain

_NAMES = {"darwin": "libpteproof.dylib", "win32": "pteproof.dll"}
_LOOK = 50  # milliseconds between two looks for Ctrl-C
_PATIENCE = 500  # with a call that was asked to end


class _Bytes(ctypes.Structure):
    _fields_ = (("data", ctypes.c_void_p), ("size", ctypes.c_size_t))

    def copy(self) -> bytes:
        return ctypes.string_at(self.data, self.size) if self.size else b""


class _View(ctypes.Structure):
    """Python's own Py_buffer."""

    _fields_ = (
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    )


def _opened() -> ctypes.CDLL:
    library = ctypes.CDLL(str(path()))
    call, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
    code, words = ctypes.c_int32, ctypes.POINTER(ctypes.c_char_p)
    functions = {
        "version": (text, ()),
        "call_make_of_words": (code, (words, size, ctypes.c_void_p, ctypes.POINTER(call))),
        "call_lend": (code, (call, text, ctypes.c_void_p, size)),
        "call_keep": (code, (call, text)),
        "call_start": (code, (call,)),
        "call_wait": (code, (call, ctypes.c_int64)),
        "call_stop": (None, (call,)),
        "call_code": (code, (call,)),
        "call_output": (_Bytes, (call,)),
        "call_text": (_Bytes, (call,)),
        "call_complaints": (_Bytes, (call,)),
        "call_kept": (_Bytes, (call, text)),
        "call_has_wrong_manifest": (code, (call,)),
        "call_free": (None, (call,)),
        "look_for_solver": (code, (words, size)),
        "solver": (text, ()),
        "main": (code, (words, size)),
    }
    for name, (result, arguments) in functions.items():
        function = getattr(library, f"pteproof_{name}")
        function.restype, function.argtypes = result, arguments
    return library


def path() -> pathlib.Path:
    """Returns where the library is."""
    return pathlib.Path(__file__).parent / _NAMES.get(sys.platform, "libpteproof.so")


_library = _opened()
_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = (ctypes.py_object, ctypes.POINTER(_View), ctypes.c_int)
_release_buffer = ctypes.pythonapi.PyBuffer_Release
_release_buffer.argtypes = (ctypes.POINTER(_View),)
_release_buffer.restype = None

version: str = _library.pteproof_version().decode()


@dataclasses.dataclass
class Ended:
    """What a call has left."""

    code: int
    output: bytes
    text: bytes
    complaints: bytes
    wrong_manifest: bool
    results: dict[str, bytes]


class _Call:
    """A call, with the buffers that it reads in place."""

    def __init__(self, words: Iterable[str]) -> None:
        self._views: list[_View] = []
        self.runs = False
        self.handle = ctypes.c_void_p()
        _done(_library.pteproof_call_make_of_words(*_array(words), None, self.handle))

    def lend(self, name: str, buffer: Buffer) -> None:
        view = _View()
        _get_buffer(buffer, view, 0x18)  # PyBUF_C_CONTIGUOUS, strides included: else BufferError
        self._views.append(view)
        _done(_library.pteproof_call_lend(self.handle, _text(name), view.buf, view.len))

    def start(self) -> None:
        _done(_library.pteproof_call_start(self.handle))
        self.runs = True

    def wait(self, milliseconds: int) -> bool:
        return bool(_library.pteproof_call_wait(self.handle, milliseconds))

    def ended(self, results: Iterable[str]) -> Ended:
        handle = self.handle
        return Ended(
            _library.pteproof_call_code(handle),
            _library.pteproof_call_output(handle).copy(),
            _library.pteproof_call_text(handle).copy(),
            _library.pteproof_call_complaints(handle).copy(),
            bool(_library.pteproof_call_has_wrong_manifest(handle)),
            {name: _library.pteproof_call_kept(handle, _text(name)).copy() for name in results},
        )

    def free(self) -> None:
        """Waits for its end."""
        _library.pteproof_call_free(self.handle)
        for view in self._views:
            _release_buffer(view)
        self._views.clear()


_left: list[_Call] = []  # asked to end, and still running


def run(
    words: Iterable[str], files: dict[str, Buffer], results: Iterable[str], seconds: float
) -> Ended:
    """Runs the command with these words, lets Python's other threads run, and heeds Ctrl-C.

    files: read in place, by name. results: files that are kept instead of written.
    seconds: TimeoutError after so many; 0: none.
    """
    with _freed(_Call(words)) as call:
        for name, buffer in files.items():
            call.lend(name, buffer)
        for name in results:
            _done(_library.pteproof_call_keep(call.handle, _text(name)))
        call.start()
        started = time.monotonic()
        while not call.wait(_LOOK):
            if seconds and time.monotonic() - started >= seconds:
                raise TimeoutError("the time is over")
        return call.ended(results)


@contextlib.contextmanager
def _freed(call: _Call) -> Iterator[_Call]:
    """Of a call that is interrupted, the end is asked for, but not waited for without limit."""
    try:
        yield call
    except BaseException:
        _library.pteproof_call_stop(call.handle)
        if call.runs and not call.wait(_PATIENCE):
            _left.append(call)
        else:
            call.free()
        raise
    call.free()


@atexit.register
def _wait_for_calls() -> None:
    """Calls that were left behind hold buffers."""
    while _left:
        _left.pop().free()


def main(words: Iterable[str]) -> int:
    """Runs the command itself, with the streams and signals of the process."""
    return int(_library.pteproof_main(*_array(words)))


def look_for_solver(candidates: Iterable[str]) -> None:
    """Says which files may be Z3's library, in order of preference."""
    _done(_library.pteproof_look_for_solver(*_array(candidates)))


def solver() -> str | None:
    """Returns the library of Z3 that is open, after opening it; None: there is none."""
    opened = _library.pteproof_solver()
    return os.fsdecode(opened) if opened else None


def _text(word: str) -> bytes:
    encoded = os.fsencode(word)
    if b"\0" in encoded:
        raise ValueError("embedded null byte")
    return encoded


def _array(words: Iterable[str]) -> tuple[ctypes.Array[ctypes.c_char_p], int]:
    encoded = [_text(word) for word in words]
    return (ctypes.c_char_p * len(encoded))(*encoded), len(encoded)


def _done(code: int) -> None:
    """Of what does not depend on the caller's input but for memory."""
    if code == NO_MEMORY:
        raise MemoryError("out of memory")
    if code != 0:
        raise RuntimeError(f"the library refused a call, with code {code}")

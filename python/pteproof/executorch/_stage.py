"""A line on a terminal that says what a long export does, and for how many seconds."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

_ERASE = "\r\x1b[K"


class Stage:
    """While it is entered, standard error has the line. Nothing is shown where that is a file."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._started = time.monotonic()
        self._over = threading.Event()
        self._clock = threading.Thread(target=self._renew, daemon=True)

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._show()
            self._clock.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._clock.ident is None:
            return
        self._over.set()
        self._clock.join()
        _write(_ERASE)

    def _show(self) -> None:
        _write(f"{_ERASE}{self.what}, {int(time.monotonic() - self._started)} s")

    def _renew(self) -> None:
        while not self._over.wait(1.0):
            self._show()


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()

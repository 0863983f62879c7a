"""From Python arguments to the words of a command line, and the files that lie in memory."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, Union, runtime_checkable

from pteproof._call import Outcome, call

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from typing_extensions import Buffer


@runtime_checkable
class ProgramManager(Protocol):
    """What ExecuTorch's to_executorch returns, as far as it is used here."""

    @property
    def buffer(self) -> bytes:
        """The program file's bytes."""

    def write_to_file(self, open_file: Any) -> None:
        """Writes the same to a file."""


class Module(str):
    """The text of a Module (docs/reference/modules.md), where a program's path may stand, too.

    data: the values that the text refers to, by the names of their files; they are read in place,
      and must not change as long as the Module is used.
    """

    __slots__ = ("data",)
    data: dict[str, Buffer]

    def __new__(cls, text: str, data: Mapping[str, Buffer] | None = None) -> Module:
        """Makes a Module of its text, and of the values that the text refers to."""
        made = super().__new__(cls, text)
        made.data = dict(data or {})
        return made

    def save(self, path: Path) -> None:
        """Writes the text, and the values that it refers to into a file of its name and `.bin`."""
        path = pathlib.Path(path)
        beside = path.with_name(f"{path.name}.bin")
        path.write_text(self._text_beside(beside) if self.data else self, encoding="utf-8")

    def _text_beside(self, beside: pathlib.Path) -> str:
        """The text, after the values are written into a file beside it."""
        references = {}
        with beside.open("wb") as file:
            for name, values in self.data.items():
                view = memoryview(values).cast("B")
                digest = hashlib.sha256(view).hexdigest()
                place = f"[{file.tell()}, {len(view)}, {json.dumps(digest)}]"
                references[name] = f"data {json.dumps(beside.name)}{place}"
                file.write(view)
        return _REFERENCE.sub(lambda found: references[json.loads(found[1])], self)


# As they stand behind a buffer's type.
_REFERENCE = re.compile(r'(?<== )data ("[^"\\\n]*")\[0, \d+\]')


Path: TypeAlias = Union[str, "os.PathLike[str]"]
# A path, the bytes of a file in anything that has a buffer, or what to_executorch returned.
Program: TypeAlias = Union[Path, "Buffer", ProgramManager]
# A path, the bytes of a file, or its JSON object; False: not even one that lies beside the program.
Manifest: TypeAlias = Union[Path, "Mapping[str, Any]", Literal[False], None]
Policy: TypeAlias = Literal["private", "share-1-2", "share-all"]
Load: TypeAlias = Literal["lazy", "all-first"]


def file_text(content: Mapping[str, Any]) -> str:
    """The text of a JSON file of ours. A certificate names a manifest by the hash of its text."""
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


class Words:
    """The words of one call, built argument by argument."""

    def __init__(self, verb: str) -> None:
        self.words = [verb]
        self.files: dict[str, Buffer] = {}
        self.results: list[str] = []

    def call(self, seconds: float | None = None) -> Outcome:
        """Runs the command with them, for at most so many seconds."""
        return call(self.words, self.files, self.results, seconds)

    def program(self, program: Program, name: str = "<program>") -> None:
        """Adds a program, or another file that comes first. `name` stands for one in memory."""
        if isinstance(program, ProgramManager):
            self._content(name, program.buffer)
            for key, content in getattr(program, "_tensor_data", {}).items():
                self.words += ["--data", self._keep(f"<{key}.ptd>", bytes(content))]
            if (sources := getattr(program, "sources", None)) is not None:
                self._keep(f"{name}.source.json", json.dumps(sources).encode())
        elif isinstance(program, Module):
            self._content(f"{name}.module", program.encode())
            for key, values in program.data.items():
                self._keep(f"{name}.module#{key}", values)
        elif isinstance(program, (str, os.PathLike)):
            self.words.append(_path(program))
        else:
            self._content(name, program)

    def option(self, name: str, value: object) -> None:
        """Adds `--name value`, unless the value is None."""
        if value is not None:
            self.words += [f"--{name}", str(value)]

    def flag(self, name: str, on: bool) -> None:
        """Adds `--name`, if it is on."""
        if on:
            self.words.append(f"--{name}")

    def manifest(self, manifest: Manifest, trust: bool) -> None:
        """Adds the manifest, and whether one that is found is trusted."""
        if manifest is False:
            self.words.append("--no-manifest")
        elif isinstance(manifest, (str, os.PathLike)):
            self.words += ["--manifest", _path(manifest)]
        elif manifest is not None:
            text = file_text(manifest).encode()
            self.words += ["--manifest", self._keep("<manifest>", text)]
        self.flag("trust-manifests", trust)

    def data(self, data: Iterable[Path | Buffer]) -> None:
        """Adds data files (.ptd)."""
        if isinstance(data, (str, os.PathLike)):
            data = [data]
        for index, each in enumerate(data):
            if isinstance(each, (str, os.PathLike)):
                self.words += ["--data", _path(each)]
            else:
                self.words += ["--data", self._keep(f"<data {index}>", each)]

    def operators(self, operators: Iterable[Path]) -> None:
        """Adds files of signatures."""
        for each in [operators] if isinstance(operators, (str, os.PathLike)) else operators:
            self.words += ["--operators", _path(each)]

    def result(self, option: str, name: str) -> None:
        """Asks for a file that is returned instead of written."""
        self.words += [option, name]
        self.results.append(name)

    def _content(self, name: str, content: Buffer) -> None:
        self.words.append(self._keep(name, content))

    def _keep(self, name: str, content: Buffer) -> str:
        self.files[name] = content
        return name


def _path(path: Path) -> str:
    """The path as a word: neither a flag nor the standard input."""
    word = os.fspath(path)
    return os.path.join(".", word) if word.startswith("-") else word

"""A program through the exporter, as its options say."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import signal
import warnings
from typing import TYPE_CHECKING, Any

import torch
from torch.export import Dim, export

from pteproof.executorch import manifest, module
from pteproof.executorch._state import copied
from pteproof.executorch._tried import _updated
from pteproof.hunt import _options
from pteproof.hunt._calls import example_of
from pteproof.hunt._model import TorchModel, built
from pteproof.hunt._source import NotExpressibleError, dynamic_shapes
from pteproof.hunt._warm import keep_operators, register_quickly

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pteproof._words import Module as Text
    from pteproof.hunt._program import Program
    from pteproof.hunt._text import Method


OF_MODEL = "model"  # the stage in which the model is made


class RefusedError(Exception):
    """The exporter does not take a program: the stage, and its words."""

    def __init__(self, stage: str, error: BaseException) -> None:
        self.stage = stage
        self.error = error
        lines = str(error).strip().splitlines() or [""]
        super().__init__(f"{stage}: {type(error).__name__}: {lines[0][:200]}")


@dataclasses.dataclass
class Exported:
    """What came out of the exporter."""

    model: TorchModel
    made: Any  # what to_executorch returned
    buffer: bytes
    updated: dict[str, list[int]]  # inputs that are returned ahead of the outputs
    exported: dict[str, Any]
    text: Text | None  # what the edge program computes, if it was asked for
    _facts: dict[str, Any] = dataclasses.field(default_factory=dict)

    def facts(self, policy: str, load: str) -> dict[str, Any]:
        """The manifest, for a loader."""
        if not self._facts:
            self._facts = manifest(self.exported, lowered=self.made)
        first = {"pteproof": self._facts["pteproof"], "policy": policy, "load": load}
        return {**first, **self._facts}


class TimeError(Exception):
    """An export takes too long."""


def exported(program: Program, with_text: bool = False, seconds: int = 60) -> Exported:
    """Exports a program. Raises RefusedError."""

    def late(*_: Any) -> None:
        raise TimeError(f"the export takes longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _exported(program, with_text)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _exported(program: Program, with_text: bool) -> Exported:
    stage = OF_MODEL
    try:
        model = built(program.module, program.lines())
        stage = "torch.export"
        made = {m.name: _of_method(program, m, model) for m in program.module.methods}
        stage = "to_edge"
        space = {"exported": made, **_options.space_of(program.options)}
        edge = eval(_options.lowering_line(program.options), space)
        text = module(made, edge) if with_text else None
        # Folding takes constants out of the programs that were exported.
        kept = copied(made) if program.options.fold else made
        updated = {name: _updated(edge.exported_program(name)) for name in made}
        stage = "to_executorch"
        config = eval(_options.config_line(program.options, list(made)), space)
        lowered = edge.to_executorch(config)
        return Exported(model, lowered, bytes(lowered.buffer), updated, kept, text)
    except (KeyboardInterrupt, MemoryError, NotExpressibleError):
        raise
    except Exception as error:
        raise RefusedError(stage, error) from error


def _of_method(program: Program, method: Method, model: TorchModel) -> Any:
    shapes = dynamic_shapes(method)
    if shapes is None:
        return export(model.methods[method.name], tuple(example_of(method)))
    dims = dict(_dims(method, program.options.unbounded))
    given = {name: {k: dims[dim] for k, dim in sizes.items()} for name, sizes in shapes.items()}
    return export(model.methods[method.name], tuple(example_of(method)), dynamic_shapes=given)


def _dims(method: Method, unbounded: bool) -> Iterator[tuple[str, Any]]:
    for name, lower, upper, _ in method.dims:
        yield name, Dim(name, min=lower) if unbounded else Dim(name, min=lower, max=upper)


def set_up() -> None:
    """One thread, and silence, before the first export of a process."""
    # Custom operators, and the runtime, which children use.
    for name in ("executorch.exir", "executorch.runtime", "torchao"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    keep_operators()
    register_quickly()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")

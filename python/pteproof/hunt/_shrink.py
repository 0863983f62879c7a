"""Smaller programs that show the same: a find cut down to what it needs.

Cuts are made on the Module: whole methods, options, sequences, ranges of nodes (whose uses get
another value of the type), outputs, stores, inputs, buffers. Each cut is exported and judged again;
one that gives another row or rule is undone.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import time
from typing import TYPE_CHECKING

from pteproof.hunt._export import RefusedError
from pteproof.hunt._layers import prune
from pteproof.hunt._options import Options
from pteproof.hunt._rewrite import types_of, uses
from pteproof.hunt._source import NotExpressibleError
from pteproof.hunt._text import Node, nodes_of, replaced, values_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pteproof.hunt._judge import Judged
    from pteproof.hunt._program import Program
    from pteproof.hunt._text import Method

    Judging = Callable[[Program], Judged]


@dataclasses.dataclass
class Shrunk:
    """The smallest program found, and what was judged of it."""

    program: Program
    judged: Judged
    tried: int = 0


def shrink(
    program: Program, judged: Judged, judge: Judging, seconds: float, by_clock: float
) -> Shrunk:
    """Cuts as long as there is time, of this process: a busy machine does not make finds larger.

    by_clock: the most seconds in all, as runs that hang take none of this process.
    """
    best = Shrunk(_with_sequence(program, judged), judged)
    until, end = time.process_time() + seconds, time.monotonic() + by_clock
    wanted = (judged.row, judged.why if judged.finding else "")

    def is_time() -> bool:
        return time.process_time() < until and time.monotonic() < end

    def holds(smaller: Program) -> bool:
        best.tried += 1
        try:
            found = judge(smaller)
        except (NotExpressibleError, RefusedError):
            return False
        if (found.row, found.why if judged.finding else "") != wanted:
            return False
        best.program, best.judged = smaller, found
        return True

    if not holds(best.program):  # another sequence mattered
        best.program = copy.deepcopy(program)
    went_on = True
    while went_on and is_time():
        went_on = False
        for cuts in _CUTS:
            went_on = _pass(best, cuts, holds, is_time) or went_on
    return best


def _pass(
    best: Shrunk,
    cuts: Callable[[Program], Iterable[Program]],
    holds: Callable[[Program], bool],
    is_time: Callable[[], bool],
) -> bool:
    """Tries cuts of a kind; after one that holds, those of the smaller program from there on."""
    any_held = False
    k = 0
    while is_time():
        smaller = next((p for at, p in enumerate(cuts(best.program)) if at == k), None)
        if smaller is None:
            return any_held
        if holds(smaller):
            any_held = True
        else:
            k += 1
    return any_held


def _with_sequence(program: Program, judged: Judged) -> Program:
    """Only the sequence that shows it, up to its last call."""
    smaller = copy.deepcopy(program)
    ran = judged.ran
    if ran is not None and ran.sequence < len(smaller.sequences):
        sequence = smaller.sequences[ran.sequence]
        if ran.outcome in ("differs", "refuses a call"):
            sequence = sequence[: ran.call + 1]
        smaller.sequences = [sequence]
    return smaller


def _methods(program: Program) -> Iterator[Program]:
    names = [m.name for m in program.module.methods]
    for size in {len(names) - 1, 1}:
        for at in range(len(names) - size + 1):
            if size < 1 or size >= len(names):
                continue
            yield _without_methods(program, set(names[at : at + size]))


def _without_methods(program: Program, names: set[str]) -> Program:
    smaller = copy.deepcopy(program)
    smaller.module.methods = [m for m in smaller.module.methods if m.name not in names]
    smaller.sequences = [[c for c in s if c[0] not in names] for s in smaller.sequences]
    return _pruned(smaller)


def _options(program: Program) -> Iterator[Program]:
    drawn = program.options.drawn()
    default = Options()
    groups = [drawn] if len(drawn) > 1 else []
    for names in [*groups, *([name] for name in drawn)]:
        smaller = copy.deepcopy(program)
        for name in names:
            setattr(smaller.options, name, getattr(default, name))
        if not smaller.options.reinplace:
            smaller.options.extra = []
        yield smaller


def _calls(program: Program) -> Iterator[Program]:
    for s, sequence in enumerate(program.sequences):
        for at in range(len(sequence)):
            if len(sequence) > 1:
                smaller = copy.deepcopy(program)
                del smaller.sequences[s][at]
                yield smaller


def _nodes(program: Program) -> Iterator[Program]:
    for m, method in enumerate(program.module.methods):
        count = len(method.nodes)
        size = count
        while size:
            for at in range(0, count - size + 1, max(1, size // 2)):
                smaller = copy.deepcopy(program)
                _cut_nodes(smaller, m, at, size)
                yield _pruned(smaller)
            size //= 2


def _cut_nodes(program: Program, m: int, at: int, size: int) -> None:
    """Values of the nodes become others of their type, made before; else their uses are cut."""
    method = program.module.methods[m]
    cut = method.nodes[at : at + size]
    types = types_of(method, program.module)
    before = [name for name, _ in method.inputs] + [name for name, _ in method.entries]
    before += [name for node in method.nodes[:at] for name, _ in node.results]
    names: dict[str, str] = {}
    gone: set[str] = set()
    for node in cut:
        own = [names.get(v, v) for v in values_in(node.operands)]
        for name, kind in node.results:
            fitting = [v for v in [*reversed(before), *own] if types.get(v) == kind]
            near = [v for v in own if v in before and types.get(v) == kind]
            if near or fitting:
                names[name] = (near or fitting)[0]
            else:
                gone.add(name)
    del method.nodes[at : at + size]
    _rename(method, names)
    _drop_uses(method, gone)


def _rename(method: Method, names: dict[str, str]) -> None:
    for node in nodes_of(method.nodes):
        node.operands = replaced(node.operands, names)
    method.outputs = [names.get(v, v) for v in method.outputs]
    method.stores = [(target, names.get(v, v)) for target, v in method.stores]


def _drop_uses(method: Method, gone: set[str]) -> None:
    """Leaves out nodes that use values which are gone, and what uses theirs."""
    kept: list[Node] = []
    for node in method.nodes:
        if gone & set(values_in(node.operands)):
            gone.update(name for name, _ in node.results)
        else:
            kept.append(node)
    method.nodes = kept
    method.outputs = [v for v in method.outputs if v not in gone]
    method.stores = [(target, v) for target, v in method.stores if v not in gone]


def _bodies(program: Program) -> Iterator[Program]:
    """Nodes of regions, one by one; of a region that returns one, its parameter."""
    for m, method in enumerate(program.module.methods):
        for n, node in enumerate(method.nodes):
            for r, region in enumerate(node.regions):
                for at in range(len(region.nodes)):
                    smaller = copy.deepcopy(program)
                    inner = smaller.module.methods[m].nodes[n].regions[r]
                    if _cut_in_region(inner, at):
                        yield smaller


def _cut_in_region(region: object, at: int) -> bool:
    nodes = region.nodes  # type: ignore[attr-defined]
    node = nodes[at]
    params = dict(region.params)  # type: ignore[attr-defined]
    before = {**params, **{name: kind for each in nodes[:at] for name, kind in each.results}}
    names = {}
    for name, kind in node.results:
        fitting = [v for v, other in before.items() if other == kind]
        if not fitting:
            return False
        names[name] = fitting[-1]
    del nodes[at]
    for each in nodes_of(nodes):
        each.operands = replaced(each.operands, names)
    region.results = [names.get(v, v) for v in region.results]  # type: ignore[attr-defined]
    return True


def _without_one(lists: str, program: Program) -> Iterator[Program]:
    for m, method in enumerate(program.module.methods):
        for at in range(len(getattr(method, lists))):
            smaller = copy.deepcopy(program)
            del getattr(smaller.module.methods[m], lists)[at]
            yield _pruned(smaller)


def _inputs(program: Program) -> Iterator[Program]:
    for m, method in enumerate(program.module.methods):
        for at, (name, _) in enumerate(method.inputs):
            if not _is_used(method, name):
                smaller = copy.deepcopy(program)
                del smaller.module.methods[m].inputs[at]
                smaller.sequences = [
                    [(c, x[:at] + x[at + 1 :]) if c == method.name else (c, x) for c, x in s]
                    for s in smaller.sequences
                ]
                yield smaller


def _is_used(method: Method, value: str) -> bool:
    used = {v for node in method.nodes for v in values_in(node.operands)}
    used |= set(method.outputs) | {v for pair in method.stores for v in pair}
    return value in used


def _values(program: Program) -> Iterator[Program]:
    """Buffers that begin with zeros."""
    for b, buffer in enumerate(program.module.buffers):
        if buffer.values is not None:
            smaller = copy.deepcopy(program)
            smaller.module.buffers[b].values = None
            smaller.options.initial = [n for n in smaller.options.initial if n != buffer.name]
            yield smaller


def _pruned(program: Program) -> Program:
    """Without nodes, entries and buffers that nothing uses."""
    for method in program.module.methods:
        used = set(method.outputs) | {v for _, v in method.stores}
        kept: list[Node] = []
        for node in reversed(method.nodes):
            results = {name for name, _ in node.results}
            if results & used or node.op.endswith("_") or "_." in node.op or "torch:" in node.op:
                kept.append(node)
                used |= set(values_in(node.operands))
        method.nodes = kept[::-1]
        stored = {target[1:] for target, _ in method.stores}
        method.entries = [(v, b) for v, b in method.entries if v in used or b in stored]
    module = program.module
    if program.kind == "layers":
        prune(module)
    else:
        module.buffers = [b for b in module.buffers if any(uses(m, b.name) for m in module.methods)]
    names = {b.name for b in module.buffers}
    program.options.initial = [name for name in program.options.initial if name in names]
    return program


_CUTS = (
    _options,
    _methods,
    functools.partial(_without_one, "outputs"),
    functools.partial(_without_one, "stores"),
    _nodes,
    _bodies,
    _inputs,
    _values,
    _calls,
)

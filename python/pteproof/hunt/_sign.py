"""The signature of a find: equal signatures are one class, until somebody looks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pteproof.hunt import _judge
from pteproof.hunt._operators import CALLS, IN_PLACE, VIEWS
from pteproof.hunt._text import nodes_of

if TYPE_CHECKING:
    from pteproof.hunt._judge import Judged
    from pteproof.hunt._program import Program

_REGIONS = ("cond", "map", "scan", "while")


def signature(program: Program, judged: Judged) -> str:
    """Before shrinking: the row, the rule or the error, and what the rule is about."""
    words = [judged.row, _why(judged)]
    if judged.finding is not None and judged.row != _judge.MISS:
        words += _about(program, judged)
    elif judged.row in (_judge.KERNEL, _judge.ANOTHER):
        words += _without_rule(program, judged)
    return " | ".join(words)


def shrunk_signature(program: Program, judged: Judged) -> str:
    """After shrinking: all that is left matters, classes of operators and options."""
    kinds = _kinds(program)
    stores = sum(len(m.stores) for m in program.module.methods)
    kinds |= {"store"} if stores == 1 else {"stores"} if stores else set()
    kinds |= {"clash"} if _clashes(program) else set()
    words = [judged.row, _why(judged), " ".join(sorted(kinds)), " ".join(program.options.drawn())]
    return " | ".join(words)


def _why(judged: Judged) -> str:
    """Without numbers and names; of a kernel it is one of all operators of the program."""
    if judged.row == _judge.KERNEL:
        return ""
    return re.sub(r"\"[^\"]*\"|'[^']*'|\d+", "#", judged.why)[:160]


def _about(program: Program, judged: Judged) -> list[str]:
    """What decides between two finds of one rule."""
    words = []
    options = program.options
    if judged.why in ("region-escape", "alias-lifetime", "plan-overlap"):
        used = {n.op for m in program.module.methods for n in nodes_of(m.nodes)}
        used |= {w for w in _REGIONS if any(f"{w}(" in op for op in used)}
        words.append(" ".join(sorted(used & set(_REGIONS))))
    if judged.why in ("write-back-missing", "entry-value-lost", "output-misbound"):
        words.append("clash" if _clashes(program) else "no clash")
    words.append("in place" if options.reinplace else "")
    words.append("initial" if options.initial else "")
    words.append("shared" if options.share else "")
    return words


def _without_rule(program: Program, judged: Judged) -> list[str]:
    """What a run says, where no finding does."""
    text = judged.ran.text if judged.ran is not None else ""
    kind = "sizes" if "instead of torch." in text else "count" if "outputs" in text else "values"
    regions = sorted(w for w in _REGIONS if w in _kinds(program))
    ranged = "ranged" if any(m.dims for m in program.module.methods) else ""
    options = [n for n in ("fold", "delegate", "initial", "each") if getattr(program.options, n)]
    return [kind, " ".join(regions), ranged, " ".join(options)]


def _kinds(program: Program) -> set[str]:
    return {_class(n.op) for m in program.module.methods for n in nodes_of(m.nodes)}


def _clashes(program: Program) -> bool:
    names = {buffer.name for buffer in program.module.buffers}
    return any(name[1:] in names for m in program.module.methods for name, _ in m.inputs)


def _class(op: str) -> str:
    if op in VIEWS:
        return "view"
    if op in IN_PLACE:
        return "update"
    if op in CALLS:
        return "operator"
    if op.startswith("torch:"):
        return next((w for w in _REGIONS if f"{w}(" in op), "layer")
    return op

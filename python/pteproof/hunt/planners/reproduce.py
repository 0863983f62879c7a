"""A find as a script of its own: in Python with the specs, or in shell with the table.

It prints what is expected and what comes, and ends with 1 as long as the planner is wrong.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from pteproof.hunt.planners.command import table_of
from pteproof.hunt.planners.problem import permuted
from pteproof.hunt.planners.validate import LAWS

if TYPE_CHECKING:
    from pteproof.hunt.planners.laws import Find, Planner

_PYTHON = '''\
"""{title}"""
import {modules}
{imports}
{planner}

# bytes, first and last point of life, bank, the storage that it lies in, bytes before it there
STORAGES = [
{rows}
]
{module}


def plan(order):
    specs = {specs}
    for spec, (size, first, last, bank, base, inside) in zip(specs, STORAGES):
        spec.shape, spec.lifetime, spec.mem_id = [size], [first, last], bank
        if base is not None:
            spec.storage_base, spec.storage_base_offset = specs[base], inside
    module.input_mem_buffer_sizes = {taken}
    result = planner({alignment}, [specs[k] for k in order], module, signature, {padding})
    chosen = getattr(result, "spec_dict", None)
    found = [spec if chosen is None else chosen.get(spec) for spec in specs]
    sizes = list(result if chosen is None else result.bufsizes)
    return [x and (x.mem_id, x.mem_offset) for x in found], sizes


print("expected:", {law!r})
places, sizes = plan(range({count}))
print("got:", *(f"{{k}}: {{place}}" for k, place in enumerate(places)), "sizes of banks:", sizes)
{size_of}sys.exit({wrong})
'''

_EXECUTORCH = {
    "imports": """import torch
from executorch.exir.tensor import TensorSpec
from torch.export.graph_signature import ExportGraphSignature""",
    "module": """module = torch.fx.GraphModule(torch.nn.Module(), torch.fx.Graph())
signature = ExportGraphSignature([], [])""",
    "spec": "TensorSpec(torch.uint8, [1])",
}
_WITHOUT = {
    "imports": """from types import SimpleNamespace
from pteproof.hunt.planners.specs import Spec""",
    "module": """module = SimpleNamespace(graph=SimpleNamespace(nodes=()), meta={})
signature = None""",
    "spec": "Spec(None, [1])",
}


def script_of(planner: Planner, find: Find) -> tuple[str, str]:
    """The script, and the ending of its name."""
    if isinstance(planner.planner, str):
        return _shell(planner.planner, find), "sh"
    return _python(planner.planner, find), "py"


def text_of(find: Find, seed: int, script: str) -> str:
    """What a find is, with its script."""
    share = f"{find.count} problems" if find.count > 1 else "1 problem"
    return f"{find.title}\n  {share}, the first is {seed}:{find.number}; smaller:\n\n{script}\n"


def _python(planner: Any, find: Find) -> str:
    problem, count = find.problem, len(find.problem.storages)
    rows = [
        f"    ({x.size}, {x.lives[0][0]}, {x.lives[0][1] - 1}, {x.bank or None}, "
        f"{x.base if x.base >= 0 else None}, {x.inside}),"
        for x in problem.storages
    ]
    wrong = {
        "repeat": f"any(plan(range({count}))[0] != places for _ in range(20))",
        "order": f"plan({list(find.order)})[0] != places",
    }.get(find.kind, find.mistake.wrong)
    size_of = "size_of = lambda bank: (sizes + 99 * [0])[bank]\n" if "size_of" in wrong else ""
    made = _EXECUTORCH if _has_executorch() else _WITHOUT
    specs = f"[{made['spec']} for _ in STORAGES]"
    if find.kind == "repeat":  # other objects in each call, in any order in memory
        specs = f"random.sample([{made['spec']} for _ in range(99)], len(STORAGES))"
    return _PYTHON.format(
        modules="random, sys" if find.kind == "repeat" else "sys",
        specs=specs,
        title=find.title.replace("\\", "/").replace('"', "'"),
        planner=_how_to_get(planner),
        rows="\n".join(rows),
        taken=list(problem.taken) or [0, 0],
        alignment=problem.alignment,
        padding=problem.padding,
        law=LAWS[find.mistake.law],
        count=count,
        wrong=wrong or "0",  # it raises before that
        size_of=size_of,
        imports=made["imports"],
        module=made["module"],
    )


def _has_executorch() -> bool:
    try:
        import executorch.exir.tensor  # noqa: F401
    except ImportError:
        return False
    return True


def _how_to_get(planner: Any) -> str:
    """A line that names the planner."""
    module = inspect.getmodule(planner)
    name = getattr(planner, "__qualname__", "<unknown>")
    if module is None or not name.isidentifier() or module.__name__ == "__main__":
        return "planner = ...  # put the planner here"
    return f"from {module.__name__} import {name} as planner"


def _shell(command: str, find: Find) -> str:
    lines = [
        "#!/bin/sh",
        f"# {find.title}",
        f"echo 'expected: {LAWS[find.mistake.law]}'",
        *_file("in.csv", table_of(find.problem)),
        f"{_started(command, 'in.csv', 'out.csv')} || exit 1",
    ]
    if find.kind == "repeat":
        lines += [_started(command, "in.csv", "again.csv"), "cmp out.csv again.csv"]
    elif find.kind == "order":
        names = [f"s{index}" for index in find.order]
        lines += [
            *_file("other.csv", table_of(permuted(find.problem, find.order), names)),
            _started(command, "other.csv", "moved.csv"),
            "sort -o out.csv out.csv && sort -o moved.csv moved.csv && diff out.csv moved.csv",
        ]
    elif find.kind in ("overlap", "alignment"):
        lines.append("pteproof place --verify out.csv")
    else:
        lines += ["cat out.csv", "exit 1"]
    return "\n".join([*lines, ""])


def _file(name: str, text: str) -> list[str]:
    return [f"cat > {name} <<'END'", f"{text}END"]


def _started(command: str, given: str, answer: str) -> str:
    words = command.replace("{in}", given).replace("{out}", answer)
    words += "" if "{in}" in command else f" < {given}"
    return words + ("" if "{out}" in command else f" > {answer}")

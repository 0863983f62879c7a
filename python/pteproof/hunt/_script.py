"""A find as a script that needs torch and executorch alone, of at most 40 lines if it is small."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pteproof.hunt import _options
from pteproof.hunt._source import IMPORTS, class_of, dynamic_shapes

if TYPE_CHECKING:
    import torch

    from pteproof.hunt._judge import Judged
    from pteproof.hunt._program import Program


def script(program: Program, judged: Judged) -> str:
    """Exports the model, makes the calls, and prints what PyTorch and ExecuTorch return."""
    names = [method.name for method in program.module.methods]
    lines = [f'"""{_title(judged)}"""', "import torch", "from torch import nn"]
    model = program.lines()
    source = "\n".join(model)
    if "functional." in source:
        lines.append("from torch.nn import functional")
    lines += [line for name, line in IMPORTS.items() if re.search(rf"\b{name}\(", source)]
    lines += _options.import_lines(program.options)
    lines.append(_LOADERS[judged.loader or "Runtime"][0])
    lines += model
    models = ", ".join(f'"{m.name}": {class_of(m)}().eval()' for m in program.module.methods)
    lines.append(f"models = {{{models}}}")
    if len(names) > 1:
        lines.append(
            f'for model in models.values(): model.__dict__ = models["{names[0]}"].__dict__'
        )
    lines.append(
        "T = lambda values, sizes, dtype: torch.tensor(values, dtype=dtype).reshape(sizes)"
    )
    lines += _exports(program)
    lines.append(f"edge = {_options.lowering_line(program.options)}")
    lines.append(f"program = edge.to_executorch({_options.config_line(program.options, names)})")
    lines += _LOADERS[judged.loader or "Runtime"][1]
    lines += _calls(program, judged)
    return "\n".join(lines) + "\n"


# How a file is loaded, and `execute(method, inputs)`.
_LOADERS = {
    "Runtime": (
        "from executorch.runtime import Runtime, Verification",
        [
            "minimal = Verification.Minimal",
            "loaded = Runtime.get().load_program(program.buffer, verification=minimal)",
            "methods = {name: loaded.load_method(name) for name in models}",
            "execute = lambda name, inputs: methods[name].execute(inputs)",
        ],
    ),
    "portable": (
        "from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer",
        [
            "loaded = _load_for_executorch_from_buffer(program.buffer)",
            "execute = lambda name, inputs: loaded.run_method(name, tuple(inputs))",
        ],
    ),
}


def _title(judged: Judged) -> str:
    why = judged.why.replace("\\", "").replace('"', "'")
    return f"{judged.row}: {why}"


def _exports(program: Program) -> list[str]:
    lines = ["exported = {}"]
    for method in program.module.methods:
        sizes = {name: upper if hint is None else hint for name, _, upper, hint in method.dims}
        examples = []
        for name, kind in method.inputs:
            shape = [size if isinstance(size, int) else sizes[size] for size in kind.sizes]
            dtype = "" if kind.dtype == "float32" else f", dtype=torch.{kind.dtype}"
            last = ".to(memory_format=torch.channels_last)" if name in method.channels_last else ""
            examples.append(f"torch.zeros({shape}{dtype}){last}")
        given = f"({', '.join(examples)}{',' if examples else ''})"
        shapes = dynamic_shapes(method)
        words = ""
        if shapes is not None:
            dims = {name: (lower, upper) for name, lower, upper, _ in method.dims}
            for name, (lower, upper) in dims.items():
                most = "" if program.options.unbounded else f", max={upper}"
                lines.append(f'{name} = torch.export.Dim("{name}", min={lower}{most})')
            words = f", dynamic_shapes={shapes}"
            words = re.sub(r"(\d+): '(\w+)'", r"\1: \2", words)
        lines.append(
            f'exported["{method.name}"] = '
            f'torch.export.export(models["{method.name}"], {given}{words})'
        )
    return lines


def _calls(program: Program, judged: Judged) -> list[str]:
    lines = ["calls = ["]
    for name, inputs in program.sequences[judged.ran.sequence if judged.ran else 0]:
        lines.append(f'    ("{name}", [{", ".join(map(_tensor, inputs))}]),')
    return [
        *lines,
        "]",
        "for name, inputs in calls:",
        "    given = [each.clone() for each in inputs]",
        "    got = execute(name, [each.clone() for each in inputs])",
        "    wanted = models[name](*given)",
        "    print(name, 'expected', wanted, 'updated inputs', given, 'got', got, sep='\\n')",
    ]


def _tensor(tensor: torch.Tensor) -> str:
    values = tensor.contiguous().reshape(-1).tolist()
    text = f"T({values}, {list(tensor.shape)}, {tensor.dtype})"
    text = text.replace("nan", 'float("nan")').replace("inf", 'float("inf")')
    last = tensor.dim() == 4 and not tensor.is_contiguous()
    return text + (".to(memory_format=torch.channels_last)" if last else "")

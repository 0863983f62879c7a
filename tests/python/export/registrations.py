"""The operators that ExecuTorch's wheel registers, as its files say: YAML, Python, and texts in its libraries.

Nothing is imported, so that a folder with the unpacked wheel will do. `python registrations.py FOLDER` prints them.
"""

import ast
import pathlib
import re
import sys

# Of the libraries whose calls stand in program files. The others exist before a delegate takes them, or in examples.
LIBRARIES = (
    "cadence",
    "cortex_m",
    "dim_order_ops",
    "et_copy",
    "executorch",
    "llama",
    "preprocess",
    "quantized_decomposed",
)
# A C string that is a signature with memory for its result, without the library's name.
IN_LIBRARY = re.compile(rb"\0([a-z_]\w*\.\w*out\([A-Z][ -~]*\) -> [ -~]+?)\0")
COMPILED = {
    "llama": "extension/llm/custom_ops/*custom_ops_aot_lib*",
    "quantized_decomposed": "kernels/quantized/*quantized_ops_aot_lib*",
}
CUSTOM = {"torch.Tensor": "Tensor", "Tuple[torch.Tensor, torch.Tensor]": "(Tensor, Tensor)"}


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _library(call: ast.Call) -> str | None:
    """The name in `Library("name", "DEF")`."""
    named = ast.unparse(call.func).split(".")[-1] == "Library" and call.args
    return _text(call.args[0]) if named else None


def _from_function(function: ast.FunctionDef, call: ast.Call) -> str:
    """The signature of a function below `@custom_op("library::name", ...)`."""
    arguments = [f"{CUSTOM[ast.unparse(a.annotation)]} {a.arg}" for a in function.args.args]
    return (
        f"{_text(call.args[0])}({', '.join(arguments)}) -> {CUSTOM[ast.unparse(function.returns)]}"
    )


def of_python(text: str) -> list[str]:
    """Signatures in `lib.define("...")`, and of functions below `@custom_op("...")`."""
    nodes = list(ast.walk(ast.parse(text)))
    libraries = {
        node.targets[0].id: _library(node.value)
        for node in nodes
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and isinstance(node.targets[0], ast.Name)
    }
    found = []
    for node in nodes:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "define"
        ):
            library = libraries.get(ast.unparse(node.func.value))
            signature = _text(node.args[0]) if node.args else None
            if library and signature:
                found.append(f"{library}::{signature}")
        if isinstance(node, ast.FunctionDef):
            calls = [d for d in node.decorator_list if isinstance(d, ast.Call)]
            custom = [
                d for d in calls if ast.unparse(d.func).endswith("custom_op") and _text(d.args[0])
            ]
            found += [
                _from_function(node, d)
                for d in custom
                if _text(d.args[0]).split("::")[0] in LIBRARIES
            ]
    return found


def of_yaml(text: str) -> list[str]:
    found = re.findall(r"^- func: (\S.*\(.*)$", text, re.MULTILINE)
    return [
        signature if "::" in signature.split("(")[0] else f"aten::{signature}"
        for signature in found
    ]


def of_library(name: str, data: bytes) -> list[str]:
    return [
        f"{name}::{signature.decode()}"
        for signature in IN_LIBRARY.findall(data.replace(b"\0", b"\0\0"))
    ]


def is_called(signature: str) -> bool:
    """Whether it is one that stands in program files: with memory for results, in place, or without another form."""
    name = signature.split("(")[0]
    return bool(re.search(r"\.\w*out$|_$", name)) or name.split("::")[0] == "executorch"


def registered(wheel: pathlib.Path) -> list[str]:
    """The signatures in an unpacked wheel, in the folder `executorch`, of operators that program files call."""
    found = []
    for file in sorted(wheel.rglob("*.yaml")) + sorted(wheel.rglob("*.py")):
        if {"test", "tests", "examples", "verification"} & set(file.relative_to(wheel).parts):
            continue
        text = file.read_text(errors="replace")
        if file.suffix == ".yaml":
            found += of_yaml(text)
        elif "define(" in text or "custom_op(" in text:
            found += of_python(text)
    elsewhere = {signature.split("::")[1] for signature in found}
    for library, pattern in COMPILED.items():
        for file in wheel.glob(pattern):
            more = of_library(library, file.read_bytes())
            found += [signature for signature in more if signature.split("::")[1] not in elsewhere]
    plain = {re.sub(r"Tensor \(", "Tensor(", " ".join(signature.split())) for signature in found}
    return sorted(s for s in plain if s.split("::")[0] in (*LIBRARIES, "aten") and is_called(s))


if __name__ == "__main__":
    print("\n".join(registered(pathlib.Path(sys.argv[1]))))

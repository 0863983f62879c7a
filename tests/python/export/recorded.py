"""Calls of a model in PyTorch, recorded as docs/reference/calls.md says, and `pteproof eval`."""

import json

import torch

from pteproof._words import Words


def evaluate(text, kind, exported, folder, rounds=2):
    """Makes the calls in PyTorch and in the Module's reference: (agree, differ, not compared)."""
    data = bytearray()
    calls = []
    for _ in range(rounds):
        for name in exported:
            inputs = kind.inputs[name]
            model = eager(kind, exported, name)
            calls.append({"method": name, "inputs": [value(each, data) for each in inputs]})
            copies = [e.clone() if isinstance(e, torch.Tensor) else e for e in inputs]
            returned = model(*copies)
            outputs = torch.utils._pytree.tree_leaves(returned)
            calls[-1] |= {"eager": [value(each, data) for each in outputs], "executorch": None}
    recording = {
        "program": "model.module",
        "tolerance": {"rtol": 1e-4, "atol": 1e-5},
        "sequences": [{"name": "calls", "policy": "share-all", "calls": calls}],
    }
    (folder / "calls.json").write_text(json.dumps(recording))
    (folder / "calls.bin").write_bytes(bytes(data))
    words = Words("eval")
    words.program(text)
    words.option("calls", folder / "calls.json")
    words.option("compare", "eager")
    words.flag("json", True)
    outcome = words.call()
    assert outcome.output, outcome.complaints
    counts = outcome.lines()[-1]
    return counts, outcome.output


def eager(kind, exported, name):
    module = kind.modules[name]
    return module if isinstance(module, torch.nn.Module) else exported[name].module()


def value(tensor, data):
    if isinstance(tensor, int):
        return {"kind": "int", "value": tensor}
    flat = tensor.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
    data.extend(b"\0" * (-len(data) % 16))
    place = {"offset": len(data), "nbytes": len(flat)}
    data.extend(flat)
    kind = str(tensor.dtype).removeprefix("torch.")
    return {"kind": "tensor", "dtype": kind, "sizes": list(tensor.shape), **place}

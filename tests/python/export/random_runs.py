"""A random model exported as ExecuTorch ships, and its calls in ExecuTorch and in PyTorch."""

import copy
import json
import random

import torch
from executorch.runtime import Runtime, Verification
from random_models import draw
from torch.export.graph_signature import OutputKind

from pteproof.executorch import manifest

CALLS = 8  # of each method, in a random order
_NO_MEMORY = "error 0x21"  # MemoryAllocationFailed


def write(seed, pte, manifest_file):
    """Exports a model: by method, which inputs it updates. They are returned ahead of the rest."""
    drawn = draw(seed)
    exported = drawn.exported()
    edge = drawn.edge(exported)
    updated = {name: _updated(edge.exported_program(name).graph_signature) for name in exported}
    lowered = edge.to_executorch(drawn.config)
    pte.write_bytes(lowered.buffer)
    facts = manifest(exported, policy="share-all", load="all-first", lowered=lowered)
    manifest_file.write_text(json.dumps(facts))
    return updated


def _updated(signature):
    outputs = [s for s in signature.output_specs if s.kind == OutputKind.USER_INPUT_MUTATION]
    return [signature.user_inputs.index(spec.target) for spec in outputs]


def run(seed, pte, updated):
    """Calls the methods in PyTorch and in the file: "right" or "wrong".

    "PyTorch refuses" if the model itself does, "no memory for kernels" if the runtime has none for
    what they hold during a call (up to 0.7). Raises what else ExecuTorch raises.
    """
    drawn = draw(seed)
    dice = random.Random(seed)
    program = Runtime.get().load_program(pte, verification=Verification.Minimal)
    loaded = {name: program.load_method(name) for name in drawn.methods}
    for name in dice.sample(sorted(loaded), k=CALLS * len(loaded), counts=[CALLS] * len(loaded)):
        inputs = drawn.inputs(name)
        try:
            found = loaded[name].execute(copy.deepcopy(inputs))
        except RuntimeError as error:
            if _NO_MEMORY in str(error):
                return "no memory for kernels"
            raise
        try:
            returned = drawn.methods[name](*inputs)
        except RuntimeError:
            return "PyTorch refuses"
        expected = [*(inputs[i] for i in updated[name]), *returned]
        if not _alike(found, expected):
            return "wrong"
    return "right"


def _alike(found, expected):
    return len(found) == len(expected) and all(
        one.shape == other.shape and torch.allclose(one, other, 1e-3, 1e-3, equal_nan=True)
        for one, other in zip(found, expected, strict=True)
    )

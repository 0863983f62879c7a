"""How long `pteproof replan` takes for a program like a Llama: two methods that share caches, many layers.

    PYTHONPATH=build/release/python build/python/bin/python bench/replan_bench.py [--layers 32] [--width 160]

The model is exported with random weights (40 MB for 32 layers), planned by ExecuTorch, and planned anew by the command with
its defaults: placed, proved, compared, and called at random within the budget of work. Printed: seconds of the command, its
processor seconds, and its last line.
"""

import argparse
import os
import resource
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import torch
from executorch.exir import ExecutorchBackendConfig, to_edge
from executorch.exir.passes import MemoryPlanningPass
from torch import nn
from torch.export import export

COMMAND = Path(os.environ.get("PTEPROOF_BINARY", "build/release/pteproof"))
HEADS, PLACES, PREFILLED = 4, 64, 16


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        self.gate = nn.Linear(width, 2 * width, bias=False)
        self.up = nn.Linear(width, 2 * width, bias=False)
        self.down = nn.Linear(2 * width, width, bias=False)
        self.norm = nn.RMSNorm(width)
        self.register_buffer("keys", torch.zeros(1, HEADS, PLACES, width // HEADS))
        self.register_buffer("values", torch.zeros(1, HEADS, PLACES, width // HEADS))

    def forward(self, x, places, mask):
        length, width = x.shape[1], x.shape[2]
        heads = self.qkv(self.norm(x)).view(1, length, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        self.keys.index_copy_(2, places, heads[1])
        self.values.index_copy_(2, places, heads[2])
        scores = torch.softmax(heads[0] @ self.keys.transpose(2, 3) + mask, -1)
        x = x + self.out((scores @ self.values).transpose(1, 2).reshape(1, length, width))
        y = self.norm(x)
        return x + self.down(torch.nn.functional.silu(self.gate(y)) * self.up(y))


class Model(nn.Module):
    def __init__(self, layers, width):
        super().__init__()
        self.layers = nn.ModuleList(Layer(width) for _ in range(layers))

    def forward(self, x, places, mask):
        for layer in self.layers:
            x = layer(x, places, mask)
        return x


def exported(layers: int, width: int) -> bytes:
    model = Model(layers, width).eval().requires_grad_(False)
    lengths = {"prefill": PREFILLED, "decode": 1}
    inputs = {
        name: (torch.ones(1, n, width), torch.arange(n), torch.zeros(n, PLACES)) for name, n in lengths.items()
    }
    edge = to_edge({name: export(model, given, strict=False) for name, given in inputs.items()})
    config = ExecutorchBackendConfig(
        memory_planning_pass=MemoryPlanningPass(share_mutable_buffers=True), emit_mutable_buffer_names=True
    )
    return edge.to_executorch(config).buffer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--layers", type=int, default=32)
    parser.add_argument("--width", type=int, default=160)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        old, new = Path(folder, "old.pte"), Path(folder, "new.pte")
        old.write_bytes(exported(asked.layers, asked.width))
        print(f"{asked.layers} layers, {old.stat().st_size / 1e6:.0f} MB", flush=True)
        started = time.monotonic()
        done = subprocess.run([COMMAND, "replan", old, "-o", new], capture_output=True, text=True)
        seconds = time.monotonic() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"replan: {seconds:.1f} s, {used.ru_utime + used.ru_stime:.1f} s of a processor, exit code {done.returncode}")
    print((done.stdout + done.stderr).rstrip().rpartition("\n")[2])


if __name__ == "__main__":
    main()

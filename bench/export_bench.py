"""What the proof of an export costs, beside the export itself: time, and memory beyond the weights and the file.

    PYTHONPATH=build/release/python build/python/bin/python bench/export_bench.py [--width N] [--layers N] [--dtype float32]

The model is a stack of blocks of two linear layers (8 x width^2 parameters each) with random weights. Rows: torch.export
and to_edge; ExecuTorch's to_executorch; the file as bytes; the Module of the edge program; the proof that the file computes
it; calls of the model and of the file. Memory is what the process holds at the most during a step beyond what it held before.
"""

import argparse
import threading
import time
import warnings
from pathlib import Path

import torch
from executorch.exir import to_edge
from torch import nn
from torch.export import export

import pteproof
from pteproof.executorch import module, to_executorch


class Block(nn.Module):
    def __init__(self, width, dtype):
        super().__init__()
        self.up = nn.Linear(width, 4 * width, bias=False, dtype=dtype)
        self.down = nn.Linear(4 * width, width, bias=False, dtype=dtype)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(x)))


def held() -> float:
    """Megabytes that are resident."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


class Step:
    """One row: its seconds, and how many megabytes more the process held at the most."""

    def __init__(self, name: str) -> None:
        self.name, self.most, self.done = name, 0.0, threading.Event()
        self.watch = threading.Thread(target=self.look, daemon=True)

    def look(self) -> None:
        while not self.done.wait(0.005):
            self.most = max(self.most, held())

    def __enter__(self) -> None:
        self.before, self.started = held(), time.monotonic()
        self.watch.start()

    def __exit__(self, *_: object) -> None:
        seconds = time.monotonic() - self.started
        self.done.set()
        self.watch.join()
        print(f"{self.name:<44}{seconds:8.2f} s {max(0.0, self.most - self.before):9.0f} MB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--dtype", default="float32")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    dtype = getattr(torch, asked.dtype)
    model = nn.Sequential(*(Block(asked.width, dtype) for _ in range(asked.layers))).eval()
    weights = list(model.parameters())
    count, size = sum(p.numel() for p in weights), sum(p.nbytes for p in weights)
    print(f"{count / 1e6:.1f} M parameters, {size / 1e6:.0f} MB of weights")
    with Step("torch.export, to_edge"):
        program = export(model, (torch.zeros(1, asked.width, dtype=dtype),), strict=False)
        edge = to_edge(program)
    with Step("the Module of the edge program"):
        meant = module(program, edge)
    with Step("ExecuTorch's to_executorch"):
        made = edge.to_executorch()
    with Step("the file as bytes"):
        content = made.buffer
    with Step("check"):
        report = pteproof.check(content)
    with Step("the proof: the file computes the Module"):
        proof = pteproof.compare(meant, content)
    print(f"verdict: {report.verdict}; computation: {proof.computation.answer}")
    edge = to_edge(export(model, (torch.zeros(1, asked.width, dtype=dtype),), strict=False))
    with Step("all of it: pteproof's to_executorch"):
        checked = to_executorch(edge, exported=program)
    print(checked.tried.text)


if __name__ == "__main__":
    main()

"""Random models for the backends whose blobs are read, and what the lowered parts are of.

A model of a seed is one of random_models.py with another backend, or a few layers whose number of
rows varies. What a call of a delegate reads and writes is known at export: by the signature of the
program that was lowered.
"""

import copy
import dataclasses
import random
import re

import torch
from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower
from executorch.exir.lowered_backend_module import executorch_call_delegate
from random_models import draw
from torch import nn
from torch.export import Dim, export
from torch.export.graph_signature import TensorArgument

from pteproof._words import Words


def _xnnpack():
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner

    return XnnpackPartitioner()


def _xnnpack_in_parts():
    from executorch.backends.xnnpack.partition.config import generic_node_configs as configs
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner

    return XnnpackPartitioner(configs=[configs.AddConfig, configs.MulConfig, configs.ReLUConfig])


def _native():
    from executorch.backends.native.partitioner import NativePartitioner

    return NativePartitioner(external_constants_tag=None)


def _vulkan():
    from executorch.backends.vulkan.partitioner.vulkan_partitioner import VulkanPartitioner

    return VulkanPartitioner()


def _ethos_u():
    from executorch.backends.arm.ethosu import EthosUCompileSpec, EthosUPartitioner

    return EthosUPartitioner(EthosUCompileSpec("ethos-u55-128"))


def _tosa():
    from executorch.backends.arm.tosa.compile_spec import TosaCompileSpec
    from executorch.backends.arm.tosa.partitioner import TOSAPartitioner

    return TOSAPartitioner(TosaCompileSpec("TOSA-1.0+FP"))


def _core_ml():
    import coremltools as ct
    from executorch.backends.apple.coreml.compiler import CoreMLBackend
    from executorch.backends.apple.coreml.partition import CoreMLPartitioner

    specs = CoreMLBackend.generate_compile_specs(minimum_deployment_target=ct.target.iOS18)
    return CoreMLPartitioner(compile_specs=specs)


def _mlx():
    from executorch.backends.mlx.partitioner import MLXPartitioner

    return MLXPartitioner()


def _openvino():
    from executorch.backends.openvino.partitioner import OpenvinoPartitioner
    from executorch.exir.backend.compile_spec_schema import CompileSpec

    return OpenvinoPartitioner([CompileSpec("device", b"CPU")])


PARTITIONERS = {
    "xnnpack": _xnnpack,
    "xnnpack in parts": _xnnpack_in_parts,
    "native": _native,
    "vulkan": _vulkan,
    "ethos-u": _ethos_u,
    "tosa": _tosa,
    "core ml": _core_ml,
    "mlx": _mlx,
    "openvino": _openvino,
}
OPAQUE = {"openvino"}  # backends whose blobs are not read
QUANTIZED = {"ethos-u"}  # backends that take quantized models only


# The first ones are those that Ethos-U's quantizer takes.
LAYERS = [
    lambda: nn.Linear(8, 8),
    nn.ReLU,
    nn.Sigmoid,
    nn.Tanh,
    lambda: nn.LayerNorm(8),
    lambda: nn.Softmax(-1),
    nn.GELU,
]
RESULTS = [
    lambda x, first: x,
    lambda x, first: x * first,
    lambda x, first: x - first,
    lambda x, first: torch.cat([x, first], -1),
    lambda x, first: x.sum(-1, keepdim=True),
    lambda x, first: x[:, :4] + 1,
    lambda x, first: x > first,
    lambda x, first: x.argmax(-1),
]
PLAIN_LAYERS, PLAIN_RESULTS = 4, 4
MOST = 16  # rows, if their number varies


class Rows(nn.Module):
    """Layers on rows of eight numbers; several results, some of them of other types or shapes.

    plain: without state, of layers that every backend takes.
    """

    def __init__(self, dice, plain):
        super().__init__()
        self.inputs = dice.randint(1, 3)
        layers = LAYERS[:PLAIN_LAYERS] if plain else LAYERS
        results = RESULTS[:PLAIN_RESULTS] if plain else RESULTS
        self.layers = nn.ModuleList(dice.choice(layers)() for _ in range(dice.randint(1, 4)))
        self.results = dice.choices(results, k=dice.randint(1, 3))
        self.kept = not plain and dice.random() < 0.3
        if self.kept:
            self.register_buffer("total", torch.zeros(1, 8))

    def forward(self, *inputs):
        x = inputs[0]
        for other in inputs[1:]:
            x = x + other
        for layer in self.layers:
            x = layer(x)
        if self.kept:
            self.total.add_(x.mean(0, keepdim=True))
            x = x + self.total
        return tuple(result(x, inputs[0]) for result in self.results)


@dataclasses.dataclass
class Part:
    """A lowered part as its signature has it: a letter for each argument of the call."""

    method: str
    backend: str
    roles: str  # r: read, w: written, u: updated
    buffers: list[str]  # that it keeps


@dataclasses.dataclass
class Lowered:
    """A program with delegates, what they are of, and what the model's methods compute."""

    program: bytes
    parts: list[Part]
    kinds: list[str]
    calls: list[tuple]  # a sequence: the method, its inputs, and what the model returns for them


@dataclasses.dataclass
class Model:
    """A model before its export."""

    methods: dict[str, nn.Module]
    inputs: dict[str, list]  # of each method: of one call after the other
    shapes: dict[str, tuple]  # those that vary
    config: object = None


def model_of(backend, seed):
    """The model of a seed: the same at each call."""
    return _rows(seed, backend in QUANTIZED) if backend in QUANTIZED or seed % 2 else _drawn(seed)


def _rows(seed, plain):
    """plain: without state, of one size."""
    dice = random.Random(seed)
    torch.manual_seed(seed)
    names = ["forward"] if dice.random() < 0.7 else ["forward", "other"]
    varies = not plain and dice.random() < 0.7
    methods = {name: Rows(dice, plain).eval() for name in names}
    inputs = {name: _given(m, [4, MOST if varies else 4]) for name, m in methods.items()}
    rows = Dim("rows", min=1, max=MOST)
    shapes = {name: (({0: rows},) * m.inputs,) for name, m in methods.items()} if varies else {}
    return Model(methods, inputs, shapes)


def _given(module, rows):
    return [tuple(torch.rand(count, 8) for _ in range(module.inputs)) for count in rows]


def _drawn(seed):
    drawn = draw(seed)
    inputs = {name: [tuple(drawn.inputs(name)) for _ in range(2)] for name in drawn.methods}
    return Model(drawn.methods, inputs, {}, drawn.config)


def calls_of(model):
    """Calls of the methods in turn, from the first state on: name, inputs, results.

    A program returns the inputs that it updates ahead of the results.
    """
    methods = copy.deepcopy(model.methods)
    calls = []
    for turn in range(2):
        for name, method in methods.items():
            given = model.inputs[name][turn]
            kept = [x.clone() for x in given]
            results = method(*kept)
            updated = [x for x in kept if x._version]
            calls.append((name, list(given), [x.clone() for x in [*updated, *results]]))
    return calls


def _quantized(exported, inputs):
    from executorch.backends.arm.ethosu import EthosUCompileSpec
    from executorch.backends.arm.quantizer import (
        EthosUQuantizer,
        get_symmetric_quantization_config,
    )
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    made = {}
    for name, program in exported.items():
        quantizer = EthosUQuantizer(EthosUCompileSpec("ethos-u55-128"))
        quantizer.set_global(get_symmetric_quantization_config())
        prepared = prepare_pt2e(program.module(), quantizer)
        prepared(*inputs[name][0])
        made[name] = export(convert_pt2e(prepared), inputs[name][0])
    return made


def _calls(module):
    """The calls of delegates in the order in which they are emitted, each with its module."""
    for node in module.graph.nodes:
        if node.target is executorch_call_delegate:
            yield getattr(module, node.args[0].target)
        for arg in node.args if node.op == "call_function" else ():
            inner = getattr(module, str(arg.target), None) if hasattr(arg, "target") else None
            if isinstance(inner, torch.fx.GraphModule) and arg.op == "get_attr":
                yield from _calls(inner)


def parts_of(edge):
    """The delegates of an edge program, method by method in the order of their calls."""
    parts = []
    for method in sorted(edge.methods):
        for lowered in _calls(edge.exported_program(method).graph_module):
            signature = lowered.original_module.graph_signature
            updated = set(signature.user_inputs_to_mutate.values())
            specs = [s for s in signature.output_specs if s.kind.name == "USER_OUTPUT"]
            roles = ["u" if name in updated else "r" for name in signature.user_inputs]
            roles += ["w"] * sum(isinstance(s.arg, TensorArgument) for s in specs)
            buffers = sorted(set(signature.buffers_to_mutate.values()))
            parts.append(Part(method, lowered.backend_id, "".join(roles), buffers))
    return parts


def told_roles(program):
    """The method and the roles of each delegate, in the words of `pteproof inspect`."""
    words = Words("inspect")
    words.program(program)
    outcome = words.call()
    if outcome.code != 0:
        outcome.fail()
    told = []
    method = ""
    for line in outcome.output.splitlines():
        if found := re.match(r"method (\S+)", line):
            method = found[1].strip("'")
        elif re.match(r"  delegate \d+ .*: .* blob$", line):
            told.append((method, {}))
        elif found := re.match(r"    argument (\d+) (in|out): .*?(, updated)?$", line):
            letter = "u" if found[3] else {"in": "r", "out": "w"}[found[2]]
            told[-1][1][int(found[1])] = letter
    return [(of, "".join(roles[a] for a in sorted(roles))) for of, roles in told]


def lowered(backend, seed):
    """The model of a seed, lowered for the backend: the same at each call."""
    with torch.no_grad():
        model = model_of(backend, seed)
        calls = calls_of(model)
        exported = {
            name: export(method, model.inputs[name][0], dynamic_shapes=model.shapes.get(name))
            for name, method in model.methods.items()
        }
        if backend in QUANTIZED:
            exported = _quantized(exported, model.inputs)
        check = EdgeCompileConfig(_check_ir_validity=False)
        edge = to_edge_transform_and_lower(
            exported, partitioner=[PARTITIONERS[backend]()], compile_config=check
        )
    parts = parts_of(edge)
    programs = [edge.exported_program(name) for name in exported]
    has_state = any(p.graph_signature.buffers_to_mutate for p in programs)
    kinds = ["sizes that vary"] * bool(model.shapes) + ["several methods"] * (len(exported) > 1)
    kinds += ["with state"] * (has_state or any(part.buffers for part in parts))
    config = [] if model.config is None else [model.config]
    return Lowered(bytes(edge.to_executorch(*config).buffer), parts, kinds, calls)

"""A recipe of optimum-executorch that checks and proves what it exports: here a small Llama.

Needs optimum-executorch. The weights are random; nothing is fetched.
"""

import tempfile
import warnings

import torch
from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower
from executorch.runtime import Runtime
from optimum.exporters.executorch.recipe_registry import recipe_registry, register_recipe
from optimum.exporters.executorch.tasks.causal_lm import load_causal_lm_model
from optimum.executorch.passes.remove_padding_idx_embedding_pass import (
    RemovePaddingIdxEmbeddingPass,
)
from transformers import LlamaConfig, LlamaForCausalLM

from pteproof.executorch import to_executorch

warnings.simplefilter("ignore")


@register_recipe("pteproof")
def export_with_proof(model, **options):
    """Optimum's recipe `portable` with another last step."""
    exported = {"forward": next(iter(model.export().values()))}
    edge = to_edge_transform_and_lower(
        exported,
        compile_config=EdgeCompileConfig(_check_ir_validity=False, _skip_dim_order=True),
        constant_methods=model.metadata,
        transform_passes=[RemovePaddingIdxEmbeddingPass()],
    )
    return {"model": to_executorch(edge, exported=exported, **options)}


def generate(program, tokens):
    """Feeds the tokens one by one, and returns the last logits."""
    method = Runtime.get().load_program(program.buffer).load_method("forward")
    for position, token in enumerate(tokens):
        [logits] = method.execute((torch.tensor([[token]]), torch.tensor([position])))
    return logits.clone()


torch.manual_seed(0)
config = LlamaConfig(
    vocab_size=256, hidden_size=64, intermediate_size=128, num_hidden_layers=2,
    num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64,
)  # fmt: skip
with tempfile.TemporaryDirectory() as folder:
    LlamaForCausalLM(config).save_pretrained(folder)
    model = load_causal_lm_model(folder, max_seq_len=32)

made = {}
for planner in ("executorch", "pteproof"):
    program = made[planner] = recipe_registry["pteproof"](model, planner=planner)["model"]
    answer = program.verified.computation.answer
    size = sum(bank.size for bank in program.report.banks)
    print(f"{planner}: {program.report.verdict}, computes the {answer}, {size:,} bytes")

one, other = (generate(program, [1, 17, 42]) for program in made.values())
print("the same logits:", torch.equal(one, other))

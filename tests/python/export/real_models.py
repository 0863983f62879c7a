"""Models of torchvision, timm and transformers, with random weights, where these are installed."""

import importlib.util
import sys

import torch
from models import Kind
from torch import nn

# Of them those that ExecuTorch's portable kernels run in a minute.
VISION = (
    "mobilenet_v2 mobilenet_v3_small shufflenet_v2_x1_0 squeezenet1_1 resnet18 efficientnet_b0 "
    "googlenet"
).split()
TIMM = "efficientvit_b0 ghostnet_100 levit_128"


OPERATORS = (
    "nms qnms roi_align roi_pool ps_roi_align ps_roi_pool deform_conv2d _roi_align_backward "
    "_roi_pool_backward _ps_roi_align_backward _ps_roi_pool_backward _deform_conv2d_backward"
).split()
DECLARED = torch.library.Library("torchvision", "FRAGMENT")


class Logits(nn.Module):
    """Returns the tensor that the task needs."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, *inputs):
        return self.model(*inputs).logits


def real_kinds():
    """By package and name: a function that makes the kind."""
    makers = {}
    if installed("torchvision"):
        makers |= {f"torchvision {name}": lambda name=name: vision(name) for name in VISION}
    if installed("timm") and installed("torchvision"):
        makers |= {f"timm {name}": lambda name=name: of_timm(name) for name in TIMM.split()}
    if installed("transformers"):  # which imports torchvision
        makers["transformers BERT, 4 layers"] = bert
        makers["transformers Llama, 4 layers"] = llama
    return makers


def installed(package):
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:  # of the package around it
        return False


def vision(name):
    models = torchvision().models
    options = {"init_weights": False} if name == "googlenet" else {}
    return Kind(getattr(models, name)(weights=None, **options), (torch.ones(1, 3, 224, 224),))


def of_timm(name):
    torchvision()
    import timm

    model = timm.create_model(name, pretrained=False)
    return Kind(model, (torch.ones(1, *model.default_cfg["input_size"]),))


def torchvision():
    """The package. If its compiled part does not load, its operators are declared, not called."""
    try:
        return importlib.import_module("torchvision")
    except RuntimeError:
        for name in [name for name in sys.modules if name.startswith("torchvision")]:
            del sys.modules[name]
        for name in OPERATORS:
            DECLARED.define(f"{name}(Tensor x) -> Tensor")
        return importlib.import_module("torchvision")


def bert():
    torchvision()
    from transformers import BertConfig, BertForMaskedLM

    config = BertConfig(
        vocab_size=4096, hidden_size=256, num_hidden_layers=4, num_attention_heads=4,
        intermediate_size=1024, attn_implementation="eager",
    )  # fmt: skip
    return Kind(Logits(BertForMaskedLM(config)), (torch.arange(64).reshape(1, 64),))


def llama():
    torchvision()
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=4096, hidden_size=256, num_hidden_layers=4, num_attention_heads=4,
        num_key_value_heads=2, intermediate_size=704, use_cache=False,
        attn_implementation="eager",
    )  # fmt: skip
    return Kind(Logits(LlamaForCausalLM(config)), (torch.arange(64).reshape(1, 64),))

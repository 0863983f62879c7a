"""What a program file tells alone, without names of buffers and with those of to_executorch."""

import copy

from executorch.exir import ExecutorchBackendConfig
from mistakes import MISTAKES, kind_of
from models import kinds
from more_models import more_kinds

import pteproof
from pteproof.executorch import to_executorch

KINDS = {**kinds(), **more_kinds()}
POLICY = "share-all"


def without_names(config):
    """As a user writes it who asks for no names. A config serves one program."""
    config = copy.copy(config) if config else ExecutorchBackendConfig()
    config.emit_mutable_buffer_names = False
    return config


def alone(kind, names):
    """The report of the file without its manifest."""
    config = without_names(kind.config)
    config.memory_planning_pass = copy.deepcopy(config.memory_planning_pass)
    exported = kind.exported()
    made = to_executorch(
        kind.edge(exported),
        config,
        exported=exported,
        on_unsafe="warn",
        verify=False,
        names=names,
    )
    return pteproof.check(made, manifest=False)


def is_plain(report):
    """Safe, and nothing is assumed of what the file does not say."""
    return report.verdict_under(POLICY) == "safe" and not any(
        finding.rule == "not-provable" and finding.holds_under(POLICY)
        for finding in report.findings
    )


def counted():
    """The rows of the page: of files alone, without names and with them."""
    models = [[alone(kind, names) for names in (False, True)] for kind in KINDS.values()]
    mistakes = [[alone(kind_of(n), names) for names in (False, True)] for n in MISTAKES]

    def row(what, pairs, holds):
        before, after = (sum(map(holds, column)) for column in zip(*pairs, strict=True))
        return f"| {what} | {before} | {after} |"

    return [
        row(
            f"safe under every policy, of {len(KINDS)} kinds of models",
            models,
            lambda report: report.verdict == "safe",
        ),
        row(
            f"safe under {POLICY}, of these",
            models,
            lambda report: report.verdict_under(POLICY) == "safe",
        ),
        row("the same, with no assumption that a manifest would settle", models, is_plain),
        row(
            f"unsafe, of {len(MISTAKES)} models that the exporter gets wrong",
            mistakes,
            lambda report: "unsafe" in report.policies.values(),
        ),
        row(
            "safe, of these",
            mistakes,
            lambda report: report.verdict_under(POLICY) == "safe",
        ),
    ]

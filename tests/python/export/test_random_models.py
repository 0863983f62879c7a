"""Random exports that run wrong are not safe, and those that run right are."""

import pytest
import torch
from random_models import draw
from random_runs import run, write

import pteproof

RIGHT, WRONG = (2, 10, 13), (24,)


@pytest.mark.parametrize("seed", RIGHT + WRONG)
def test_the_verdict_is_what_a_run_shows(seed, tmp_path):
    pte, manifest = tmp_path / "random.pte", tmp_path / "random.manifest.json"
    updated = write(seed, pte, manifest)
    outcome = run(seed, pte, updated)
    assert outcome == ("right" if seed in RIGHT else "wrong")
    report = pteproof.check(pte, manifest=manifest)
    assert report.verdict == ("safe" if outcome == "right" else "unsafe")


def test_a_seed_draws_one_model():
    one, other = draw(3), draw(3)
    assert one.methods.keys() == other.methods.keys()
    for name, method in one.methods.items():
        inputs = [torch.ones(shape) for shape, _ in one.shapes[name]]
        copies = [x.clone() for x in inputs]
        for mine, theirs in zip(method(*inputs), other.methods[name](*copies), strict=True):
            assert torch.equal(mine, theirs)

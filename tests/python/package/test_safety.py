"""Files that ask for what they must not get: every verb ends with a report or an exception."""

import pytest
from conftest import SOURCE

import pteproof

FILES = sorted((SOURCE / "corpus/safety").glob("**/*.pte"))
VERBS = {
    "check": pteproof.check,
    "diff": pteproof.diff,
    "prove": pteproof.prove,
    "inspect": pteproof.inspect,
    "compare": lambda file: pteproof.compare(file, file),
}


def test_all_kinds_are_there():
    assert len(FILES) >= 110


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_ends_in_every_verb(file):
    for name, verb in VERBS.items():
        try:
            assert verb(file) is not None, name
        except pteproof.PteproofError as error:
            assert str(error), name

"""The list of the wheel's operators is that of the wheel."""

import os
import pathlib
import re

from executorch.extension.pybindings.portable_lib import _get_operator_names

SOURCE = pathlib.Path(os.environ.get("PTEPROOF_SOURCE_DIR", pathlib.Path(__file__).parents[3]))


def test_the_operators_of_the_wheel_are_listed():
    text = (SOURCE / "reference/op_wheel.cc").read_text()
    # Other packages register more when they are imported.
    listed = set(re.findall(r'^    "(.+)",$', text, re.M))
    assert len(listed) == 240
    assert listed <= set(_get_operator_names())

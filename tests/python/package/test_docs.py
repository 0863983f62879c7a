"""What docs/reference/python.md shows is what happens."""

import doctest
import pathlib

PAGE = pathlib.Path(__file__).parents[3] / "docs/reference/python.md"


def test_the_examples_of_the_page_hold():
    result = doctest.testfile(
        str(PAGE),
        module_relative=False,
        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE,
    )
    assert result.attempted >= 6
    assert result.failed == 0

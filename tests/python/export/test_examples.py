"""The examples print what docs/python.md shows."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[3]


def test_the_delay_line_is_named_and_mended():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", ROOT / "examples/delay_line.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    page = (ROOT / "docs/python.md").read_text()
    assert f"```\n{done.stdout}```" in page
    lines = page.partition("examples/delay_line.py):\n\n```python\n")[2].partition("```")[0]
    example = (ROOT / "examples/delay_line.py").read_text()
    assert lines.splitlines() == [line.removeprefix("    ") for line in example.splitlines()[-6:]]

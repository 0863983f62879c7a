"""Puts a table into a page, between the lines `<!-- NAME: begin -->` and `<!-- NAME: end -->`.

As a program: put_table.py PAGE NAME, with the table on standard input.
"""

import sys
from pathlib import Path


def put(page: Path, name: str, table: str) -> None:
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    before, rest = page.read_text().split(begin)
    page.write_text(before + begin + table + end + rest.split(end)[1])


if __name__ == "__main__":
    put(Path(sys.argv[1]), sys.argv[2], sys.stdin.read())

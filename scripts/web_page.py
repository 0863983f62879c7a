"""Puts the page into one file: script, style, worker, library and examples (web/page/page.html).

python3 scripts/web_page.py build/web/web/pteproof.wasm build/web/pteproof.html
"""

import base64
import gzip
import hashlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST = 2_000_000  # bytes of the page, packed


def joined(files: list[Path]) -> str:
    """Their texts. Each script may use what another one declares; main.js starts them."""
    return "".join(file.read_text() for file in files)


def script() -> str:
    """The scripts of the picture (cli/map/page), and the page's own."""
    picture = [f for f in sorted((ROOT / "cli/map/page").glob("*.js")) if f.name != "main.js"]
    return joined(picture + sorted((ROOT / "web/page").glob("*.js")))


def style() -> str:
    """The style of the picture, and what the page adds."""
    return joined([ROOT / "cli/map/page/page.css", ROOT / "web/page/web.css"])


def number_at(data: bytes, at: int) -> tuple[int, int]:
    """A number in LEB128, and where it ends."""
    number, shift = 0, 0
    while True:
        number |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return number, at


def without_names(library: bytes) -> bytes:
    """The library without its custom sections, such as the functions' names, which a test reads."""
    kept, at = library[:8], 8
    while at < len(library):
        size, content = number_at(library, at + 1)
        if library[at] != 0:
            kept += library[at : content + size]
        at = content + size
    return kept


def packed(data: bytes) -> str:
    """As the worker unpacks it."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def examples() -> str:
    """The examples with their files."""
    listed = json.loads((ROOT / "web/examples.json").read_text())
    for example in listed:
        example["files"] = [
            {
                "name": Path(name).name,
                "bytes": base64.b64encode((ROOT / name).read_bytes()).decode(),
            }
            for name in example["files"]
        ]
    return json.dumps(listed).replace("<", "\\u003c")


def source_hash(text: str) -> str:
    """What the page's policy names a script or style by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def page(library: bytes) -> str:
    """The whole page around the library."""
    parts = {
        "SCRIPT_HASH": source_hash(script()),
        "STYLE_HASH": source_hash(style()),
        "STYLE": style(),
        "SCRIPT": script(),
        "WORKER": joined(sorted((ROOT / "web/worker").glob("*.js"))),
        "LIBRARY": packed(without_names(library)),
        "EXAMPLES": examples(),
    }
    text = (ROOT / "web/page/page.html").read_text()
    for name, part in parts.items():
        if "</script" in part.lower() or "</style" in part.lower():
            raise ValueError(f"{name} would end its element")
        text = text.replace(f"@{name}@", part)
    return text


def main() -> int:
    """Writes the page."""
    library, to = Path(sys.argv[1]), Path(sys.argv[2])
    text = page(library.read_bytes())
    size = len(gzip.compress(text.encode(), 9))
    print(f"web: {len(text):,} bytes, {size:,} after gzip -9", file=sys.stderr)
    if size > MOST:
        print(f"web: more than {MOST:,}", file=sys.stderr)
        return 1
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(text)
    print(to)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What the site needs beyond mkdocs: files of the repository that pages link to are published too.

A link such as `../../properties/manifest.schema.json` leaves `docs`. The file is copied to
`repository/` of the site, Markdown as plain text, and the link goes there.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "build/web/pteproof.html"  # scripts/web
MARK = "<!-- the page -->"
CELL = re.compile(r"<t[dh].*?</t[dh]>", re.DOTALL)
LINK = re.compile(r"\]\((\.\./[^)#\s]+)(#[^)\s]*)?\)")


def outside(page_uri, link):
    """The path in the repository that a link of a page goes to, or None if it stays in docs."""
    path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page_uri), link))
    return None if path.startswith("docs/") else path


def published(path):
    """Where a file of the repository is on the site."""
    return f"repository/{path}.txt" if path.endswith(".md") else f"repository/{path}"


def on_files(files, *, config):
    """Adds the files that pages link to."""
    paths = set()
    for page in list(files.documentation_pages()):
        for link, _ in LINK.findall(Path(page.abs_src_path).read_text()):
            path = outside(page.src_uri, link)
            if path and (ROOT / path).is_file():
                paths.add(path)
    if PAGE.is_file():
        files.append(File.generated(config, "page/pteproof.html", abs_src_path=str(PAGE)))
    for path in sorted(paths):
        files.append(File.generated(config, published(path), abs_src_path=str(ROOT / path)))
    return files


def on_page_content(html, **_):
    """Drops the backslash of `\\|`, a bar in a table, which would stay in code."""
    return CELL.sub(lambda cell: cell[0].replace("\\|", "|"), html)


def on_page_markdown(markdown, *, page, **_):
    """Puts the page of scripts/web where it belongs, and sends links to the copies.

    A missing file is left for mkdocs to report.
    """
    if PAGE.is_file():
        here = posixpath.dirname(page.file.src_uri) or "."
        address = posixpath.relpath("page/pteproof.html", here)
        frame = f'<iframe src="{address}" title="pteproof" width="100%" height="700"></iframe>'
        markdown = markdown.replace(MARK, f"[In a window of its own]({address})\n\n{frame}")

    def replaced(match):
        path = outside(page.file.src_uri, match[1])
        if path is None or not (ROOT / path).is_file():
            return match[0]
        here = posixpath.dirname(page.file.src_uri) or "."
        return f"]({posixpath.relpath(published(path), here)})"

    return LINK.sub(replaced, markdown)

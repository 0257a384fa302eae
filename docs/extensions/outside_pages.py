"""Files outside of `docs/`, such as README.md, become pages, and links work on a code host and in the site.

Every page is written for a code host: links are relative to the file. A file outside of `docs/` that the
site shows has a page in `docs/` that is empty but for its navigation; its text is put in, and its links are
turned to the site.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
SHOWN = {
    "index": "README.md",
    "developers/contributing": "CONTRIBUTING.md",
    "developers/changes": "CHANGELOG.md",
    "developers/benchmarks": "benchmarks/README.md",
    "developers/peers": "tests/peers/README.md",
    "developers/peer-results": "tests/peers/results.md",
}
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^)\s#]+)(#[^)\s]*)?(\))")


def turned(text: str, file: str, docname: str) -> str:
    """The text of a file with every relative link as seen from its page in the site.

    text: Markdown, as a code host shows it
    file: where it stands, seen from the root of the repository
    docname: the page of the site that shows it

    >>> turned("[a](docs/guide/trees.md#rules), [b](CONTRIBUTING.md)", "README.md", "index")
    '[a](guide/trees.md#rules), [b](developers/contributing.md)'
    """
    parts = re.split(r"(^```.*?^```[^\n]*$)", text, flags=re.MULTILINE | re.DOTALL)
    for position in range(0, len(parts), 2):  # code keeps its brackets
        parts[position] = LINK.sub(lambda link: _turned_link(link, file, docname), parts[position])
    return "".join(parts)


def _turned_link(link: re.Match[str], file: str, docname: str) -> str:
    opening, target, anchor, closing = link.groups()
    if "://" in target:
        return link.group(0)
    place = os.path.normpath(os.path.join(os.path.dirname(file), target))
    pages = {shown: f"docs/{page}.md" for page, shown in SHOWN.items()}
    if place in pages:
        place = pages[place]
    elif (ROOT / place / "index.md").exists():
        place += "/index.md"
    seen = os.path.relpath(place, os.path.dirname(f"docs/{docname}.md"))
    return f"{opening}{seen}{anchor or ''}{closing}"


def put_text_in(app: Sphinx, docname: str, source: list[str]) -> None:
    """What Sphinx calls with each page; the text is changed in place."""
    file = SHOWN.get(docname)
    if file is None:
        source[0] = with_navigation(turned(source[0], f"docs/{docname}.md", docname))
        return
    app.env.note_dependency(ROOT / file)
    text = (ROOT / file).read_text(encoding="utf-8")
    source[0] = turned(text, file, docname) + "\n" + source[0]


def with_navigation(text: str) -> str:
    """An index that says so gets its navigation from the links in its lists, in their order."""
    if "<!-- navigation: the pages linked above -->" not in text:
        return text
    links = re.findall(r"^- \[([^\]]*)\]\(([^)#\s]+\.md)\)", text, flags=re.MULTILINE)
    pages = [f"{title} <{page}>" for title, page in links]
    return "\n".join([text, "```{toctree}", ":hidden:", "", *pages, "```", ""])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", put_text_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""What Sphinx and its theme leave unsaid to readers who do not see a page, or have no mouse, is said."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

SAID = (
    # The parameters of a long signature are a list of lines, and no terms with their definitions.
    (re.compile(r"<dl>(?=\s*<dd><em class=\"sig-param\")"), '<dl role="presentation">'),
    # What is wider than the page is scrolled with the keyboard, too.
    (re.compile(r"<pre>"), '<pre tabindex="0">'),
    (
        re.compile(r"<div class=\"table-wrapper(?=[^>]*>)(?![^>]*tabindex)"),
        '<div tabindex="0" class="table-wrapper',
    ),
    # A heading has a level, and two parts of one kind have names.
    (re.compile(r"role=\"heading\">"), 'role="heading" aria-level="2">'),
    (
        re.compile(r"<aside class=\"sidebar-drawer\">"),
        '<aside class="sidebar-drawer" aria-label="All pages">',
    ),
    (re.compile(r"<aside class=\"toc-drawer"), '<aside aria-label="This page" class="toc-drawer'),
)


def said(page: str) -> str:
    """A page of the site with what it left unsaid.

    >>> said('<pre>wide</pre>')
    '<pre tabindex="0">wide</pre>'
    """
    for left_unsaid, instead in SAID:
        page = left_unsaid.sub(instead, page)
    return page


def say(app: Sphinx, failed: Exception | None) -> None:
    """What Sphinx calls at the end; pages that were not made anew are left as they are."""
    if failed is None:
        for path in Path(app.outdir).rglob("*.html"):
            found = path.read_text(encoding="utf-8")
            if (mended := said(found)) != found:
                path.write_text(mended, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", say)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

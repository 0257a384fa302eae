"""What a browser would find in HTML: elements with their attributes, and texts."""

from __future__ import annotations

from html.parser import HTMLParser


class Reader(HTMLParser):
    """Collects what a browser would: elements with their attributes, and the texts."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    return reader

"""scikit-learn-intelex hands work that it cannot do to scikit-learn, silently; here that is an error."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager


class _Messages(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


@contextmanager
def accelerated() -> Iterator[None]:
    """Run what uses sklearnex; afterwards its log must name oneDAL's version for every step."""
    import sklearnex  # noqa: F401 - makes the logger and its handlers

    logger = logging.getLogger("sklearnex")
    before, level, propagates = logger.handlers, logger.level, logger.propagate
    messages = _Messages()
    logger.handlers, logger.propagate = [messages], False
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.handlers, logger.propagate = before, propagates
        logger.setLevel(level)
    handed_on = [text for text in messages.texts if "accelerated" not in text]
    if handed_on or not messages.texts:
        raise RuntimeError(f"sklearnex did not use oneDAL: {handed_on or 'it logged nothing'}")

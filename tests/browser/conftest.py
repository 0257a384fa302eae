"""A real browser without a window and the pages to show, for all tests; skipped where there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from .made_pages import made_pages

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def chromium() -> str | None:
    """The path of a Chromium; HELDOUT_CHROMIUM comes before those that are found."""
    named = os.environ.get("HELDOUT_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, started once."""
    path = chromium()
    if path is None:
        pytest.skip("no chromium here: run tests/browser/find_chromium.sh, or name one in HELDOUT_CHROMIUM")
    with sync_playwright() as playwright:
        # A sandbox needs rights that containers do not give; the pages are our own.
        found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="session")
def pages(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """All pages, made once, each beside its study file; only where there is a browser to show them."""
    return made_pages(tmp_path_factory.mktemp("pages"))

"""A real browser without a window, for all tests here; they are skipped where there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def chromium() -> str | None:
    """The path of a Chromium; HELDOUT_CHROMIUM comes before those that are found."""
    named = os.environ.get("HELDOUT_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, started once for a module."""
    path = chromium()
    if path is None:
        pytest.skip("no chromium here: run tests/browser/find_chromium.sh, or name one in HELDOUT_CHROMIUM")
    with sync_playwright() as playwright:
        # A sandbox needs rights that containers do not give; the pages are our own.
        found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()

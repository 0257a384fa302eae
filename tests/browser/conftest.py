"""The pages that a real browser shows, for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from .made_pages import made_pages


@pytest.fixture(scope="session")
def pages(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """All pages, made once, each beside its study file; only where there is a browser to show them."""
    return made_pages(tmp_path_factory.mktemp("pages"))

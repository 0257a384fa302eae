"""What axe-core finds wrong with what a browser shows."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# Contrasts take most of the time, so they are looked at where colours differ.
CONTRAST = "color-contrast"
NO_CONTRAST = {CONTRAST: {"enabled": False}}


def violations(page: Page, where: str | None = None, **options: Any) -> list[str]:
    """The elements that break a rule, by all rules unless the options say otherwise.

    where: the part of the page, as a selector; left out, all of it
    """
    options = {"resultTypes": ["violations"], "preload": False} | options
    found = Axe().run(page, context=where, options=options).response["violations"]
    return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]

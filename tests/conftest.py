"""What tests share: no stale binary, settings of hypothesis, Ctrl-C that arrives, and one browser for all."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[1]

settings.register_profile("default", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "explore",
    deadline=None,
    max_examples=2000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def source_digest(root: Path) -> str:
    """Digest of the native sources, made as native/source_digest.cmake makes it."""
    native = root / "native"
    files = [path for pattern in ("*.cpp", "*.hpp") for path in native.rglob(pattern)]
    names = sorted(
        [path.relative_to(root).as_posix() for path in files]
        + ["CMakeLists.txt", "native/source_digest.cmake"]
    )
    lines = "".join(f"{hashlib.sha256((root / name).read_bytes()).hexdigest()} {name}\n" for name in names)
    return hashlib.sha256(lines.encode()).hexdigest()


def stale_binary(root: Path = ROOT) -> str | None:
    """Say why the compiled module may not be tested, or None if it is made from these sources."""
    try:
        from heldout import _native
    except ImportError as failure:
        return f"heldout._native cannot be loaded ({failure}): run make test"
    if _native.source_digest != source_digest(root):
        return f"{_native.__file__} was not built from the present sources: run make test"
    return None


def pytest_sessionstart() -> None:
    """Refuse to test a binary that was built from other sources."""
    reason = stale_binary()
    if reason is not None:
        pytest.exit(reason, returncode=3)


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C arrives here and in what is started, as in a terminal; `make test &` begins with it ignored."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window, started once: a process can have one playwright alone."""
    found = (path for name in CHROMIUMS if (path := shutil.which(name)))
    path = os.environ.get("HELDOUT_CHROMIUM") or next(found, None)
    if path is None:
        pytest.skip("no chromium here: run tests/browser/find_chromium.sh, or name one in HELDOUT_CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # A sandbox needs rights that containers do not give; the pages are our own.
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()

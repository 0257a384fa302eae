"""Which versions made a result."""

from __future__ import annotations

from functools import cache

PACKAGES = ("heldout", "numpy", "scipy", "scikit-learn")


def versions() -> dict[str, str]:
    """The versions of Python, of Heldout and of what it computes with.

    >>> sorted(versions())
    ['heldout', 'numpy', 'python', 'scikit-learn', 'scipy']
    """
    return dict(_versions())


@cache
def _versions() -> dict[str, str]:
    import platform
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found

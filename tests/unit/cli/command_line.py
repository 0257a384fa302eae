"""Lines typed at a prompt, for tests: what they print, and the number with which they end."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner, Result

from heldout.cli.main import program


def typed(*words: str, **options: Any) -> Result:
    """The result of a line after `heldout`; stdout and stderr are apart."""
    return CliRunner().invoke(program, list(words), **options)


def typed_json(*words: str) -> Any:
    """What a line prints with --json."""
    done = typed(*words, "--json")
    return json.loads(done.stdout)

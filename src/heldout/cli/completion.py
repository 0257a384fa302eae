"""`heldout completion`: what a shell needs so that Tab completes commands, options and columns."""

from __future__ import annotations

import os
from pathlib import Path

import click

SHELLS = ("bash", "zsh", "fish")
_HOME = {
    "bash": 'add this line to ~/.bashrc:\n  eval "$(heldout completion bash)"',
    "zsh": 'add this line to ~/.zshrc:\n  eval "$(heldout completion zsh)"',
    "fish": "type:\n  heldout completion fish > ~/.config/fish/completions/heldout.fish",
}


@click.command()
@click.argument("shell", type=click.Choice(SHELLS), required=False)
def completion(shell: str | None) -> None:
    """Print what your shell needs so that Tab completes commands, options and columns.

    \b
    bash, in ~/.bashrc:  eval "$(heldout completion bash)"
    zsh, in ~/.zshrc:    eval "$(heldout completion zsh)"
    fish, once:          heldout completion fish > ~/.config/fish/completions/heldout.fish
    """
    import sys

    from click.shell_completion import get_completion_class

    from heldout.cli.main import program

    wanted = shell or _own_shell()
    shell_class = get_completion_class(wanted)
    assert shell_class is not None
    maker = shell_class(program, {}, "heldout", "_HELDOUT_COMPLETE")
    # Not `source()`: it runs bash for its version, and warns of one that may not do.
    click.echo(maker.source_template % maker.source_vars())
    if sys.stdout.isatty():
        click.echo(f"To have it in every new {wanted}, {_HOME[wanted]}", err=True)


def _own_shell() -> str:
    name = Path(os.environ.get("SHELL", "")).name
    if name in SHELLS:
        return name
    raise click.UsageError(f"which shell? It is one of {', '.join(SHELLS)}")

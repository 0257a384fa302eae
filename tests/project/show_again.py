"""Writes anew what the commands of a page print, after the words of a command have changed.

    .venv/bin/python -m tests.project.show_again README.md docs/tutorial.md

Look at the difference before you keep it. Output with `...` in it is left as it is if it still holds.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from .page_blocks import Block, commands_of
from .page_runner import ROOT, PageRunner, is_said, run_command


class Rewriter(PageRunner):
    """Runs a page and keeps what its commands say now."""

    def __init__(self, page: Path, folder: Path) -> None:
        super().__init__(page, folder)
        self.text = page.read_text(encoding="utf-8")

    def _run_console(self, block: Block) -> None:
        lines: list[str] = []
        for command in commands_of(block.text):
            done = run_command(command.words, self.folder)
            is_kept = not command.shown or is_said(command.shown, done.stdout, done.stderr)
            said = command.shown if is_kept else (done.stdout or done.stderr).strip("\n")
            lines += [f"$ {command.words}", *([line.rstrip() for line in said.split("\n")] if said else [])]
        self.text = self.text.replace(block.text, "\n".join(lines) + "\n", 1)


def main(names: list[str]) -> None:
    """Run the named pages, each in a folder of its own, and write them."""
    for name in names:
        page = ROOT / name
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            rewriter = Rewriter(page, Path(folder))
            rewriter.run()
            os.chdir(ROOT)
        page.write_text(rewriter.text, encoding="utf-8")
        print("\n".join(rewriter.complaints) or f"{name}: done")


if __name__ == "__main__":
    main(sys.argv[1:])

"""`python -m heldout` is the command `heldout`."""

from __future__ import annotations

from heldout.cli.main import main

if __name__ == "__main__":
    main()

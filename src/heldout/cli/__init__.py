"""The command `heldout`: one file for each of its commands."""

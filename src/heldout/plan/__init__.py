"""Everything that is decided before anything runs: contenders and plans."""

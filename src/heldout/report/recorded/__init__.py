"""What the study file holds of a plan, read back: its rows, its metric, its answers."""

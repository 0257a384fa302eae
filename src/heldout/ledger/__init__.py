"""The study file: facts in one chain, written once, read by anyone."""

"""A plan is run: which cells, in what order, what is recorded, what is shown meanwhile."""

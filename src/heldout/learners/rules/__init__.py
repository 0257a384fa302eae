"""Rules: their conditions, how they come from a tree, and how they are pruned and ordered."""

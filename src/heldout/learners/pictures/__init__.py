"""What a tree looks like: from its nodes to the plain data that charts draw."""

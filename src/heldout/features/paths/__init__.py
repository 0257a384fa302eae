"""How conjunctions are taken from the branches of a tree, and what they are called."""

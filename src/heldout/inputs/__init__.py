"""How X, y and weights enter a learner, at fit and afterwards."""

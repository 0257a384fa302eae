"""How X, y and weights enter, at fit and afterwards."""

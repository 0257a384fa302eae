"""Forests: bags of rows, trees in one set of arrays, what rows out of the bag tell, and their sweep."""

"""Speed of Heldout against its peers, side by side in one run: `make bench`.

Programs take turns, round after round, so that a drifting machine drifts for all of them; the
fastest round of each counts. Rows with one thread compare CPU seconds, the others seconds on the
wall. A peer's own container (DMatrix, VerticalDataset, data.frame) is made before its clock starts;
Heldout's clock runs from the array to the finished tree.
"""

"""The data of a study as its file describes them: kinds, gaps, distributions by class, what was noticed."""

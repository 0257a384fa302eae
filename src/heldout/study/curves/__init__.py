"""Curves of a study, and two learners over many data sets."""

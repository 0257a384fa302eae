"""The page that a study becomes, made from the study file alone."""

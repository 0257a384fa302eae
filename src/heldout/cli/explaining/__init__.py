"""A model in words, as rules, as a picture, or in another language."""

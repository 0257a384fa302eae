"""The models of a study on its page: what was recorded of them, in words, numbers and pictures."""

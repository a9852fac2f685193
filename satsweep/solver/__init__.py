"""Forced cells and probabilities: from the numbers of a board to its analysis."""

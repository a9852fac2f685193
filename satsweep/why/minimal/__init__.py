"""Minimal sets of numbers that force a cell, or contradict each other."""

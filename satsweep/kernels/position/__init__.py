"""Compiled analysis of one position: components, counts and risks."""

"""Compiled analysis of one position: components, counts, risks, orders."""

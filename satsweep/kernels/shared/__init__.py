"""Sizes, symbols and statuses of the kernels' memory, and mathematics, which all of them share."""

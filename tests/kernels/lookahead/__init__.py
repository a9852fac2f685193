"""Tests of ``satsweep/kernels/lookahead``."""

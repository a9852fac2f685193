"""Tests of ``satsweep/kernels/position``."""

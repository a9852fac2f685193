"""Tests of ``satsweep/kernels/endgame``."""

"""Tests of ``satsweep/solver``."""

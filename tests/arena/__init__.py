"""Tests of ``satsweep/compare``."""

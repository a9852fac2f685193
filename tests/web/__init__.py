"""Tests of ``satsweep/web``."""

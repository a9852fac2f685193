"""Tests of ``satsweep/cli``."""

"""Tests of ``satsweep/learn``."""

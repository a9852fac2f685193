"""Tests of ``satsweep/analysis``."""

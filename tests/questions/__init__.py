"""Tests of ``satsweep/questions``."""

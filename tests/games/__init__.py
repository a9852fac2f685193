"""Tests of ``satsweep/games``."""

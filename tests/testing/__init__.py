"""Tests of ``satsweep/testing``."""

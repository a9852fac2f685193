"""Tests of ``satsweep/why``."""

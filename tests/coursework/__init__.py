"""Tests of ``satsweep/coursework``."""

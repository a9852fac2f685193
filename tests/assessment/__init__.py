"""Tests of ``satsweep/generator``."""

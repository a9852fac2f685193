"""Tests of ``satsweep/page``."""

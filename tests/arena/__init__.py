"""Tests of ``satsweep/arena``."""

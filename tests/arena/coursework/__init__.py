"""Tests of ``satsweep/arena/coursework``."""

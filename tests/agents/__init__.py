"""Tests of ``satsweep/agents``."""

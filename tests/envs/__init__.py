"""Tests of ``satsweep/envs``."""

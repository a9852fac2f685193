"""Tests of ``satsweep/learn/envs``."""

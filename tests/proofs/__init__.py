"""Tests of ``satsweep/proofs``."""

"""Tests of ``satsweep/render``."""

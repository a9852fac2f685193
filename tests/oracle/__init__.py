"""Tests of ``satsweep/oracle``."""

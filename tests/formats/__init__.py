"""Tests of ``satsweep/formats``."""

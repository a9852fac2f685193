"""Tests of ``page/static/play``."""

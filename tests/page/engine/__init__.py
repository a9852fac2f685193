"""Tests of ``page/static/engine``."""

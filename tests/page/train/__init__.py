"""Tests of ``page/static/train``."""

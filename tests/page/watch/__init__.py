"""Tests of ``page/static/watch``."""

"""Tests of ``page/static/review``."""

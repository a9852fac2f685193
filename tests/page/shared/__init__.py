"""Tests of ``page/static/shared``."""

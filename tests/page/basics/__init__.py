"""Tests of ``page/static/basics``."""

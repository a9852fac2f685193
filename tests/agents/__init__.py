"""Tests of ``satsweep/agents``."""

CLAIM_NOTHING = {"random"}
"""Agents that only guess."""

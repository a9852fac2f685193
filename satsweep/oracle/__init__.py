"""Audits of agents: every claim checked against the exact analysis."""

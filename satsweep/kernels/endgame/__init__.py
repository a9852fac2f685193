"""Compiled exact play while few layouts are possible."""

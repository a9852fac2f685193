"""Compiled search ahead: what opening a cell would show, and what follows."""

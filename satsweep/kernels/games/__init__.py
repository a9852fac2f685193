"""Compiled games: layouts, players, and boards that need no guess."""

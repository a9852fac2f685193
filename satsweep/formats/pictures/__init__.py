"""Boards from pictures: a screenshot of any skin, at any scale, becomes a board."""

"""Judgements of games and layouts: how well a game was played, and how luckily."""

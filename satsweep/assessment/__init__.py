"""Assessments of layouts and of games.

A rating says how hard a layout is and whether it needs a guess, a review how well and how luckily a game was played.
"""

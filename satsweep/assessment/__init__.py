"""Assessments: how hard a layout is, whether it needs a guess, how well and how luckily a game was played."""

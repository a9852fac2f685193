"""Assessments: how hard a layout is, and whether it needs a guess."""

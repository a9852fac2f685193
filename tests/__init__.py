"""The test suite. It mirrors the package; ``oracle`` and ``placements`` are what answers are held against."""

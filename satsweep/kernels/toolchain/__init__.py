"""From kernels to one shared library, and back to Python: marks, build, loading.

Nothing here knows about minesweeper. ``build`` and ``lowering`` run only where the library is built.
"""

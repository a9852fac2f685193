"""Compiled twins of solver, players and generator: flat arrays in, arrays out.

``api`` is what Python calls: analysis of a position, advice of the deep player, whole games, boards that need no guess.
``toolchain`` makes one shared library of them and loads it, ``c`` has its C files, with the interface for other
languages (``satsweep.h``), ``memory`` is what they work in.
``position``, ``lookahead``, ``endgame`` and ``games`` are the stages. The kernels import nothing else of the package,
and only ``satsweep.solver.compiled`` imports them. Importing this package loads nothing: ``limits``, their capacity, is
known without numpy.
"""

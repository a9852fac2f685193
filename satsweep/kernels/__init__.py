"""Compiled twins of solver, players and generator: flat arrays in, arrays out.

``api`` is what Python calls: analysis of a position, advice of the deep player, whole games, boards that need no guess.
``counting`` and ``board_engine`` are called without NumPy: exact counts, and the engine of one board.
``build`` makes one shared library of them, by means of ``toolchain``, which loads it, too; ``c`` has its C files, with
the interface for other languages (``satsweep.h``). ``shared`` has what all kernels share, ``record`` what they work in.
``position``, ``lookahead``, ``endgame`` and ``games`` are the stages. The kernels import nothing else of the package;
outside of it ``satsweep.solver.compiled`` imports them, others only ``board_engine``. Importing this package loads
nothing: ``shared.memory``, their capacity, is known without numpy.
"""

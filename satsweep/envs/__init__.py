"""Games for learners: rewards without luck, and Gymnasium environments.

``reward`` defines what a move earns, by what the player sees alone. The environments need ``gymnasium``; they are
registered with it as ``satsweep/Minesweeper-v0`` when one of the two is imported after the other.
"""

import sys

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

if "gymnasium" in sys.modules:
    from satsweep.envs.minesweeper import register_envs

    register_envs()

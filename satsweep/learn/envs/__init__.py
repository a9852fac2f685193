"""Games for learners: rewards without luck, and Gymnasium environments.

``reward`` defines what a move earns, by what the player sees alone. Where ``gymnasium`` is installed, importing this
folder registers ``satsweep/Minesweeper-v0`` with it; the environments need it, rewards do not.
"""

import lazy_loader

from satsweep.solver import is_installed

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

if is_installed("gymnasium"):
    from satsweep.learn.envs.minesweeper import register_envs

    register_envs()

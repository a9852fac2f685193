"""Folders of ``satsweep.learn``."""

from . import bench as bench, corpus as corpus, envs as envs

__all__: list[str]

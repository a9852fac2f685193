"""Loading of agents' files that draw windows, without a window.

A student's file often imports what draws its game. Where such a package is missing, an empty stand-in takes its place
while the file is loaded; where it is there, it is told to open no window.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

SCREENS = (
    "pygame",
    "tkinter",
    "turtle",
    "pyglet",
    "arcade",
    "PyQt5",
    "PyQt6",
    "PySide6",
    "kivy",
    "matplotlib",
    "pyautogui",
)
"""Packages that draw windows, or press buttons in them."""
_OF_TK = ("tkinter", "turtle")
"""Those of the standard library, which fail halfway where Python has no Tk."""
_NO_WINDOW = {
    "SDL_VIDEODRIVER": "dummy",
    "SDL_AUDIODRIVER": "dummy",
    "MPLBACKEND": "Agg",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}


class StandIn(ModuleType):
    """A module, or anything in it, that takes any call and any name, and does nothing.

    >>> StandIn("pygame").display.set_mode((640, 480)).fill("grey")
    <StandIn pygame.display.set_mode.fill>
    """

    __path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn(f"{self.__name__}.{name}")

    def __call__(self, *arguments: object, **named: object) -> Any:
        return self

    def __mro_entries__(self, bases: object) -> tuple[type, ...]:
        return (object,)

    def __iter__(self) -> Iterator[object]:
        return iter(())

    def __repr__(self) -> str:
        return f"<StandIn {self.__name__}>"


class _StandIns(MetaPathFinder, Loader):
    def __init__(self, packages: Sequence[str]) -> None:
        self._packages = packages

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if name.partition(".")[0] in self._packages else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is run."""


@contextmanager
def without_screen() -> Iterator[None]:
    """Import within the context without windows; missing packages have stand-ins."""
    before = {name: os.environ.get(name) for name in _NO_WINDOW}
    os.environ.update({name: value for name, value in _NO_WINDOW.items() if name not in os.environ})
    finders = [_StandIns(() if find_spec("_tkinter") else _OF_TK), _StandIns(SCREENS)]
    sys.meta_path.insert(0, finders[0])
    sys.meta_path.append(finders[1])
    try:
        yield
    finally:
        for finder in finders:
            sys.meta_path.remove(finder)
        for name in [name for name, module in sys.modules.items() if isinstance(module, StandIn)]:
            sys.modules.pop(name)
        for variable, value in before.items():
            if value is None:
                os.environ.pop(variable, None)

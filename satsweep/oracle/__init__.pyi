"""Names of ``satsweep.oracle``: values that exported functions return, and what else is asked for by name."""

from .audit import audit_games as audit_games
from .lessons import Lesson as Lesson, MissedCell as MissedCell, lessons_of as lessons_of
from .report import Audit as Audit, Failure as Failure, Missed as Missed, Unsound as Unsound, WrongRisk as WrongRisk

__all__: list[str]

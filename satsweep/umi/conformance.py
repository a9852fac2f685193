"""Conformance suite: the levels that an engine declares, and what it does wrong."""

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from satsweep.errors import AgentError
from satsweep.text import printable
from satsweep.umi.levels import LEVELS, Examined
from satsweep.umi.protocol.messages import Identity


@dataclass(frozen=True, slots=True)
class LevelResult:
    """Result of a level: its checks, each with what is wrong or None.

    ``declared`` is False where the engine does not declare the level, which has no checks then.
    """

    number: int
    name: str
    declared: bool
    checks: tuple[tuple[str, str | None], ...] = ()

    @property
    def passed(self) -> bool:
        return all(problem is None for _, problem in self.checks)


@dataclass(frozen=True, slots=True)
class Examination:
    engine: str
    identity: Identity
    levels: tuple[LevelResult, ...]

    @property
    def passed(self) -> bool:
        return all(level.passed for level in self.levels)


def examine(
    name: str,
    *,
    levels: Collection[int] = (),
    seconds: float = 60.0,
    tell: Callable[[str], object] | None = None,
) -> Examination:
    """Examine an engine, on all levels unless some are given.

    ``seconds`` is the time for each game and each answer. ``tell`` is given the text as it comes: the engine's
    first, then that of each level. Raises AgentError when the engine cannot be started.
    """
    examined = Examined(name, seconds)
    with examined.playing() as engine:
        identity = engine.identity
    results: list[LevelResult] = []
    if tell is not None:
        tell(_heading(identity))
    for level in LEVELS:
        declared = not level.words or not identity.can.isdisjoint(level.words)
        if levels and level.number not in levels:
            continue
        checks = []
        for title, check in level.checks.items() if declared else ():
            if title in level.words and title not in identity.can:
                continue
            problem = None
            try:
                check(examined)
            except AgentError as error:
                problem = printable(str(error))
            checks.append((title, problem))
        results.append(LevelResult(level.number, level.name, declared, tuple(checks)))
        if tell is not None:
            tell(_level_text(results[-1]))
    return Examination(name, identity, tuple(results))


def to_text(found: Examination) -> Iterator[str]:
    yield _heading(found.identity)
    yield from map(_level_text, found.levels)


def _heading(identity: Identity) -> str:
    declared = ", ".join(sorted(identity.can)) or "nothing"
    return f"engine       {printable(identity.name)} {printable(identity.version)}\ndeclares     {declared}\n\n"


def _level_text(level: LevelResult) -> str:
    state = "not declared" if not level.declared else "passed" if level.passed else "failed"
    problems = (f"         {title}: {problem}\n" for title, problem in level.checks if problem is not None)
    return f"level {level.number}  {level.name:<10} {state}\n{''.join(problems)}"


def to_json(found: Examination) -> Iterator[str]:
    identity = found.identity
    fields = {
        "engine": found.engine,
        "name": identity.name,
        "version": identity.version,
        "declares": sorted(identity.can),
        "passed": found.passed,
        "levels": [
            {
                "level": level.number,
                "name": level.name,
                "declared": level.declared,
                "passed": level.passed if level.declared else None,
                "checks": [{"check": title, "problem": problem} for title, problem in level.checks],
            }
            for level in found.levels
        ],
    }
    yield json.dumps(fields, indent=2) + "\n"

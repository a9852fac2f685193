"""Agents as students write them, each from its file to the right verdict."""

from itertools import islice
from typing import NamedTuple

import pytest

from satsweep.agents.isolated import isolated
from satsweep.games.deal import NAMED_BOARDS, random_layout
from satsweep.oracle.audit import audits_of_games
from satsweep.oracle.report import Audit, merged_audits
from tests import ROOT

FOLDER = ROOT / "examples" / "students"


class Verdict(NamedTuple):
    """Properties of an agent: sound; complete for one number, and for all; makes claims, and guesses."""

    sound: bool = True
    single: bool = True
    pairs: bool = False
    claims: bool = True
    guesses: bool = False


VERDICTS = {
    "cs50_complete": Verdict(pairs=True, guesses=True),
    "cs50_single": Verdict(guesses=True),
    "cs50_forgotten_count": Verdict(sound=False, single=False, guesses=True),
    "cs50_aliased": Verdict(sound=False, single=False, guesses=True),
    "single_rows": Verdict(),
    "numpy_subsets": Verdict(),
    "global_state": Verdict(),
    "random_cell": Verdict(claims=False, single=False, guesses=True),
    "pygame_board": Verdict(claims=False, single=False, guesses=True),
    "with_depth": Verdict(guesses=True),
    "wrong_corner": Verdict(sound=False, single=False),
}


def audited(name: str, games: int = 20) -> Audit:
    layouts = (random_layout("cs50", seed=seed) for seed in range(games))
    with isolated(f"{FOLDER}/{name}.py", move_seconds=1) as agent:
        audits = audits_of_games(agent, layouts, NAMED_BOARDS["cs50"].rules, keep_failures=True)
        return merged_audits(agent.name, islice(audits, games))


@pytest.mark.extended
@pytest.mark.parametrize("name", VERDICTS)
def test_the_verdict_on_each(name: str) -> None:
    audit = audited(name)
    singles, found = audit.forced - audit.forced_beyond, audit.found - audit.found_beyond
    assert not audit.failures
    assert VERDICTS[name] == Verdict(
        audit.sound, found == singles, audit.found == audit.forced, audit.claims > 0, bool(audit.regrets)
    )


@pytest.mark.extended
def test_a_loop_without_an_end_is_reported_with_its_line() -> None:
    audit = audited("endless_loop", 5)
    assert len(audit.failures) == 3 and not audit.positions
    assert "the agent took more than 1 s for a move, in deduce at endless_loop.py:" in audit.failures[0].message


def test_every_file_has_a_verdict() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == {*VERDICTS, "endless_loop"}

"""Reports on an agent: ends of games, answers, the page and the Markdown."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from satsweep.agents.load import load_agent
from satsweep.arena.coursework.questions import answered
from satsweep.arena.coursework.report import endings, misses, report_markdown, report_page, successes, techniques
from satsweep.arena.coursework.study import Ending, Study, ending_of, plan_of, played
from satsweep.arena.run import run_plan
from satsweep.board import Board
from satsweep.games.agent import Agent
from satsweep.games.deal import NAMED_BOARDS
from satsweep.games.game import play
from satsweep.games.rules import FirstClick, Rules
from satsweep.games.setting import Setting
from satsweep.layout import Layout
from tests import ROOT
from tests.cli import invoke

CS50 = Setting(8, 8, 8, NAMED_BOARDS["cs50"].rules)


@pytest.fixture(scope="module")
def study() -> Study:
    """Of an agent that is sound, and never combines two numbers."""
    audit, ends = played(load_agent("basic"), CS50, "1", 30)
    with ThreadPoolExecutor(1) as one:
        return Study(CS50, "1", audit, ends, run_plan(plan_of("basic", CS50, "1", 10), one))


OPEN = Rules(FirstClick.ANY, cascade=False)


def ending(cells: list[tuple[int, int]], layout: str, *, claims: bool = False) -> Ending:
    """End of a game in which these cells are opened as guesses, or as claims."""
    waiting = iter(cells)

    def deduce(board: Board) -> tuple[list[object], list[object]]:
        return ([next(waiting)], []) if claims else ([], [])

    agent = Agent(deduce, lambda board, rng: next(waiting, None))
    return ending_of(play(Layout(tuple(layout.split())), agent, OPEN))


@pytest.mark.parametrize(
    ("cells", "layout", "kind"),
    [
        ([(0, 1), (1, 0), (1, 1)], "*. ..", Ending.WON),
        ([(0, 1)], "*. ..", Ending.STUCK),
        ([(0, 0)], "*. ..", Ending.START),
        ([(0, 1), (0, 0)], "*. ..", Ending.LUCK),
        ([(0, 3), (0, 0)], "*... ....", Ending.SAFE),
        ([(0, 1), (1, 0), (0, 2)], "..* ... *..", Ending.RISKIER),
    ],
)
def test_ends_of_games(cells: list[tuple[int, int]], layout: str, kind: Ending) -> None:
    assert ending(cells, layout) is kind


def test_a_false_claim_ends_a_game() -> None:
    assert ending([(0, 1), (0, 0)], "*. ..", claims=True) is Ending.CLAIM


def test_the_ends_are_those_of_the_audited_games(study: Study) -> None:
    assert sum(study.endings.values()) == study.audit.games == 30
    assert study.endings[Ending.WON] and not study.endings[Ending.CLAIM]
    assert [row[0] for row in endings(study).rows] == [kind.value for kind in Ending if study.endings[kind]]


def test_tables(study: Study) -> None:
    assert successes(study).head == ("mines", "basic", "gem", "sat")
    assert len(successes(study).rows) == 5 and all(" to " in cell for row in successes(study).rows for cell in row[1:])
    missed = sum(int(row[2]) for row in techniques(study).rows)
    assert missed == study.audit.forced - study.audit.found
    assert 0 < len(misses(study)) <= 5


def test_questions_are_answered_by_what_was_measured(study: Study) -> None:
    said = dict(answered(study))
    assert said["Is everything that it claims true?"].startswith(f"Yes: {study.audit.claims:,} claims in 30 games")
    assert said["What does it find that no number says on its own?"].startswith(f"0 of {study.audit.forced_beyond} ")
    assert said["Where is it better than an agent of single numbers, and where is it not?"] == (
        "It wins as often as basic at every density, within 2 points."
    )
    silent = replace(study, audit=replace(study.audit, claims=0, regrets=()), endings=Counter())
    assert dict(answered(silent))["Is everything that it claims true?"].startswith("It makes no claims")
    assert dict(answered(silent))["Does it lose by bad luck or by mistakes?"] == "It lost no game to a mine."


def test_the_page_and_the_markdown_say_the_same(study: Study) -> None:
    page = report_page(study)
    text, pictures = report_markdown(study, "mine")
    for question, answer in answered(study):
        assert question in page and f"**{question}** {answer}" in text
    assert page.count("<svg") == 1 + len(misses(study)) == len(pictures)
    assert all(f"]({name})" in text and picture.rstrip().endswith("</svg>") for name, picture in pictures.items())
    assert "<script src" not in page and "http-equiv" not in page


@pytest.mark.extended
def test_the_command_writes_it_and_goes_on(tmp_path: Path) -> None:
    agent = ROOT / "examples" / "students" / "wrong_corner.py"
    base = ("report", "--agent", agent, "--board", "cs50", "--games", 6, "--store", tmp_path / "runs.db", "--jobs", 1)
    first = invoke(*base, "-o", tmp_path / "report.html")
    assert (first.exit_code, first.stdout) == (1, "") and "Report on wrong_corner.py" in (
        tmp_path / "report.html"
    ).read_text()
    before = (tmp_path / "report.html").read_text()
    again = invoke(*base, "-o", tmp_path / "report.html")
    assert again.exit_code == 1 and (tmp_path / "report.html").read_text() == before, "no game is played again"
    assert invoke(*base, "-o", tmp_path / "report.md").exit_code == 1 and (tmp_path / "report-won.svg").exists()
    assert invoke(*base, "-o", tmp_path / "report.txt").exit_code == 2

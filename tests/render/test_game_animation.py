"""Games as moving pictures: every step shows the board after its moves, in order."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given

from satsweep.agents import AGENTS, agent_named
from satsweep.board import FLAG, MINE, NUMBER_OF, Board, Cell
from satsweep.errors import BoardError
from satsweep.games.deal import LEVELS, game_rng, random_layout
from satsweep.games.game import Game, play, record, replay
from satsweep.games.record import Action, MoveReason, Outcome, Record
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout
from satsweep.render.board_geometry import TOP, BoardGeometry
from satsweep.render.board_svg import LINE
from satsweep.render.game_animation import FRAME, HOLD, LEAD, LONGEST, PACE, animated_svg
from satsweep.topology import TOPOLOGIES
from tests import ROOT
from tests.games.test_record import by_hand, records

SVG = "{http://www.w3.org/2000/svg}"
LOOKS = {"#": "c", FLAG: "f", MINE: "x", "?": "n?"}
OVERLAYS = {"g", "s"}
KEYFRAMES = re.compile(r"@keyframes m(\d+)\{0%,([\d.]+)%\{visibility:hidden\}\}")


class Film:
    """What the file of a game shows, read back from its elements and its style sheet."""

    def __init__(self, played: Record, **options: Any) -> None:
        self.text = "".join(animated_svg(played, **options))
        self.root = ElementTree.fromstring(self.text)
        self.style = self.root.find(f"{SVG}style").text or ""  # type: ignore[union-attr]
        groups = [group for group in self.root.findall(f"{SVG}g") if group.find(f"{SVG}use[@href='#p']") is not None]
        self.covered, *self.steps = groups
        layout = played.layout
        remarked = (layout.topology.name != "square") + (not played.rules.clues.is_exact)
        lines = len([part for part in self.root.findall(f"{SVG}text") if part.get("font-size") == "12"])
        assert (lines > 0) == (remarked > 0)
        places = BoardGeometry(layout.rows, layout.cols, layout.topology, top=TOP + LINE * lines)
        cells = [Cell(row, col) for row in range(layout.rows) for col in range(layout.cols)]
        self.cells = {places.middle(cell): cell for cell in cells}

    def looks(self, group: ElementTree.Element) -> Iterator[tuple[str, Cell]]:
        """The looks that a step places, with their cells."""
        for part in group.findall(f"{SVG}use"):
            if part.get("href") != "#p":
                yield part.get("href", "")[1:], self.cells[int(part.get("x", "")), int(part.get("y", ""))]

    def boards(self) -> Iterator[dict[Cell, str]]:
        """The look of every cell after every step, and at first."""
        shown: dict[Cell, str] = {}
        for group in (self.covered, *self.steps):
            shown |= {cell: look for look, cell in self.looks(group) if look not in OVERLAYS}
            yield dict(shown)

    @property
    def times(self) -> list[float]:
        """The time of every step, in percent of the whole."""
        found = KEYFRAMES.findall(self.style)
        assert [int(number) for number, _ in found] == list(range(len(self.steps)))
        assert [group.get("style") for group in self.steps] == [f"animation-name:m{number}" for number, _ in found]
        return [float(time) for _, time in found]

    @property
    def seconds(self) -> float:
        """Duration of the animation."""
        (found,) = re.findall(r"\.step \{ animation: ([\d.]+)s step-start", self.style)
        return float(found)

    def captions(self) -> list[str]:
        """The caption of every step, and the first one."""
        return [group.findtext(f"{SVG}text[@class='said']", "") for group in (self.covered, *self.steps)]


def look_of(board: Board, cell: Cell) -> str:
    symbol = board[cell]
    return LOOKS.get(symbol) or f"n{NUMBER_OF[symbol]}"


def check_boards(played: Record) -> None:
    """Every step shows the board after its move, and the last one the final board."""
    film = Film(played)
    shown = list(film.boards())
    assert len(film.steps) == len(played.moves) + 1, "one animated element for each move, and one for the outcome"
    for (_, game), found in zip(replay(played), shown[1:], strict=False):
        board = game.board
        assert found == {cell: look_of(board, cell) for cell in film.cells.values()}
    before, last = shown[-2:]
    for cell, look in last.items():
        mine = played.layout.is_mine(cell)
        assert look == {("f", False): "w", ("c", True): "m"}.get((before[cell], mine), before[cell])


@given(records())
def test_every_step_shows_the_board_after_its_move(played: Record) -> None:
    check_boards(played)


@given(records())
def test_the_file_is_whole_and_its_times_ascend(played: Record) -> None:
    film = Film(played)
    assert [0.0, *film.times, 100.0] == sorted({0.0, *film.times, 100.0})
    assert film.text == "".join(animated_svg(replace(played, seconds=9.0)))
    defined = {part.get("id") for part in film.root.iter()}
    assert {part.get("href", "")[1:] for part in film.root.iter(f"{SVG}use")} <= defined
    width, height = int(film.root.get("width", "")), int(film.root.get("height", ""))
    assert all(20 < x < width and 20 < y < height for x, y in film.cells)


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_all_topologies(topology: str) -> None:
    rng = game_rng("2", 0)
    layout = random_layout(6, 6, 6, rng, topology=topology)
    check_boards(play(layout, agent_named("gem"), Rules(), rng, name="gem"))


def test_it_needs_nothing_else() -> None:
    film = Film(by_hand())
    assert not {f"{SVG}script", f"{SVG}image", f"{SVG}foreignObject"} & {part.tag for part in film.root.iter()}
    names = {name for part in film.root.iter() for name in part.attrib}
    assert not [name for name in names if name.startswith("on")]
    assert not re.findall(r"url\(|@import|https?:(?!//www\.w3\.org/2000/svg)", film.text)


def test_guesses_flags_and_mines_are_marked() -> None:
    assert {move.action for move in by_hand().moves} == set(Action)
    film = Film(by_hand())
    drawn = [list(film.looks(group)) for group in film.steps]
    assert drawn[:3] == [
        [("n2", Cell(1, 0)), ("g", Cell(1, 0))],
        [("x", Cell(0, 0)), ("g", Cell(0, 0))],
        [("f", Cell(1, 1))],
    ]
    assert [("f", Cell(0, 2))] in drawn and [("c", Cell(0, 2))] in drawn and [("s", Cell(1, 2))] in drawn
    assert drawn[-1] == [("w", Cell(1, 1))]
    assert film.steps[0].findtext(f"{SVG}text[@class='risk']") == "33 %"
    assert film.steps[1].find(f"{SVG}text[@class='risk']") is None
    said = film.captions()
    assert said[0] == "6 covered cells"
    assert said[1] == "1 of 9: guess 1,0 shows 2 (why not, risk 33.33 % (1/3))"
    assert said[2] == "2 of 9: guess 0,0 a mine (a guess)"
    assert said[3] == "3 of 9: flag 1,1 (wishful thinking: 2 at 1,0)"
    outcome = f"played out: {Outcome.PLAYED_OUT.why} (9 moves, 2 guesses)"
    assert said[-1] == f"{outcome[:91]}…" and Outcome.PLAYED_OUT.why in said[-1]
    legend = [part.text for part in film.root.findall(f"{SVG}g[@class='foot']//{SVG}text")]
    assert legend == [
        "last move", "guess, with its risk if known", "flag", "wrong flag", "known to be safe", "mine that was opened",
    ]  # fmt: skip


def test_the_frame_is_around_the_cell_of_the_last_move() -> None:
    film = Film(by_hand())
    (ways,) = re.findall(r"@keyframes last\{(.*)\}", film.style)
    places = [(int(x), int(y)) for x, y in re.findall(r"translate\((\d+)px,(\d+)px\)", ways)]
    assert [film.cells[place] for place in places] == [move.cell for move in by_hand().moves]
    at = [float(time) for time in re.findall(r"([\d.]+)%\{", ways)]
    assert at == [0.0, *film.times[:-1]]
    last = film.root.find(f"{SVG}g[@class='last']")
    assert last is not None and last.get("style") == "transform:translate({}px,{}px)".format(*places[-1])


def test_covered_mines_are_shown_when_a_game_is_lost() -> None:
    lost = play(Layout(("*.*", "...", "..*")), agent_named("random"), Rules(FirstClick.ANY, Cell(0, 0)))
    film = Film(lost)
    assert lost.outcome is Outcome.EXPLODED
    assert list(film.looks(film.steps[0])) == [("x", Cell(0, 0))]
    assert list(film.looks(film.steps[1])) == [("m", Cell(0, 2)), ("m", Cell(2, 2))]
    assert film.captions()[1:] == [
        "1 of 1: open 0,0 a mine (the rules open it first)",
        "exploded: a mine was opened (1 move, 0 guesses)",
    ]


def test_a_game_without_a_move() -> None:
    film = Film(play(Layout(("**",)), agent_named("basic"), Rules(first=FirstClick.ANY)))
    assert len(film.steps) == 1 and film.root.find(f"{SVG}g[@class='last']") is None
    assert 0 < film.times[0] < 100


def expert() -> Record:
    rng = game_rng("3", 0)
    return play(random_layout(*LEVELS["expert"], rng), agent_named("basic"), Rules(fatal=False), rng, name="basic")


def test_an_expert_game_is_small_and_short() -> None:
    film, played = Film(expert()), expert()
    assert len(played.moves) > 250 and len(film.text.encode()) < 200_000
    assert film.seconds == pytest.approx(LEAD + LONGEST + HOLD, abs=0.01)
    assert len(film.steps) == len(played.moves) + 1


def test_the_game_in_the_docs_is_made_by_its_command() -> None:
    page = (ROOT / "docs" / "experiments.md").read_text()
    (command,) = re.findall(r"^    satsweep (play .* --animation) docs/bfs_game\.svg$", page, re.MULTILINE)
    rng = game_rng("0", 0)
    rules = replace(AGENTS["bfs"].rules, first=FirstClick.ZERO)
    played = play(random_layout(20, 20, 40, rng), agent_named("bfs"), rules, rng, name="bfs")
    assert command == "play --agent bfs --board 20x20/40 --first zero --seed 0 --animation"
    assert (ROOT / "docs" / "bfs_game.svg").read_text() == "".join(animated_svg(played)) and played.won


def test_pace_and_repetition() -> None:
    short, moves = by_hand(), len(by_hand().moves)
    assert Film(short).seconds == pytest.approx(LEAD + moves * PACE + HOLD, abs=0.01)
    slow = Film(short, pace=60)
    assert slow.seconds == pytest.approx(LEAD + moves * 60 + HOLD, abs=0.01)
    assert slow.times[1] - slow.times[0] == pytest.approx(100 * 60 / slow.seconds, abs=0.002)
    assert slow.style.count("infinite") == 2 and "infinite" not in Film(short, loop=False).style
    for pace in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="expected a pace above 0 seconds"):
            list(animated_svg(short, pace=pace))


@pytest.mark.parametrize("pace", [FRAME / 2, 0.001, 5e-324])
def test_fast_moves_make_one_step(pace: float) -> None:
    """The board after the step is that after its last move, and no step is too short to see."""
    played = expert()
    film = Film(played, pace=pace)
    together = 2 if pace == FRAME / 2 else 40 if pace == 0.001 else len(played.moves)
    after = [game.board for _, game in replay(played)]
    numbers = [*range(together, len(after), together), len(after)]
    assert len(film.steps) == len(numbers) + 1
    for number, shown in zip(numbers, list(film.boards())[1:-1], strict=True):
        board = after[number - 1]
        assert shown == {cell: look_of(board, cell) for cell in film.cells.values()}
        assert film.captions()[numbers.index(number) + 1].startswith(f"{number:,} of {len(after):,}: ")


def test_nothing_moves_where_reduced_motion_is_preferred() -> None:
    style = Film(by_hand()).style
    (guarded,) = re.findall(r"@media \(prefers-reduced-motion: no-preference\) \{\n(.*?)\n    \}", style, re.DOTALL)
    assert guarded.count("animation:") == 2 == style.count("animation:")


def test_names_and_reasons_of_strangers_stay_text() -> None:
    why = "<script>]]>&\x00\x1b[31m\ud800" + "long " * 100
    game = Game(Layout(("*..", "...")), Rules(FirstClick.ANY))
    game.open((1, 2), MoveReason.GUESSED, why=why, risk=Fraction(1, 10**6))
    game.stop(Outcome.STOPPED)
    film = Film(record(game, f"me{why}"))
    assert "<script>]]>&\\x00\\x1b[31m\\ud800long" in film.captions()[1]
    assert max(map(len, film.captions())) < 100 and film.captions()[1].endswith("…")
    assert (film.root.findtext(f"{SVG}title") or "").startswith("me<script>")
    assert film.steps[0].findtext(f"{SVG}text[@class='risk']") == "<1 %"
    film.text.encode()


def test_a_record_that_cannot_be_played_makes_no_file() -> None:
    played = by_hand()
    with pytest.raises(BoardError, match="found mistaken"):
        next(animated_svg(replace(played, outcome=Outcome.MISTAKEN)))


def test_zeros_are_written_where_numbers_may_be_wrong() -> None:
    from satsweep.clues import clues_named

    for clues, label in (("exact", None), ("underestimate", "0")):
        game = Game(Layout(("*..", "...")), Rules(FirstClick.ANY, clues=clues_named(clues)))
        game.open((1, 2))
        game.stop(Outcome.STOPPED)
        zero = Film(record(game, "me")).root.find(f"{SVG}defs/{SVG}g[@id='n0']")
        assert zero is not None and zero.findtext(f"{SVG}text") == label

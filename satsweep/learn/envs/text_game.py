"""A game of many turns in text, scored move by move by what can be known.

A reply without an answer, or with a cell that cannot be opened, costs 0.1, and three in a row end the game. A game
that is given up costs what was left to earn (``satsweep.learn.envs.reward``).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

from satsweep.arguments import short_repr
from satsweep.board import Cell
from satsweep.games.game import Game
from satsweep.games.record import Outcome
from satsweep.learn.envs.metrics import Score, all_metrics, move_metrics
from satsweep.learn.envs.replies import DONE, GRAMMARS
from satsweep.learn.envs.reward import KINDS, RewardFunction, forced_credit
from satsweep.learn.envs.tasks import ANY, REFUSED, TextTask, safe_by_technique, start_game
from satsweep.learn.envs.text import SYMBOLS, cells_text, observe, question
from satsweep.text import counted

MOST_REFUSED = 3
"""Refused replies in a row that end a game."""
ASKED = "Open every cell but mines; a mine ends the game."
ASKED_OF_CERTAIN = (
    "Open every cell but mines. No guess is needed on this board: open only cells that are certainly safe, since any "
    "other cell ends the game."
)


class Turn(NamedTuple):
    """Answer of a game to a reply: a text, the exact reward, True if the game is over."""

    text: str
    reward: Fraction
    done: bool


GAME_REWARDS = (*KINDS, "credit")
"""Rewards of a game: those of ``RewardFunction``, and the forced credit."""


class TextGame:
    """A game of many turns in text: ``prompt`` opens it, ``step`` takes a reply.

    A move earns its ``reward``: ``regret`` or ``win``, 0 at best; or ``credit``, which makes 1 in all for a board that
    needs no guess (``no_guess``), cleared. A reply without an answer, or with a cell that cannot be opened, costs 0.1,
    and three in a row end the game. A game that is given up, in this way or by ``done``, costs what was left to earn;
    call ``give_up`` if no more replies come. ``score`` has what the game has earned, and its metrics.

    >>> game = TextGame("4x4/3", seed=2, reward="credit", no_guess=True)
    >>> while not game.over:
    ...     turn = game.step(game.answer)
    >>> str(game.score.reward), turn.text.split("\\n")[0]
    ('1', '(3,2) is safe; 1 cell opened. The board is cleared.')
    """

    def __init__(
        self,
        board: str = "beginner",
        seed: int | str = 0,
        *,
        number: int = 0,
        observation: str = "grid",
        reward: str = "regret",
        tells_total: bool = True,
        no_guess: bool = False,
    ) -> None:
        game = start_game(board, seed, number, tells_total=tells_total, no_guess=no_guess)
        self._begin(game, observation, reward)

    @classmethod
    def of(
        cls, game: Game, *, observation: str = "grid", reward: str = "credit", certain: bool = True,
        symbols: str = SYMBOLS,
    ) -> TextGame:  # fmt: skip
        """A text game from a game in play.

        ``certain``: the game ends at the first cell that is not certainly safe, so that luck decides nothing.
        """
        found = cls.__new__(cls)
        found._begin(game, observation, reward, certain=certain, symbols=symbols)
        return found

    def _begin(
        self, game: Game, observation: str, reward: str, *, certain: bool = False, symbols: str = SYMBOLS
    ) -> None:
        if reward not in GAME_REWARDS:
            raise ValueError(f"expected a reward among {', '.join(GAME_REWARDS)}, found {short_repr(reward, 40)}")
        self.game = game
        self.observation, self.symbols = observation, symbols
        self._certain = certain
        self._credit = reward == "credit"
        self._rewards = RewardFunction("regret" if self._credit else reward, ANY)
        self._whole = len(self.game.board.symbols) - self.game.layout.mines
        self._safe = self._whole - self._opened
        self.prompt = self.question
        self.over = False
        self._earned = Fraction(0)
        self._found = Counter[str]({"prompt_characters": len(self.prompt)})
        self._refused = 0
        self._named: set[Cell] = set()

    @property
    def question(self) -> str:
        """The question of the position as it is now, for a player without a memory."""
        asked = ASKED_OF_CERTAIN if self._certain else ASKED
        return question(self.game.board, self.observation, "game", asked, self.symbols)

    @property
    def _opened(self) -> int:
        return sum(symbol not in "#*" for symbol in self.game.board.symbols)

    @property
    def answer(self) -> str:
        """A right answer to the position: a safe cell, or one of least risk."""
        return TextTask("move", self.game.board, reward=self._rewards.kind).answer

    @property
    def score(self) -> Score:
        """The sum that the game has earned so far, with all metrics."""
        ends = {"win": self.game.outcome is Outcome.CLEARED, "opened": self._opened / self._whole}
        return Score(self._earned, all_metrics(self._earned, {**self._found, **ends}))

    def step(self, reply: str) -> Turn:
        """Take a reply. Raises ValueError once the game is over."""
        if self.over:
            raise ValueError("expected a game that goes on, found it over")
        self._found.update(turns=1, completion_characters=len(reply))
        answer = GRAMMARS["game"].last(reply)
        if answer == DONE:
            return self.give_up()
        if not isinstance(answer, Cell):
            return self._refuse("format_errors", f"Expected {GRAMMARS['game'].form}")
        if answer not in self.game.board.covered:
            self._found["repeats"] += answer in self._named
            self._named.add(answer)
            return self._refuse("illegal", f"{cells_text([answer])} is no covered cell")
        self._refused = 0
        self._named.add(answer)
        return self._open(answer)

    def give_up(self) -> Turn:
        """End the game where it stands, at the cost of what was left to earn."""
        left = Fraction(0) if self._credit else self._rewards.left(self.game.board)[0]
        self.game.stop(Outcome.STOPPED)
        return self._turn("The game is given up.", -left)

    def _refuse(self, metric: str, why: str) -> Turn:
        self._found[metric] += 1
        self._refused += 1
        refused = self._turn(f"{why}.", REFUSED)
        if self._refused < MOST_REFUSED:
            return refused
        ended = self.give_up()
        return ended._replace(text=f"{why}. {ended.text}", reward=REFUSED + ended.reward)

    def _open(self, cell: Cell) -> Turn:
        found = self._rewards.of(self.game.board, cell)
        self._found.update(move_metrics(found, cell, safe_by_technique(self.game.board)))
        move = self.game.open(cell)
        reward = forced_credit(found, len(move.revealed), self._safe) if self._credit else found.value
        if self._certain and found.risk and self.game.outcome is None:
            self.game.stop(Outcome.STOPPED)
        said = "is a mine" if move.exploded else f"is safe; {counted(len(move.revealed), 'cell')} opened"
        return self._turn(f"{cells_text([cell])} {said}.", reward)

    def _turn(self, remark: str, reward: Fraction) -> Turn:
        self._earned += reward
        self.over = self.game.outcome is not None
        ending = " The board is cleared." * (self.game.outcome is Outcome.CLEARED)
        text = f"{remark}{ending}\n\n{observe(self.game.board, self.observation, self.symbols)}"
        if not self.over:
            self._found["prompt_characters"] += len(text)
        return Turn(text, reward, self.over)

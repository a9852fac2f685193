"""Rows of the corpus, made from a seed and the number of a candidate.

Every candidate has random numbers of its own, so a row depends on nothing but its table, the seed and its number.
Some candidates give no row, and those of ``puzzles`` may give several.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random

from satsweep.agents import agent_named
from satsweep.analysis.advice import unavoidable_guesses
from satsweep.analysis.analyse import analyse
from satsweep.analysis.endgame import SearchExhausted, endgame
from satsweep.board import COVERED, HIDDEN, MINE, NUMBER_OF, Board, Cell
from satsweep.clicks.fewest import fewest_clicks
from satsweep.formats.certificates import to_json
from satsweep.games.agent import Guess
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.rules import FirstClick, Rules
from satsweep.generator.run import MethodChoice, generate_board
from satsweep.generator.spec import BoardSpec, GenerationMethod
from satsweep.generator.walkthrough import board_numbers, walkthrough
from satsweep.layout import Layout
from satsweep.learn.corpus.bands import BANDS, PROVERS, ProvedTurn, Prover, easiest, prove
from satsweep.learn.corpus.tables import Row, form_of, split_of
from satsweep.proofs.certify import certify
from satsweep.proofs.trace import check
from satsweep.solver import compiled
from satsweep.solver.budget import UNLIMITED
from satsweep.solver.pipeline import ComponentCache
from satsweep.why.explainer import Explainer
from satsweep.why.sentences import argument_in_words
from satsweep.why.values import Explanation

SIZES = ((8, 8, 10), (9, 9, 10), (16, 16, 40), (20, 10, 35), (16, 30, 99))
"""Rows, columns and mines of the boards, in turn."""
DRAWS = 200
"""Boards that need no guess that are drawn in search of one of the wanted band."""
MOST_CELLS_FOR_CLICKS, SECONDS_FOR_CLICKS = 100, 1e6
"""Most cells of a board whose fewest clicks are searched, until they are proved."""
MOST_WORLDS = 1_000
"""Most worlds of a position with a guess: a second engine can search them, too."""


def rows_of(table: str, seed: int | str, candidate: int) -> list[Row]:
    """Return the rows of a candidate, complete.

    >>> [row["id"] for row in rows_of("boards", 1, 0)]
    ['boards-1-0']
    """
    found = list(_MAKERS[table](f"{table}-{seed}", candidate))
    complete = []
    for number, row in enumerate(found):
        letter = _letters(number) if len(found) > 1 else ""
        form = form_of(row)
        complete.append({"id": f"{table}-{seed}-{candidate}{letter}", "split": split_of(form), "form": form, **row})
    return complete


def _letters(number: int) -> str:
    """Letters that count: a to y, then za, zb, in alphabetical order.

    >>> _letters(0), _letters(25), _letters(26), _letters(51)
    ('a', 'za', 'zb', 'zzb')
    """
    zs, last = divmod(number, 25)
    return "z" * zs + chr(ord("a") + last)


def _boards(run: str, candidate: int) -> Iterator[Row]:
    """A board of a size, start and band in turn, drawn uniformly among all of them."""
    turn, size = divmod(candidate, len(SIZES))
    turn, place = divmod(turn, 2)
    rows, cols, mines = SIZES[size]
    start = Cell(0, 0) if place == 0 else Cell(rows // 2, cols // 2)
    spec = BoardSpec(rows, cols, mines, start, method=GenerationMethod.REJECTION)
    choice = MethodChoice(GenerationMethod.REJECTION, compiled.is_there())
    for draw in range(DRAWS):
        layout = generate_board(spec, f"{run}/{candidate}", draw, choice, UNLIMITED.meter(), traced=False).layout
        if (band := prove(layout).band) != BANDS[turn % len(BANDS)]:
            continue
        walked = walkthrough(layout)
        if not walked.record.won:
            continue
        check(walked.trace)
        bv, openings, _ = board_numbers(layout)
        lines = "\n".join(layout.cells)
        yield {
            **{"rows": rows, "cols": cols, "mines": mines, "start": start, "layout": lines, "band": band},
            **{"bv": bv, "openings": openings, "clicks": clicks_of(layout), "trace": _compact(to_json(walked.trace))},
        }
        return


def clicks_of(layout: Layout) -> int | None:
    """The fewest clicks from the start of a small layout; None for others."""
    if len(layout.symbols) > MOST_CELLS_FOR_CLICKS:
        return None
    found = fewest_clicks(layout, seconds=SECONDS_FOR_CLICKS)
    return found.upper if found.proved else None


def _compact(text: str) -> str:
    return json.dumps(json.loads(text), separators=(",", ":"))


def game_turns(run: str, candidate: int) -> tuple[Sequence[ProvedTurn], Random]:
    """The turns of a game of the strongest prover that guesses as ``sat`` does."""
    rows, cols, mines = SIZES[candidate % len(SIZES)]
    rng, guesser = game_rng(run, candidate), agent_named("sat")
    layout = random_layout(rows, cols, mines, rng)

    def guess(board: Board, rng: Random) -> Guess | None:
        chosen = guesser.guess(board.trusting_flags(), rng)
        return None if chosen is None else Guess.of(chosen, board)

    return prove(layout, rules=Rules(first=FirstClick.ZERO, start=Cell(0, 0)), guess=guess, rng=rng).turns, rng


def _seen(board: Board) -> Row:
    return {"rows": board.rows, "cols": board.cols, "mines": board.mines, "board": "\n".join(board.cells)}


def fractions(board: Board, values: Mapping[Cell, Fraction]) -> list[str]:
    """The values of cells as text, row by row.

    >>> fractions(Board(("#1", ".1")), {Cell(0, 0): Fraction(1, 2)})
    ['1/2 -', '- -']
    """
    table = [["-"] * board.cols for _ in range(board.rows)]
    for cell, value in values.items():
        table[cell.row][cell.col] = str(value)
    return [" ".join(line) for line in table]


def _positions(run: str, candidate: int) -> Iterator[Row]:
    """One turn of a game, drawn at random."""
    turns, rng = game_turns(run, candidate)
    if not turns:
        return
    turn = turns[rng.randrange(len(turns))]
    analysis = analyse(turn.board)
    yield {
        **_seen(turn.board),
        "worlds": str(analysis.worlds),
        "risks": fractions(turn.board, {cell: analysis.risk(cell) for cell in turn.board.covered}),
        **{"safe": analysis.safe, "mined": analysis.mines, "band": turn.band},
    }


def _guesses(run: str, candidate: int) -> Iterator[Row]:
    """The first turn of a game without a certain cell, and few worlds left."""
    for turn in game_turns(run, candidate)[0]:
        if turn.claims is not None:
            continue
        analysis = analyse(turn.board)
        if analysis.worlds is None or analysis.worlds > MOST_WORLDS:
            continue
        found = endgame(analysis, most=MOST_WORLDS)
        if found is None:
            return
        try:
            wins = {cell: found.win_with(cell) for cell in found.cells}
        except SearchExhausted:
            return
        win, least = max(wins.values()), analysis.least_risk
        of_least = max(wins[cell] for cell in wins if analysis.risk(cell) == least)
        unavoidable = unavoidable_guesses(analysis, found.mined)
        yield {
            **_seen(turn.board),
            "worlds": str(analysis.worlds),
            "risks": fractions(turn.board, {cell: analysis.risk(cell) for cell in turn.board.covered}),
            "wins": fractions(turn.board, wins),
            "win": str(win),
            "best": [cell for cell, value in sorted(wins.items()) if value == win],
            "loss": str(win - of_least),
            "dead": [cell for cell in found.cells if found.is_dead(cell)],
            "unavoidable": [guess.cells for guess in unavoidable],
        }
        return


def _puzzles(run: str, candidate: int) -> Iterator[Row]:
    """Puzzles of the turns of a game at which single numbers prove nothing."""
    forms = set()
    for turn in game_turns(run, candidate)[0]:
        if turn.claims is None or turn.band == BANDS[0]:
            continue
        for explanation in explained(turn.board, sorted(turn.claims.safe | turn.claims.mines)):
            row = _puzzle(explanation)
            if row is not None and (form := form_of(row)) not in forms:
                forms.add(form)
                yield row


def explained(board: Board, cells: Sequence[Cell]) -> Iterator[Explanation]:
    with Explainer(board) as explainer:
        for cell in cells:
            found = explainer.of(cell)
            if isinstance(found, Explanation) and found.smallest:
                yield found


def _puzzle(found: Explanation) -> Row | None:
    """A puzzle of the numbers of a reason alone; None if another fact is easier."""
    board, cell = reduced(found)
    claimed = easiest(board)
    if claimed is None or claimed[0] == BANDS[0]:
        return None
    if not is_key(board, cell, mine=found.mine, band=claimed[0]):
        return None
    band, analysis = claimed[0], analyse(board)
    explanation = next(explained(board, [cell]), None)
    certificate = certify(board, [explanation] if explanation else [])
    if explanation is None or not certificate.proofs:
        return None
    argument = argument_in_words(explanation)
    return {
        **_seen(board),
        **{"safe": analysis.safe, "mined": analysis.mines, "cell": cell, "mine": found.mine, "band": band},
        **{"pattern": argument.rule, "numbers": len(explanation.clues), "sentence": str(argument)},
        "certificate": _compact(to_json(certificate)),
    }


def is_key(board: Board, cell: Cell, *, mine: bool, band: str, provers: Mapping[str, Prover] = PROVERS) -> bool:
    """Return whether weaker provers find the rest once they are told one cell."""
    told, cache = _told(board, cell, mine=mine), ComponentCache()
    while (found := easiest(told, cache, provers)) is not None:
        if BANDS.index(found[0]) >= BANDS.index(band):
            return False
        for other in found[1].safe:
            told = _told(told, other, mine=False)
        for other in found[1].mines:
            told = _told(told, other, mine=True)
    return True


def _told(board: Board, cell: Cell, *, mine: bool) -> Board:
    return board.with_exploded([cell]) if mine else board.with_opened({cell: None})


def reduced(found: Explanation) -> tuple[Board, Cell]:
    """The board of a reason without all that is not needed, and the cell on it.

    Numbers that are not part of the reason are not told. If the mine total is not needed, the board is cut down to the
    cells around the numbers, and the cells that none of them touches are open.
    """
    board, clues = found.board, set(found.clues)
    if found.total:
        rows = [
            "".join(
                HIDDEN if symbol in NUMBER_OF and Cell(row, col) not in clues else symbol
                for col, symbol in enumerate(line)
            )
            for row, line in enumerate(board.cells)
        ]
        return Board(rows, mines=board.mines), found.cell
    near = {cell for clue in clues for cell in (clue, *board.neighbours(clue))}
    top, left = min(cell.row for cell in near), min(cell.col for cell in near)
    bottom, right = max(cell.row for cell in near), max(cell.col for cell in near)
    rows = [
        "".join(
            board[cell] if cell in clues or (cell in near and board[cell] in (COVERED, MINE)) else HIDDEN
            for cell in (Cell(row, col) for col in range(left, right + 1))
        )
        for row in range(top, bottom + 1)
    ]
    return Board(rows), Cell(found.cell.row - top, found.cell.col - left)


_MAKERS: dict[str, Callable[[str, int], Iterator[Row]]] = {
    "boards": _boards,
    "positions": _positions,
    "puzzles": _puzzles,
    "guesses": _guesses,
}

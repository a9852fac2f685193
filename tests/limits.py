"""Hard inputs for every entry that takes a limit on its work, each with a small limit.

``FUNCTIONS``, ``COMMANDS``, ``TOOLS`` and ``C_FUNCTIONS`` have calls that would go on far beyond their limits if they
did not look at them; a text says why an entry has none. ``tests/test_limits.py`` finds entries that are missing.
"""

from collections.abc import Callable
from contextlib import suppress

import satsweep
from satsweep import Board, BoardSpec, BudgetExceeded, Cell, fewest_clicks, generate, random_layout
from satsweep.cli import mcp
from satsweep.clicks import bounds
from satsweep.oracle import audit_games
from satsweep.why import Explainer

Case = Callable[[], object] | str

SECONDS = 0.5
"""The limit of each case, in seconds."""


def _torn(rows: int, cols: int, mines: int) -> Board:
    """A board with every third safe cell open: its numbers hang together, and risks take minutes."""
    layout = random_layout(rows, cols, mines, seed="torn")
    safe = [cell for cell in layout.board(()) if not layout.is_mine(cell)]
    return layout.board(safe[::3])


TORN = _torn(60, 60, 720)
COVERED = next(iter(TORN.covered))
ONE_PIECE = _torn(36, 36, 259)
"""One component, of which all possible numbers of mines take minutes."""
LARGE = BoardSpec(200, 200, 8000, start=Cell(0, 0), no_guess=True)
EXPERT, WIDE = random_layout("expert", seed=2), random_layout(40, 40, 400, seed=1)


def _rules() -> list[tuple[int, list[Cell]]]:
    return [(TORN.number(cell) or 0, [one for one in TORN.neighbours(cell) if TORN[one] == "#"])
            for cell in TORN if TORN.number(cell)]  # fmt: skip


def _past(call: Callable[[], object]) -> Callable[[], object]:
    """The same call; it may also say that its limit is exceeded."""

    def stopped() -> None:
        with suppress(BudgetExceeded):
            call()

    return stopped


FUNCTIONS: dict[str, Case] = {
    "Agent": "a function that tells the time of an agent",
    "Budget": "the limit itself",
    "Budget.of": "the limit itself",
    "Explainer": lambda: Explainer(TORN, budget=SECONDS).__exit__(),
    "FewestClicks": "the time that a search took",
    "Record": "the time that a game took",
    "ReviewedMove": "the time of a move",
    "analyse": lambda: satsweep.analyse(TORN, budget=SECONDS),
    "audit": _past(lambda: satsweep.audit("basic", [TORN], budget=SECONDS)),
    "audit_games": _past(lambda: audit_games("basic", [EXPERT], budget=SECONDS)),
    "bounds": lambda: list(bounds(WIDE, seconds=SECONDS)),
    "compare": "the length of a run, which ends after the games that are begun",
    "explain": lambda: [
        satsweep.explain(board, next(iter(board.covered)), budget=SECONDS) for board in (TORN, ONE_PIECE)
    ],
    "fewest_clicks": lambda: fewest_clicks(WIDE, seconds=SECONDS),
    "generate": _past(lambda: list(generate(LARGE, budget=3 * SECONDS))),
    "random_world": _past(lambda: satsweep.random_world(TORN, budget=SECONDS)),
    "rate": lambda: satsweep.rate(WIDE, (0, 0), budget=SECONDS),
    "risks": _past(lambda: satsweep.risks([TORN], budget=SECONDS)),
    "solve_statements": _past(lambda: satsweep.solve_statements(_rules(), density=0.2, budget=SECONDS)),
}
COMMANDS: dict[str, list[str] | str] = {
    "solve --budget": ["solve", "torn.txt", "--budget", "0.5"],
    "explain --budget": ["explain", "torn.txt", str(COVERED), "--budget", "0.5"],
    "rate --budget": ["rate", "wide.txt", "--start", "0,0", "--budget", "0.5"],
    "clicks --seconds": ["clicks", "wide.txt", "--seconds", "0.5"],
    "audit --budget": ["audit", "--agent", "basic", "--position", "torn.txt", "--budget", "0.5"],
    "generate --time-budget": [
        *("generate", "--board", "200x200/8000", "--no-guess", "--start", "0,0", "--time-budget", "2"),
    ],
    "compare --seconds": "the length of a run, which ends after the games that are begun",
    "export --seconds": "whether the times of games are written",
    "umi-test --seconds": "the time that an engine has for a reply",
    "bench --timeout": "the time that a model has for a reply",
}  # fmt: skip
TOOLS: dict[str, Case] = {
    "solve": lambda: mcp.solve(str(TORN)),
    "explain": lambda: mcp.explain(str(TORN), *COVERED),
    "rate": lambda: mcp.rate(str(WIDE), 0, 0),
    "review": "the moves of one game, each judged within the limits of the deep player",
    "deal": _past(lambda: mcp.deal(100, 100, 2500)),
}
"""The limit of a tool is ``mcp.SECONDS``, which the test sets."""
C_FUNCTIONS: dict[str, str] = {
    **dict.fromkeys(
        ("message", "room", "room_of", "begin", "begin_grid", "candidates", "deal"), "linear in its arguments"
    ),
    **dict.fromkeys(("draw", "risks", "worlds"), "components are listed within a number of steps"),
    **dict.fromkeys(
        ("explain", "conflict"), "tests/kernels/test_reasons.py::test_a_search_that_takes_too_long_is_given_up"
    ),
    "guess": "tests/kernels/lookahead/test_limits.py::test_a_board_whose_search_would_not_end_is_played_by_estimates",
    "roll_out": "tests/kernels/lookahead/test_limits.py::test_a_cell_that_is_hardly_ever_safe_is_rolled_out",
    "endgame": "linear in its arguments",
    "endgame_value": "tests/kernels/lookahead/test_limits.py::test_the_search_of_listed_worlds_is_given_up",
    **dict.fromkeys(("play", "play_layout", "chances"), "games of guesses, each within the limits of guess"),
    **dict.fromkeys(("no_guess", "no_guess_by"), "in proportion to candidates and changes"),
}
"""Why the time of each is bounded, or the test that shows it."""

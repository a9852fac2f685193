"""Command ``mcp``: the engine as tools of a language model.

The Model Context Protocol runs over standard input and output (the official SDK, extra ``mcp``). A tool answers in the
text of the command of its name; bad input is an error of the tool, with the line that the command would print.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial, wraps
from threading import Thread
from typing import TYPE_CHECKING, Any

from satsweep.cli.exits import BAD_INPUT, fail
from satsweep.errors import how_to_install

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from satsweep.board import Board

INSTRUCTIONS = """satsweep answers questions about Minesweeper exactly. A board is text, a line a row: # is a covered
cell, a digit an open number, . an open zero, F a flag; `mines N` on a line above it is the mine total, `part all` that
it is cut from a larger board, or `part top,left` where. Nearly every other form is understood, too. Cells are row and
column, counted from 0 at the top left. Ask `solve` which cells are safe before you open one, and `explain` why."""
SECONDS = 20.0
"""Time of an answer; afterwards what is known by then is said."""


def mcp() -> None:
    """Offer the engine to a language model: tools over the Model Context Protocol.

    The tools are solve, explain, rate, review and deal. A client starts this command and talks to it over standard
    input and output, for example with {"command": "satsweep", "args": ["mcp"]} in its settings.

    Exit codes: 0 the client has left, 2 usage, 3 the extra is not installed.
    """
    try:
        found = server()
    except ModuleNotFoundError as error:
        fail(f"{error.name} is not installed: {how_to_install('mcp')}", BAD_INPUT)
    found.run("stdio")


def server() -> "MCPServer":
    """A server with all tools."""
    from mcp.server import MCPServer

    from satsweep import __version__

    found = MCPServer("satsweep", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    for tool in TOOLS:
        found.tool()(_answering(tool))
    return found


def _answering(tool: Callable[..., str]) -> Callable[..., Awaitable[str]]:
    """A tool whose wrong input is an answer that a model can read.

    It runs in a thread, so that the server sees the end of its input meanwhile.
    """
    from mcp.server.mcpserver.exceptions import ToolError

    from satsweep.errors import SatsweepError
    from satsweep.text import error_text, printable

    @wraps(tool)
    async def answer(**arguments: Any) -> str:
        try:
            return await _in_thread(partial(tool, **arguments))
        except (SatsweepError, ValueError, TypeError) as error:
            raise ToolError(printable(error_text(error))) from error

    return answer


async def _in_thread(call: Callable[[], str]) -> str:
    """Call a function in a thread that is left behind when the server ends."""
    import asyncio

    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str] = loop.create_future()

    def give(text: str, error: Exception | None) -> None:
        if not answer.done():
            answer.set_result(text) if error is None else answer.set_exception(error)

    def run() -> None:
        text, error = "", None
        try:
            text = call()
        except Exception as raised:
            error = raised
        with suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(give, text, error)

    Thread(target=run, daemon=True).start()
    return await answer


def _board(text: str, mines: int | None) -> "tuple[Board, str]":
    """Board of a text in any format with the caller's mine total; how it was read."""
    from satsweep.formats import read_board_content

    board, remarks = read_board_content(text.encode())
    said = "".join(f"{remark}\n" for remark in remarks)
    return board if mines is None else replace(board, mines=mines), said


def solve(board: str, mines: int | None = None) -> str:
    """Find the certain cells of a board, the exact risk of the others, the best move.

    ``board`` is its text, or the text of a file of another program; ``mines`` is the mine total, where the text has
    none.
    """
    from satsweep.analysis.analyse import analyse

    read, said = _board(board, mines)
    return said + analyse(read, budget=SECONDS).text


def explain(board: str, row: int, col: int, mines: int | None = None) -> str:
    """Explain why a covered cell is safe or a mine, or show that both are possible.

    The argument takes the fewest numbers. ``board`` and ``mines`` are as for ``solve``; ``row`` and ``col`` are the
    place of the cell, counted from 0 at the top left.
    """
    from satsweep.why.explainer import explain

    read, said = _board(board, mines)
    return said + explain(read, (row, col), budget=SECONDS).text


def rate(layout: str, row: int, col: int) -> str:
    """Rate a layout: its difficulty, and with proof the need of a guess.

    ``layout`` is text: * is a mine, . is none. ``row`` and ``col`` are the place of the first cell.
    """
    from satsweep.assessment.rate import rate
    from satsweep.formats.files import content_as
    from satsweep.layout import Layout

    return rate(content_as(Layout, layout.encode()), (row, col), budget=SECONDS).text


def review(game: str) -> str:
    """Review a game: each choice with its risk, mistakes, skill and luck.

    ``game`` is the text of a record of satsweep (JSON), of a RAWVF replay, or of another program's game.
    """
    from satsweep.assessment.review import review
    from satsweep.formats import read_game_content

    return review(read_game_content(game.encode())).text


def deal(rows: int, cols: int, mines: int, row: int = 0, col: int = 0, guesses: bool = False, seed: int = 0) -> str:
    """Deal a layout that needs no guess from a first cell on, or any one.

    ``rows``, ``cols`` and ``mines`` are its size and mine total. ``row`` and ``col`` are the place of the first cell,
    which has no mine around it. With ``guesses`` the board may need a guess. The same ``seed`` deals the same layout.
    """
    from satsweep.board import Cell
    from satsweep.generator.run import generate
    from satsweep.generator.spec import BoardSpec

    spec = BoardSpec(rows, cols, mines, start=Cell(row, col), no_guess=not guesses)
    return str(next(iter(generate(spec, seed=seed, budget=SECONDS))).layout)


TOOLS = (solve, explain, rate, review, deal)
"""Functions that are tools of the server."""

"""Text of any shape is read or refused in linear time: no reader goes back over it."""

import gc
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import process_time

import pytest
from hypothesis import given, strategies as st

from satsweep import Board, Layout
from satsweep.board import Cell
from satsweep.errors import BoardError, SatsweepError
from satsweep.formats import (
    FORMATS,
    StatementSet,
    certificates,
    minesweepr,
    read_content,
    read_game_content,
    records,
    strict,
)
from satsweep.formats.toml import toml_node
from satsweep.page.questions import Question
from satsweep.proofs.certificate import Bound, Certificate, Clue, CountedPart, Proof, Rejected
from satsweep.proofs.trace import Trace
from satsweep.proofs.verify import verify
from satsweep.topology import topology_named
from tests.formats.replay_files import link
from tests.strategies import written

SIZE = 20_000
QUICK = 0.02
"""Seconds that nothing quadratic of twice this size can stay below."""
TRIES = 15
"""Tries: what else the machine does can only make a time longer, and quadratic work fails all of them."""
BOARD = Board(("##1.", "##21", "####"), mines=3)
LAYOUT = Layout(("*...", "..*.", "...."), start=(0, 3))
PROOF = Proof(Cell(1, 0), False, (Clue(Cell(0, 2), 1),), 3, steps=((Bound((Cell(0, 0),), True, 1),),))
CERTIFICATE = Certificate(BOARD, (PROOF,))

FILES = {
    **{f"{name} of a layout": text for name, text in written(LAYOUT).items()},
    **{f"{name} of a plain layout": text for name, text in written(Layout(LAYOUT.cells)).items()},
    **{f"{name} of a board": text for name, text in written(BOARD).items()},
    "minesweepr": "x1x\n111\n",
    "a drawing": "   0  1\n0 26>ok\n1  1  1\n\nmines 1\n",
    "a box": "+---+---+\n| # | 1 |\n+---+---+\n",
    "emoji": "mines 1\n\u2b1c1\ufe0f\u20e3\n1\ufe0f\u20e31\ufe0f\u20e3\n",
    "edges": "mines 1\ntopology edges 0-1 1-2\nclues underestimate 1/2\n#1#\n",
    "a density": "density 0.25\n#1#\n",
    "a graph": '{"edges": [["a", "b"], ["b", "c"]], "open": {"b": 1}, "known_mines": [], "total_mines": 1}',
    "a certificate": certificates.to_json(CERTIFICATE),
    "a trace": certificates.to_json(Trace(LAYOUT, (CERTIFICATE,))),
    "a plan": 'agents = ["basic"]\n[[boards]]\nsize = [9, 9]\ndensity = { from = 0.1, to = 0.2, step = 0.1 }\n',
    "a message": '{"id": 1, "ask": "solve", "board": "#1"}',
}
FILLINGS = [
    *(" ", "\t", "\n", "\r\n", "\x0c", "0", "1", "a", "x", "#", "F", "*", ".", ":", "?", "&", "=", '"', "\\", "{", "["),
    *("]", "(", ",", "-", "<", "|", "+", "\u2500", "\u2b1c", "\ufe0f", "\u20e3", "\U0001f6a9", "\U0001d7d9"),
    *(
        "a ",
        "1 ",
        "# ",
        "1,",
        "a:",
        "//",
        "\n#",
        "\nx",
        "\n0 #",
        "\nmines 1",
        "\na:1",
        '"a":',
        '"dim" ',
        "[1],",
        '"a",',
    ),
    *("x=1&", "b=", "analysis=", "0-1 ", " 0,1", "11 ", "a.", "#9x9:", "+-", "|---", "0 1\n0 ##\n", '{"a":'),
]


def read_in_every_way(text: str) -> None:
    """Read a text as every kind of file, errors aside."""
    readers = (certificates.from_json, records.from_json, toml_node, Question.of)
    for reader in (lambda text: read_content(text.encode("utf-8", "surrogatepass")), *readers):
        with suppress(SatsweepError):
            reader(text)


def seconds(work: Callable[[], object]) -> float:
    """Processor time of some work that may be refused, the best of two runs."""
    best = float("inf")
    gc.disable()
    try:
        for _ in range(2):
            begin = process_time()
            with suppress(SatsweepError):
                work()
            best = min(best, process_time() - begin)
    finally:
        gc.enable()
    return best


def assert_linear(work: Callable[[int], Callable[[], object]], size: int = SIZE) -> None:
    """Assert that work of twice the size takes at most thrice the time, in one of a few tries."""
    once, twice = work(size), work(2 * size)
    for _ in range(TRIES):
        if (longer := seconds(twice)) <= max(QUICK, 3 * seconds(once)):
            return
    raise AssertionError(f"{longer:.2f} s for twice the size, {seconds(once):.2f} s for once")


def reading(
    text: Callable[[int], str], read: Callable[[str], object] = read_in_every_way
) -> Callable[[int], Callable[[], object]]:
    """Work that reads a text of a size."""

    def of(size: int) -> Callable[[], object]:
        content = text(size)
        return lambda: read(content)

    return of


@pytest.mark.extended
@given(st.sampled_from(sorted(FILES)), st.sampled_from(FILLINGS), st.floats(0, 1))
def test_files_with_a_long_filling(name: str, filling: str, place: float) -> None:
    """Anything repeated anywhere in a file of any kind."""
    file = FILES[name]
    at = round(place * len(file))
    assert_linear(reading(lambda size: file[:at] + filling * (size // len(filling)) + file[at:]), SIZE // 2)


def objects(size: int, last: str = '"z": 0') -> str:
    """A JSON object with thousands of keys."""
    return "{" + "".join(f'"k{number}": 0, ' for number in range(size // 10)) + last + "}"


WORST = {
    "blanks in a header": lambda size: f"mines 1{' ' * size}1\n#1#\n",
    "blanks after a word": lambda size: f"colour{' ' * size}\x00\n#1#\n",
    "blanks in a key of .board": lambda size: f"# MINESWEEPER-BOARD v0.1\nrows{' ' * size}x\n[view]\n",
    "blanks in a key of RAWVF": lambda size: f"RawVF_Version: Rev5\nWidth{' ' * size}x\nBoard:\n",
    "blanks in the first line of RAWVF": lambda size: f"Width{' ' * size}x",
    "a key twice": lambda size: objects(size, '"k0": 1'),
    "the last key twice": lambda size: objects(size, '"z": 0, "z": 1'),
    "a long key twice": lambda size: f'{{"{"k" * size}": 0, "{"k" * size}": 1}}',
    "many keys": objects,
    "many keys of a message": lambda size: objects(size, '"id": 1, "ask": "solve"'),
    "many keys of open nodes": lambda size: f'{{"edges": [["a", "b"]], "open": {objects(size)}}}',
    "many rules": lambda size: f'{{"rules": [{", ".join(["{}"] * (size // 4))}]}}',
    "a deep list": lambda size: "[" * size,
    "a deep object": lambda size: '{"a":' * (size // 5),
    "a long number": lambda size: f'{{"board": ["#1"], "mines": {"1" * size}}}',
    "long numbers, and one too long": lambda size: f"[{'1' * 999}{(',' + '1' * 999) * (size // 1000)}, {'1' * 4999}]",
    "a dotted key": lambda size: f"{'a.' * (size // 2)}b = 1",
    "a dotted key in quotes": lambda size: f"""{'"a".' * (size // 4)}b = 1""",
    "a deep TOML list": lambda size: f"a = {'[' * size}",
    "maps of one column": lambda size: "0\n0 #\n" + "".join(f"{number}\n0 #\n" for number in range(1, size // 8)),
    "headings without rows": lambda size: "0 1\n\n" * (size // 5),
    "a row of walls": lambda size: "|#" * (size // 2) + "|",
    "a rule that breaks off": lambda size: "\u2500 " * (size // 2) + "x",
    "edges": lambda size: f"topology edges {' '.join(f'{n}-{n + 1}' for n in range(size // 10))}\n#1#\n",
    "bytes in hexadecimal": lambda size: "03 " * (size // 3),
}


@pytest.mark.extended
@pytest.mark.parametrize("shape", WORST)
def test_the_worst_shapes(shape: str) -> None:
    assert_linear(reading(WORST[shape]))


def test_the_place_of_an_error_is_found_once() -> None:
    """An unknown key at the end, as a message has it."""
    assert_linear(reading(objects, lambda text: strict.Node.of(text).fields(("k0",))))


@pytest.mark.extended
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_each_format_by_name(name: str) -> None:
    """Boards and layouts as large as the format writes them, and the same cut off."""

    def texts(size: int) -> Iterable[str]:
        side = round((4 * size) ** 0.5)
        for value in (Layout(("*" + "." * (side - 1),) * side), Board(("#" * side,) * side, mines=3)):
            yield from filter(None, [written(value).get(name)])

    def read(text: str) -> None:
        format = FORMATS[name]
        for content in (text, text[:-5], text + "x"):
            with suppress(BoardError):
                format.read(content)

    for number in range(len(list(texts(4)))):
        assert_linear(reading(lambda size, number=number: list(texts(size))[number], read), SIZE // 4)  # type: ignore[misc]


def test_games_are_read_in_linear_time() -> None:
    """As many clicks as cells, each a chord that opens nothing, and a link with such a path."""

    def rawvf(size: int) -> str:
        cells = size // 40
        row = ("0*" * cells)[:cells]
        head = f"RawVF_Version: Rev6\nWidth: {cells}\nHeight: 1\nBoard:\n{row}\nEvents:\n"
        return head + "".join(f"0.5 lc {cell} 1\n0.5 lr {cell} 1\n1 mc {cell} 1\n1 mr {cell} 1\n"
                              for cell in range(1, cells, 2))  # fmt: skip

    def linked(size: int) -> str:
        clicks = [(kind, 0, cell) for cell in range(0, size // 40, 2) for kind in ("left", "chord")]
        return link(Layout(("." + "*." * (size // 80),)), clicks)

    for text in (rawvf, linked):
        assert_linear(reading(text, lambda content: read_game_content(content.encode())), SIZE // 2)
    for worst in (
        lambda size: rawvf(40) + f"0.5 lc{' ' * size}x\n",
        lambda size: rawvf(40) + "1" * size,
        lambda size: rawvf(40) + f"1{' ' * size}(\n",
        lambda size: f"?b=0302&m=40&c={'A' * size}",
    ):
        assert_linear(reading(worst, lambda content: read_game_content(content.encode())))


def test_graphs_are_written_in_linear_time() -> None:
    """Rules of a graph in which every node is named by some rule."""

    def work(size: int) -> Callable[[], object]:
        nodes = size // 40
        edges = [[str(number), f"n{number}"] for number in range(nodes)]
        text = json.dumps({"edges": edges, "open": {str(number): 1 for number in range(nodes)}})
        statements = read_content(text.encode())[1]
        assert isinstance(statements, StatementSet) and len(statements.cells) == nodes
        return lambda: minesweepr.write_statements(statements)

    assert_linear(work, 4 * SIZE)


def test_neighbours_of_many_edges_are_looked_up_in_linear_time() -> None:
    def work(size: int) -> Callable[[], object]:
        row = "#1" * (size // 20)
        edges = " ".join(f"{cell}-{cell + 1}" for cell in range(len(row) - 1))
        board = Board((row,), topology=topology_named(f"edges {edges}"))
        return lambda: [board.neighbours(cell) for cell in board]

    assert_linear(work, 4 * SIZE)


# --- certificates ------------------------------------------------------------------------------------------------


def chains(length: int, order: Callable[[list[Cell]], list[Cell]]) -> Callable[[], object]:
    """Check of a proof that follows two chains of numbers from the edges to the middle.

    The middle 2 has a cell below it, which both chains together prove safe: no chain can be followed back from there.
    """
    side = length // 4 * 2 + 1  # cells of a chain that are covered, an odd number, so that the last is a mine
    board = Board(("1#" * side + "2" + "#1" * side, "?" * 2 * side + "#" + "?" * 2 * side), topology="orthogonal")
    left = [Cell(0, 2 * number) for number in range(side)]
    right = [Cell(0, 4 * side - cell.col) for cell in left]
    clues = tuple(Clue(cell, board.number(cell)) for cell in (*order(left), *order(right), Cell(0, 2 * side)))
    made = Certificate(board, (Proof(Cell(1, 2 * side), False, clues),))
    return lambda: verify(board, made)


@pytest.mark.parametrize("order", [list, lambda cells: cells[::-1]], ids=["forwards", "backwards"])
def test_a_chain_is_followed_in_linear_time(order: Callable[[list[Cell]], list[Cell]]) -> None:
    assert chains(4000, order)()
    assert_linear(lambda size: chains(size, order), 2000)


@pytest.mark.extended
def test_a_chain_in_the_worst_order_takes_bounded_work() -> None:
    """Clues in an order in which each pass follows few of them."""

    def zigzag(cells: list[Cell]) -> list[Cell]:
        return [cells[(number * 7919) % len(cells)] for number in range(len(cells))]

    assert chains(500, zigzag)()
    with pytest.raises(Rejected, match="takes less work"):
        chains(8_000, zigzag)()


def test_steps_and_parts_take_bounded_work() -> None:
    """Thousands of steps that prove nothing new, and parts with thousands of sums."""
    length = 2000
    board = Board(("#1#1" * length,), topology="orthogonal", mines=length)
    clues = tuple(Clue(Cell(0, 2 * number + 1), 1) for number in range(2 * length))
    claim = Proof(Cell(0, 0), True, clues)
    steps = tuple((Bound((Cell(0, 2 * number),), True, 0),) for number in range(1, 2 * length))
    parts = tuple(CountedPart((clue.cell,), (1,)) for clue in clues)
    for proof in (
        Proof(claim.cell, claim.mine, clues, steps=steps),
        Proof(claim.cell, claim.mine, clues, length, parts=parts),
        Proof(claim.cell, claim.mine, clues, length, parts=(CountedPart(tuple(clue.cell for clue in clues), (1,)),)),
    ):
        begin = process_time()
        with suppress(Rejected):
            verify(board, Certificate(board, (proof,)))
        assert process_time() - begin < 30

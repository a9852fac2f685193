"""The verifier accepts true claims only, rejects tampered proofs, loads no solver."""

import ast
import inspect
import io
import json
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from math import inf
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from satsweep.board import Board, Cell
from satsweep.clues import CLUE_KINDS, ClueKind
from satsweep.errors import BoardError
from satsweep.formats.certificates import from_json, to_json
from satsweep.proofs import certify as proofs
from satsweep.proofs.certificate import Bound, Certificate, Clue, CountedPart, Proof, Rejected, WorkLimit
from satsweep.proofs.certify import certify
from satsweep.proofs.verify import MAX_STATES, Literal, Sum, Verified, refuted as refuted_within, verify
from satsweep.why.explainer import Explainer
from satsweep.why.values import Explanation
from tests.brute_force import NUMBERS, cells_showing, covered_cells, worlds
from tests.cli import invoke, schema_of
from tests.formats.conformance import HERE
from tests.proofs import certificates
from tests.solver.test_corpora import corpus
from tests.strategies import boards, parts, unreliable_boards

VALIDATOR = schema_of("certificate")
EXPERT = list(corpus("positions_expert"))
HARD = list(corpus("positions_hard"))
QUICK = [*EXPERT[::70], "expert-3", "expert-55", "checker6-20", "checker8-22", "checker14-28"]
"""Positions some of whose proofs take steps, or count."""
COUNTED = ["expert-3", "checker6-20", "checker8-22", "checker10-24"]
CELLS = 40
"""Most cells of a hard position whose proofs are checked; fewer on large boards."""


def rejection(board: Board, proof: Proof, *, trust_flags: bool = False) -> Rejected | None:
    """Return the reason why a proof is rejected; None if it is accepted."""
    try:
        verify(board, Certificate(board, (proof,)), trust_flags=trust_flags)
    except Rejected as error:
        return error
    return None


# By hand


def clues(board: Board, *cells: tuple[int, int]) -> tuple[Clue, ...]:
    return tuple(Clue(Cell(*cell), board.number(cell)) for cell in cells)


ONE_TWO = Board(("####", "#12#", "####"))
"""The 1 and the 2 share four cells; their own cells differ by one mine."""
SURE = Board(("##", "2#"))
LAST = Board(("1#", "##", "##"), mines=1)


@pytest.mark.parametrize(
    ("board", "proof"),
    [
        (Board(("#1",)), Proof(Cell(0, 0), True, (Clue(Cell(0, 1), 1),))),
        (Board(("#0",)), Proof(Cell(0, 0), False, (Clue(Cell(0, 1), 0),))),
        (Board(("#1*",)), Proof(Cell(0, 0), False, (Clue(Cell(0, 1), 1),))),
        (Board(("##",), mines=2), Proof(Cell(0, 1), True, (), 2)),
        (Board(("*#",), mines=1), Proof(Cell(0, 1), False, (), 1)),
        (LAST, Proof(Cell(2, 1), False, (Clue(Cell(0, 0), 1),), 1)),
        (LAST, Proof(Cell(2, 1), False, (Clue(Cell(0, 0), 1),), 1, parts=(CountedPart((Cell(0, 0),), (1,)),))),
        (
            Board(("###", "121"), mines=None),
            Proof(Cell(0, 1), False, clues(Board(("###", "121")), (1, 0), (1, 1), (1, 2))),
        ),
    ],
)
def test_proofs_by_hand(board: Board, proof: Proof) -> None:
    assert rejection(board, proof) is None
    assert certificates.entailed(board, proof)
    flipped = rejection(board, replace(proof, mine=not proof.mine))
    assert flipped is not None and flipped.cell == proof.cell


HIDDEN = Board(("#?#",), mines=1, clues="random 1/2")
PAIR = Board(("#1#",))
SHARED = Board(("#1#1##",), mines=2)
"""One mine may satisfy both numbers."""
SCATTERED = Board(("#" * 22, "#3" * 11) * 11, mines=200)
THREES = tuple(Cell(row, col) for row in range(1, 22, 2) for col in range(1, 22, 2))
REFUSED: list[tuple[Board, Proof, str]] = [
    *((HIDDEN, Proof(Cell(0, 0), True, (Clue(Cell(0, 1), number),)), "another at 0,1") for number in (0, 1, None)),
    *(
        (PAIR, Proof(Cell(0, 0), True, (Clue(Cell(0, 1), 1), Clue(Cell(*cell), 1))), f"at {Cell(*cell)}")
        for cell in ((-1, 0), (0, -3), (0, 3), (1, 0), (0, 0))
    ),
    (PAIR, Proof(Cell(0, 0), True, clues(PAIR, (0, 1), (0, 1))), "each once"),
    (Board(("##",), mines=1), Proof(Cell(0, 0), True, (), 2), "mine total of the board, found 2"),
    (Board(("##",)), Proof(Cell(0, 0), True, (), 2), "mine total of the board, found 2"),
    (
        SHARED,
        Proof(
            *(Cell(0, 5), False, clues(SHARED, (0, 1), (0, 3)), 2),
            parts=(CountedPart((Cell(0, 1),), (1,)), CountedPart((Cell(0, 3),), (1,))),
        ),
        "share no cell",
    ),
    (
        SCATTERED,
        Proof(Cell(0, 0), True, clues(SCATTERED, *THREES), 200, parts=(CountedPart(THREES, (0,)),)),
        f"{MAX_STATES:,} states",
    ),
]


@pytest.mark.parametrize(("board", "proof", "said"), REFUSED, ids=[said for *_, said in REFUSED])
def test_what_is_refused(board: Board, proof: Proof, said: str) -> None:
    assert said in str(rejection(board, proof))


def test_flags_are_clues_where_they_are_trusted() -> None:
    board = Board(("F1#",))
    proof = Proof(Cell(0, 2), False, (Clue(Cell(0, 0), None), Clue(Cell(0, 1), 1)))
    assert rejection(board, proof, trust_flags=True) is None
    assert "not trusted" in str(rejection(board, proof))
    assert rejection(Board(("#1#",)), proof, trust_flags=True) is not None
    assert rejection(board, replace(proof, clues=proof.clues[1:]), trust_flags=True) is not None
    number = replace(proof, clues=(Clue(Cell(0, 0), None), Clue(Cell(0, 1), None)))
    assert rejection(board, number, trust_flags=True) is not None


def refuted(sums: Sequence[Sum], steps: Sequence[tuple[Literal, ...]], low: list[int], high: list[int]) -> bool:
    """Return whether narrowing bounds ends in a contradiction, however much work that takes."""
    return refuted_within(sums, steps, low, high, WorkLimit(inf))


def test_bounds_are_narrowed_as_far_as_they_go() -> None:
    """Two mines in two groups of two, one of which holds at most one; then a step."""
    low, high = [0, 0], [2, 1]
    two = [((0, 1), 2, 2)]
    assert not refuted(two, [], low, high) and (low, high) == ([1, 0], [2, 1])
    assert not refuted(two, [((1, True, 1), (0, False, 1))], low, high) and (low, high) == ([1, 1], [1, 1])
    assert refuted(two, [((1, False, 1),)], [0, 0], [1, 1])
    assert refuted([], [()], [0], [1])
    low, high = [0, 0], [1, 1]
    assert not refuted([((0, 1), 1, 1)], [((0, True, 1), (1, True, 1))], low, high) and (low, high) == ([0, 0], [1, 1])


def test_sums_with_two_bounds_narrow_both_ways() -> None:
    """One or two mines in two groups of two: narrowing begins with an assumption."""
    between = [((0, 1), 1, 2)]
    low, high = [0, 0], [2, 2]
    assert not refuted(between, [], low, high) and (low, high) == ([0, 0], [2, 2])
    low, high = [0, 0], [0, 2]
    assert not refuted(between, [], low, high) and (low, high) == ([0, 1], [0, 2])
    low, high = [1, 0], [2, 2]
    assert not refuted(between, [], low, high) and (low, high) == ([1, 0], [2, 1])
    assert refuted(between, [], [0, 0], [0, 0]) and refuted(between, [], [2, 1], [2, 2])


@pytest.mark.parametrize(
    ("clues_are", "exact", "at_least", "at_most"),
    [("exact", 1, 1, 1), ("random 1/2", 1, 1, 1), ("underestimate", 0, 1, 0), ("overestimate cap 9", 0, 0, 1)],
)
def test_the_clue_model_decides_the_bounds_of_a_number(clues_are: str, exact: int, at_least: int, at_most: int) -> None:
    """Proofs by a lower bound, an upper bound and both, under each clue model."""
    for row, mine, accepted in (("#1?", True, at_least), ("*1#", False, at_most), ("?1#?", True, at_least)):
        board = Board((row,), clues=clues_are)
        proof = Proof(Cell(0, row.index("#")), mine, clues(board, (0, 1)))
        assert (rejection(board, proof) is None) == bool(accepted) == certificates.entailed(board, proof)
    board = Board(("##", "2#"), mines=2, clues=clues_are)
    assert rejection(board, Proof(Cell(0, 0), True, clues(board, (1, 0)), 2)) is not None
    board = Board(("#1##",), mines=2, clues=clues_are)
    counted = Proof(Cell(0, 3), True, clues(board, (0, 1)), 2, parts=(CountedPart((Cell(0, 1),), (1,)),))
    assert (rejection(board, counted) is None) == bool(exact)
    counted = replace(counted, parts=(CountedPart((Cell(0, 1),), (0, 1)),))
    assert (rejection(board, counted) is None) == bool(at_most and not exact)


def test_clues_whose_bounds_nobody_has_said_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A 2 beside a mine and a covered cell: a mine, if it is exact; it may stand for a 1, if it is rounded up."""
    proof = Proof(Cell(0, 2), True, (Clue(Cell(0, 1), 2),))
    assert rejection(Board(("*2#",)), proof) is None
    rounded = ClueKind(
        "numbers are rounded up to even ones",
        {},
        drawn=lambda mines, _: range(mines + mines % 2, mines + mines % 2 + 1),
    )
    monkeypatch.setitem(CLUE_KINDS, "rounded", rounded)
    board = Board(("*2#",), clues="rounded")
    assert board.clues.likelihood(2, 2) == (0, 6, 6)
    found = rejection(board, proof)
    assert found is not None and found.message == "expected clues whose bounds this checker knows, found rounded"
    monkeypatch.delitem(CLUE_KINDS, "rounded")
    assert rejection(board, proof) is not None, "a kind that is not in the table at all"


def test_numbers_above_nine() -> None:
    topology = "edges " + " ".join(f"0-{cell}" for cell in range(1, 13))
    board = Board(("a" + "?" * 2 + "#" * 10,), topology=topology)
    proof = Proof(Cell(0, 5), True, clues(board, (0, 0)))
    assert proof.clues == (Clue(Cell(0, 0), 10),) and rejection(board, proof) is None
    for number in (-26, 1, 11, 36, 100):
        assert rejection(board, replace(proof, clues=(Clue(Cell(0, 0), number),))) is not None


def test_a_step_has_to_follow() -> None:
    board, made = certified("checker8-22")
    proof = next(proof for proof in made.proofs if proof.steps)
    assert rejection(board, proof) is None
    nonsense = replace(proof, steps=((),))
    found = rejection(board, nonsense)
    assert found is not None and found.step == 1
    assert str(found).startswith(f"cell {proof.cell}: step 1: ")
    missing = rejection(board, replace(proof, steps=()))
    assert missing is not None and "what the proof ends in" in missing.message


def test_parts_are_counted() -> None:
    """Two mines, both of which are needed by 1s that share no cell: the rest is safe."""
    board = Board(("##1#1##",), mines=2)
    ones = clues(board, (0, 2), (0, 4))
    proof = Proof(Cell(0, 3), False, ones, 2)
    assert not certificates.entailed(board, proof)
    board = Board(("#1#.#1##",), mines=2)
    ends = tuple(clues(board, (0, 1), (0, 5)))
    parts = (CountedPart((Cell(0, 1),), (1,)), CountedPart((Cell(0, 5),), (1,)))
    proof = Proof(Cell(0, 7), False, ends, 2, parts=parts)
    assert rejection(board, proof) is None
    for wrong in (
        replace(proof, parts=parts[:1]),
        replace(proof, parts=(*parts, parts[0])),
        replace(proof, parts=(parts[0], CountedPart((Cell(0, 5),), (1, 2)))),
        replace(proof, parts=(parts[0], CountedPart((Cell(0, 5),), ()))),
        replace(proof, parts=(CountedPart((Cell(0, 1), Cell(0, 5)), (1,)),)),
        replace(proof, total=None),
        replace(proof, steps=((),)),
        replace(proof, mine=True),
        replace(proof, clues=(*ends, Clue(Cell(0, 3), 0))),
    ):
        assert rejection(board, wrong) is not None
    both = replace(proof, parts=(CountedPart((Cell(0, 5), Cell(0, 1)), (2,)),))
    assert rejection(board, both) is None
    room = Board(("#1#.#1###",), mines=4)
    assert "possibility" in str(rejection(room, replace(proof, total=4)))
    shared = Board(("##1",), mines=1)
    assert rejection(shared, Proof(Cell(0, 0), False, clues(shared, (0, 2)), 1)) is None


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (Board(("##1.", "##21", "####"), mines=4), "a mine total of 4, the board has 3"),
        (Board(("##1.", "##21", "####")), "a mine total of None, the board has 3"),
        (Board(("##1.", "##21", "###F"), mines=3), "another board"),
        (Board(("##1.", "##21", "####"), mines=3, topology="torus"), "another board"),
        (Board(("##1.", "##21", "####"), mines=3, topology="square wrapping rows"), "another board"),
        (Board(("##1.", "##21", "####"), mines=3, clues="random 1/2"), "another board"),
        (Board(("##1.", "##21", "####"), mines=3, clues="overestimate"), "another board"),
    ],
)
def test_a_certificate_is_for_one_board(changed: Board, said: str) -> None:
    board = Board(("##1.", "##21", "####"), mines=3)
    with Explainer(board) as explainer:
        made = certify(board, explainer.all())
    assert verify(board, made) == Verified(safe=1, mines=0, uncertified=0)
    with pytest.raises(Rejected, match=said):
        verify(board, replace(made, board=changed))


@pytest.mark.parametrize("cell", [(0, 1), (0, 2), (-1, 0), (5, 0)])
def test_only_covered_cells_and_each_once(cell: tuple[int, int]) -> None:
    board = Board(("#1#",), mines=1)
    proof = Proof(Cell(0, 0), True, clues(board, (0, 1)))
    for again in (
        Certificate(board, (replace(proof, cell=Cell(*cell)),)),
        Certificate(board, (), (Cell(*cell), Cell(0, 2))),
        Certificate(board, (proof,), (Cell(0, 0),)),
    ):
        with pytest.raises(Rejected) as caught:
            verify(board, again)
        assert caught.value.cell in (cell, (0, 0), (0, 2))


# By brute force


@pytest.mark.extended
@given(st.one_of(boards(max_covered=9), unreliable_boards(max_covered=7), parts(max_covered=10)))
def test_every_forced_cell_of_small_boards_is_certified(board: Board) -> None:
    found = certificates.explanations_by_force(board)
    made = certify(board, found)
    mines = sum(explanation.mine for explanation in found)
    assert verify(board, made) == Verified(len(found) - mines, mines, 0)
    text = to_json(made)
    assert from_json(text) == made
    VALIDATOR.validate(json.loads(text))
    assert len([line for line in text.splitlines() if '"cell"' in line]) == len(made.proofs)


@given(st.one_of(boards(max_covered=9), unreliable_boards(max_covered=7), parts(max_covered=9)), st.data())
def test_accepted_claims_are_true(board: Board, data: st.DataObject) -> None:
    """Arbitrary claims and steps, some of them right: those accepted hold everywhere."""
    cells = cells_showing(board, "#F")
    if not cells:
        return
    numbers = data.draw(st.lists(st.sampled_from(cells_showing(board, "." + NUMBERS) or [cells[0]]), unique=True))
    shown = tuple(Clue(cell, board.number(cell)) for cell in numbers if board.number(cell) is not None)
    bound = st.builds(
        Bound, st.lists(st.sampled_from(covered_cells(board)), min_size=1).map(tuple), st.booleans(), st.integers(0, 3)
    )
    sums = st.lists(st.integers(0, 4), unique=True).map(lambda held: tuple(sorted(held)))
    parts = st.builds(lambda held: (CountedPart(tuple(clue.cell for clue in shown), held),), sums)
    proof = Proof(
        data.draw(st.sampled_from(cells)),
        data.draw(st.booleans()),
        shown,
        data.draw(st.sampled_from([None, board.mines])),
        data.draw(st.lists(st.lists(bound, max_size=2).map(tuple), max_size=2).map(tuple)),
    )
    if len(shown) > 0 and data.draw(st.booleans()):
        proof = replace(proof, steps=(), parts=data.draw(parts))
    if rejection(board, proof) is None:
        assert all((proof.cell in world) is proof.mine for world in worlds(board))
        assert certificates.entailed(board, proof)
    elif proof.total is None and not proof.parts:
        assert not certificates.follows(board, proof)


# Tampering


@cache
def certified(name: str) -> tuple[Board, Certificate]:
    """Return a position and its certificate; of a hard one for some cells only."""
    if name in EXPERT:
        board = corpus("positions_expert")[name]
        with Explainer(board) as explainer:
            return board, certify(board, explainer.all())
    board = corpus("positions_hard")[name]
    with Explainer(board) as explainer:
        forced = [*explainer.analysis.safe, *explainer.analysis.mines]
        some = Random(name).sample(forced, min(CELLS, len(forced), 100_000 // (board.rows * board.cols)))
        found = map(explainer.of, some)
        return board, certify(board, (one for one in found if isinstance(one, Explanation)))


@cache
def counted(name: str) -> tuple[Board, Certificate]:
    """Return the same position with proofs that all count."""
    board, _ = certified(name)
    with pytest.MonkeyPatch.context() as changed, Explainer(board) as explainer:
        changed.setattr(proofs, "FEW_PROBES", 0)
        return board, certify(board, explainer.all())


def check_position(board: Board, made: Certificate) -> None:
    """Check that a certificate is accepted, and its changed forms only if still right."""
    mines = sum(proof.mine for proof in made.proofs)
    assert verify(board, made) == Verified(len(made.proofs) - mines, mines, 0)
    for proof in made.proofs:
        for changed in tampered(proof):
            assert rejection(board, changed) is not None, changed
        for changed in (*certificates.with_a_bound_changed(proof), *certificates.with_another_clue(board, proof)):
            accepted = rejection(board, changed) is None
            if changed.total is None and not changed.parts:
                assert accepted is certificates.follows(board, changed)
            assert not accepted or certificates.entailed(board, changed)


def tampered(proof: Proof) -> Iterator[Proof]:
    """Yield proofs in which something needed is missing or wrong."""
    yield from certificates.with_another_number(proof)
    yield from certificates.without_a_clue(proof)
    yield from certificates.without_a_step(proof)
    yield from certificates.without_a_bound(proof)
    yield from certificates.with_other_sums(proof)
    yield replace(proof, mine=not proof.mine)


@pytest.mark.extended
@pytest.mark.parametrize("name", QUICK)
def test_positions(name: str) -> None:
    check_position(*certified(name))


@pytest.mark.extended
@pytest.mark.parametrize("name", COUNTED)
def test_positions_that_are_counted(name: str) -> None:
    board, made = counted(name)
    assert made.proofs and all(proof.parts or not proof.clues for proof in made.proofs)
    check_position(board, made)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*EXPERT, *HARD])
def test_all_positions(name: str) -> None:
    check_position(*certified(name))


def test_the_positions_take_all_kinds_of_proofs() -> None:
    made = [proof for name in QUICK for proof in certified(name)[1].proofs]
    assert sum(bool(proof.steps) for proof in made) >= 10 and not any(proof.parts for proof in made)
    assert sum(not proof.steps for proof in made) > 400
    assert {len(proof.clues) for proof in made} > set(range(1, 9))
    counting = [proof for name in COUNTED for proof in counted(name)[1].proofs]
    assert any(len(proof.parts) > 1 for proof in counting) and any(proof.total is None for proof in counting)


# In files


def test_the_json_form() -> None:
    board = Board(("F1#.", "##2#"), mines=3, topology="torus")
    steps = ((Bound((Cell(0, 2), Cell(1, 0)), True, 1), Bound((Cell(1, 1),), False, 0)), ())
    stepped = Proof(Cell(1, 3), True, (Clue(Cell(0, 0), None), Clue(Cell(0, 1), 1)), None, steps)
    counted = Proof(Cell(1, 1), False, (), 3, parts=(CountedPart((Cell(0, 1),), (0, 2)),))
    made = Certificate(board, (stepped, counted), (Cell(0, 2),))
    text = to_json(made)
    assert from_json(text) == made
    assert json.loads(text)["proofs"][0] == {
        "cell": [1, 3],
        "mine": True,
        "clues": [{"cell": [0, 0], "flag": True}, {"cell": [0, 1], "number": 1}],
        "steps": [[{"cells": [[0, 2], [1, 0]], "least": 1}, {"cells": [[1, 1]], "most": 0}], []],
    }
    assert json.loads(text)["proofs"][1]["parts"] == [{"clues": [[0, 1]], "sums": [0, 2]}]
    VALIDATOR.validate(json.loads(text))
    assert "clues" not in json.loads(text)


def test_boards_are_described_as_in_the_schema_of_boards() -> None:
    of_boards = json.loads(files("satsweep.formats").joinpath("schemas", "board.schema.json").read_text("utf-8"))[
        "$defs"
    ]
    for key in ("topology", "clues"):
        described = of_boards["board"]["properties"][key]
        described = of_boards[key] if "$ref" in described else described
        assert VALIDATOR.schema["properties"][key]["pattern"] == described["pattern"]


GOOD = (HERE / "certificate.json").read_text("utf-8")


@given(st.data())
def test_mangled_files_are_refused_or_read(data: st.DataObject) -> None:
    """A mangled file is read or raises BoardError; the schema accepts what is read."""
    start = data.draw(st.integers(0, len(GOOD)))
    end = start + data.draw(st.integers(0, 8))
    extra = data.draw(st.text('[]{}",:0123456789-e.#abc ', max_size=6))
    text = GOOD[:start] + extra + GOOD[end:]
    try:
        read = from_json(text)
    except BoardError as error:
        assert error.line is not None and error.column is not None
    else:
        assert from_json(to_json(read)) == read
        VALIDATOR.validate(json.loads(text))


# As a command


@pytest.fixture
def written(tmp_path: Path) -> tuple[Path, Path]:
    """Write a board and a certificate for it to files."""
    board = Board(("##1.", "##21", "####"), mines=3)
    with Explainer(board) as explainer:
        text = to_json(certify(board, explainer.all()))
    paths = tmp_path / "board.txt", tmp_path / "certificate.json"
    for path, content in zip(paths, (str(board), text), strict=True):
        path.write_text(content)
    return paths


def test_the_command_accepts(written: tuple[Path, Path]) -> None:
    result = invoke("verify", *written)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "accepted: 1 cell is forced, 1 safe and 0 mines\n"
    assert invoke("verify", "-", written[1], stdin=written[0].read_text()).exit_code == 0
    assert invoke("verify", written[0], "-", stdin=written[1].read_text()).exit_code == 0


def test_the_command_rejects(written: tuple[Path, Path]) -> None:
    certificate = written[1]
    certificate.write_text(certificate.read_text().replace('"mine": false', '"mine": true'))
    result = invoke("verify", *written)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"{certificate}: rejected: cell 2,1: ") and result.stderr.count("\n") == 1


def test_the_command_says_what_is_left_open(written: tuple[Path, Path]) -> None:
    certificate = written[1]
    certificate.write_text(certificate.read_text().replace('"uncertified": []', '"uncertified": [[0, 0]]'))
    result = invoke("verify", *written)
    assert result.exit_code == 0 and "\nlisted as forced, but not certified: 1 cell\n" in result.stdout


def test_the_total_may_come_from_the_command_line(written: tuple[Path, Path]) -> None:
    assert invoke("verify", *written, "--mines", 3).exit_code == 0
    assert invoke("verify", *written, "--mines", 4).exit_code == 1
    assert invoke("verify", *written, "--mines", 13).exit_code == 2


def test_flags_on_the_command_line(tmp_path: Path) -> None:
    board = Board(("F1#",))
    proof = Proof(Cell(0, 2), False, (Clue(Cell(0, 0), None), Clue(Cell(0, 1), 1)))
    paths = tmp_path / "board.txt", tmp_path / "certificate.json"
    paths[0].write_text(str(board))
    paths[1].write_text(to_json(Certificate(board, (proof,))))
    assert invoke("verify", *paths).exit_code == 1
    assert invoke("verify", *paths, "--flags", "trust").exit_code == 0


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("content", [None, "", "{", "[]", '{"board": ["#1"]'])
def test_bad_input(which: int, content: str | None, written: tuple[Path, Path]) -> None:
    if content is None:
        written[which].unlink()
    else:
        written[which].write_text(content)
    result = invoke("verify", *written)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(f"{written[which]}:") and result.stderr.count("\n") == 1


def test_wrong_usage(written: tuple[Path, Path]) -> None:
    assert invoke("verify", "-", "-").exit_code == 2
    assert invoke("verify", written[0]).exit_code == 2


def test_no_solver_is_loaded(written: tuple[Path, Path]) -> None:
    assert "satsweep.proofs.verify" in certificates.modules_of_verify(*written)


def test_the_verifier_is_short() -> None:
    """A reader must trust it: at most 200 lines, docstrings and comments aside."""
    source = Path(inspect.getfile(verify)).read_text()
    said = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type not in skipped]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    assert len(lines - said) <= 200

"""Every kind of certificate is written, read, checked, described and taken by the page."""

import json

import pytest

from satsweep.board import Board, Cell
from satsweep.formats.certificates import CERTIFICATES, Proved, from_json, kind_of, to_json
from satsweep.layout import Layout
from satsweep.proofs.certificate import Certificate, Clue, Proof, Rejected
from satsweep.proofs.click_sweep import SweepProof
from satsweep.proofs.clicks import ClicksProof, Counted, CountedKind
from satsweep.proofs.trace import GuessProof, Trace
from tests.cli import invoke
from tests.page.pages import ask
from tests.schemas import SCHEMAS

BOARD = Board(("#1",))
ONE = Layout(("..*",))
GUESS = Layout(("..", ".*"), start=(0, 0))
WORLDS = Layout(("..", ".*")), Layout(("..", "*.")), Layout((".*", ".."))
EXAMPLES: dict[str, tuple[Proved, Proved]] = {
    "certificate": (
        Certificate(BOARD, (Proof(Cell(0, 0), True, (Clue(Cell(0, 1), 1),)),)),
        Certificate(BOARD, (Proof(Cell(0, 0), False, (Clue(Cell(0, 1), 1),)),)),
    ),
    "trace": (Trace(Layout(("..*", "...", "..."), start=(2, 0))), Trace(Layout(("*.*.", ".*.."), start=(0, 3)))),
    "guess": (
        GuessProof(GUESS, Board(("1#", "##"), mines=1), WORLDS),
        GuessProof(GUESS, Board(("1#", "##"), mines=1), WORLDS[1:]),
    ),
    "clicks-sweep": (SweepProof(ONE, 1, order=(1,)), SweepProof(ONE, 2, order=(1,))),
    "clicks-proof": (
        ClicksProof(ONE, 1, sets=((0, 1),), cores=((Counted(CountedKind.DIG, 0),),)),
        ClicksProof(ONE, 2, sets=((0, 1),), cores=((Counted(CountedKind.DIG, 0),),)),
    ),
}
"""A right and a wrong certificate of each kind."""


def test_every_kind_has_its_examples() -> None:
    assert EXAMPLES.keys() == CERTIFICATES.keys()


@pytest.mark.parametrize("name", CERTIFICATES)
def test_a_kind_is_known_everywhere(name: str, subtests: pytest.Subtests) -> None:
    kind, (right, wrong) = CERTIFICATES[name], EXAMPLES[name]
    assert kind_of(right) is kind
    with subtests.test("it is read as it was written, by its own key"):
        assert from_json(to_json(right)) == right
        keys = json.loads(to_json(right)).keys()
        assert [other.key for other in CERTIFICATES.values() if other.key in keys] == [kind.key]
    with subtests.test("it is checked"):
        assert kind.check(right)[0].startswith("accepted: ")
        with pytest.raises(Rejected):
            kind.check(wrong)
    with subtests.test("satsweep/formats/schemas"):
        assert f"satsweep {kind.command}" in SCHEMAS[name]["title"]
    with subtests.test("satsweep verify --help"):
        assert kind.command in " ".join(invoke("verify", "--help").stdout.replace("│", " ").split())
    with subtests.test("the page"):
        assert ask("read", text=to_json(right))["accepted"] is True
        assert ask("read", text=to_json(wrong))["accepted"] is False

"""Certificates and traces that are brought to the page."""

import json

import pytest

from satsweep.board import Board
from satsweep.clicks.certify import certify_clicks
from satsweep.clicks.fewest import fewest_clicks
from satsweep.errors import BoardError
from satsweep.formats import certificates
from satsweep.layout import Layout
from satsweep.proofs.certify import certify
from satsweep.proofs.trace import Trace
from satsweep.why import Explainer
from tests import EXAMPLES
from tests.page.pages import ask

BOARD = Board(("##1.", "##21", "####"), mines=3)


def certified() -> str:
    with Explainer(BOARD) as explainer:
        return certificates.to_json(certify(BOARD, explainer.all()))


def test_a_certificate_is_accepted_with_its_board() -> None:
    told = ask("read", text=certified())
    assert told == {
        "kind": "proof",
        "about": "board",
        "text": str(BOARD),
        "accepted": True,
        "said": ["accepted: 1 cell is forced, 1 safe and 0 mines"],
    }


def test_a_claim_that_does_not_follow_is_rejected() -> None:
    written = json.loads(certified())
    written["proofs"][0]["mine"] = not written["proofs"][0]["mine"]
    told = ask("read", text=json.dumps(written))
    assert told["accepted"] is False
    assert str(told["said"]).startswith("['rejected: cell ")


def test_a_trace_is_followed() -> None:
    layout = Layout(("..*", "...", "..."), start=(2, 0))
    told = ask("read", text=certificates.to_json(Trace(layout)))
    assert (told["about"], told["accepted"], told["text"]) == ("layout", True, str(layout))
    short = Layout(("*.*.", ".*.."), start=(0, 3))
    assert ask("read", text=certificates.to_json(Trace(short)))["accepted"] is False


def test_a_proof_that_cannot_be_read_has_its_place() -> None:
    with pytest.raises(BoardError) as raised:
        ask("read", text='{\n  "proofs": [], "board": ["1#"]}')
    assert raised.value.line is not None


def test_a_text_that_is_the_key_of_a_proof_is_a_text() -> None:
    layout = Layout(("*..", "...", "..*"))
    values = json.loads(certificates.to_json(certify_clicks(fewest_clicks(layout))))
    told = ask("read", text=json.dumps(values | {"refutation": "proofs"}))
    assert (told["accepted"], told["said"]) == (False, ["rejected: step 1: expected literals and a 0"])
    game = json.loads((EXAMPLES / "game.json").read_text(encoding="utf-8"))
    assert ask("read", text=json.dumps(game | {"player": "proofs"}))["kind"] == "layout"

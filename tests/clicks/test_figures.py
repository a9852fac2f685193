"""Figures of games that players know, as the glossary defines them, beside those of ms_toollib."""

import re

import pytest

from satsweep import fewest_clicks
from satsweep.clicks import game_clicks
from satsweep.generator.walkthrough import board_numbers
from tests import ROOT
from tests.formats.replay_files import evf_replay

GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("version", [0, 3, 4])
def test_figures_are_those_of_ms_toollib(version: int) -> None:
    record, video = evf_replay(version)
    video.current_time = 1e9
    counted = game_clicks(record)
    assert counted is not None
    bv, clicks = board_numbers(record.layout).bv, counted.made
    times = [move.time for move in record.moves if move.time is not None]
    seconds = max(times) - min(times)
    assert (bv, clicks) == (video.bbbv, video.ce) and seconds == pytest.approx(video.rtime)
    assert fewest_clicks(record.layout, ()).upper <= video.zini
    defined = {
        "3BV/s": (bv / seconds, video.bbbv_s),
        "RQP": (seconds**2 / bv, video.rqp),
        "IOE": (bv / video.cl, video.ioe),
        "throughput": (bv / clicks, video.thrp),
        "correctness": (clicks / video.cl, video.corr),
    }
    for name, (own, theirs) in defined.items():
        assert own == pytest.approx(theirs), name
        assert re.search(rf"^\| {name} \|", GLOSSARY, re.MULTILINE)

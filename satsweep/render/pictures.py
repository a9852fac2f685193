"""Pictures and texts of values, which ``satsweep.mixins`` asks for."""

import re
from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from satsweep.analysis.analysis import Analysis
from satsweep.assessment.rate import Rating
from satsweep.assessment.verdicts import Review
from satsweep.board import Board
from satsweep.formats import records
from satsweep.games.record import Record
from satsweep.layout import Layout
from satsweep.render import analysis_svg, analysis_text, explanation_svg, explanation_text
from satsweep.render.board_svg import board_svg, layout_svg
from satsweep.render.game_animation import HOLD, animated_svg
from satsweep.render.rating import json_line, rating_to_text
from satsweep.render.review_json import review_to_json
from satsweep.render.review_page import review_page
from satsweep.render.review_text import review_to_text
from satsweep.render.transcript import transcript
from satsweep.why.values import Conflict, Explanation, Undecided

_SVG: dict[type, Callable[[Any], Iterable[str]]] = {
    Board: board_svg,
    Layout: layout_svg,
    Analysis: analysis_svg.to_svg,
    **dict.fromkeys((Explanation, Undecided, Conflict), explanation_svg.to_svg),
    Record: animated_svg,
    Review: lambda review: animated_svg(review.record),
    Rating: lambda rating: layout_svg(rating.layout),
}
_TEXT: dict[type, Callable[[Any], Iterable[str]]] = {
    Analysis: analysis_text.to_text,
    **dict.fromkeys((Explanation, Undecided, Conflict), explanation_text.to_text),
    Record: transcript,
    Review: lambda review: review_to_text(review, review.record.agent),
    Rating: lambda rating: rating_to_text(rating, ""),
}
_JSON: dict[type, Callable[[Any], Iterable[str]]] = {
    Analysis: analysis_text.to_json,
    **dict.fromkeys((Explanation, Undecided, Conflict), explanation_text.to_json),
    Record: records.to_json,
    Review: review_to_json,
    Rating: lambda rating: json_line(rating, "", 1),
}


def _form(table: dict[type, Callable[[Any], Iterable[str]]], value: object) -> str:
    return "".join(next(form for kind, form in table.items() if isinstance(value, kind))(value))


def svg_of(value: object) -> str:
    """The picture of a value, a complete SVG file."""
    return _form(_SVG, value)


def html_of(value: object) -> str:
    """A value as a piece of HTML that needs nothing else, by default its picture."""
    svg = svg_of(value)
    if isinstance(value, Record):
        return _player(svg)
    if isinstance(value, Review):
        page = review_page(value, f"Review of {value.record.agent}")
        return _frame(page, _height(svg) + 400, title="Review of a game", scripts=True)
    return _framed(svg, _height(svg) + 8, title=type(value).__name__)


def text_of(value: object) -> str:
    return _form(_TEXT, value).rstrip("\n")


def json_of(value: object) -> str:
    return _form(_JSON, value)


def _framed(content: str, height: int, *, title: str, scripts: bool = False) -> str:
    """A page in a frame of its own, apart from styles and scripts of the notebook."""
    page = f'<!doctype html><meta charset="utf-8"><style>{_PAGE_STYLE}</style>{content}'
    return _frame(page, height, title=title, scripts=scripts)


def _frame(page: str, height: int, *, title: str, scripts: bool) -> str:
    allowed = "allow-scripts" if scripts else ""
    return (
        f'<iframe title="{escape(title)}" style="width:100%;border:0;height:{height}px" sandbox="{allowed}" '
        f'srcdoc="{escape(page)}"></iframe>'
    )


def _height(svg: str) -> int:
    found = re.search(r'height="(\d+)"', svg)
    assert found is not None
    return int(found[1])


_PAGE_STYLE = """body{margin:0;font:14px system-ui,sans-serif}svg{max-width:100%;height:auto}
div{display:flex;gap:8px;padding:4px;max-width:600px}input{flex:1}"""

_PLAYER = """<div><button>Play</button><input type="range" min="0" max="1" step="any" value="1" aria-label="Move"></div>
<script>
const [button, range] = [document.querySelector("button"), document.querySelector("input")];
let moves = [], end = 1;
const show = (share) => moves.forEach((move) => { move.pause(); move.currentTime = share * end; });
let begun = null;
const pause = () => { begun = null; button.textContent = "Play"; };
const next = (now) => {
  if (begun === null) return;
  const share = Math.min(1, (now - begun) / end);
  range.value = share;
  show(share);
  if (share < 1) requestAnimationFrame(next); else pause();
};
range.oninput = () => { pause(); show(range.valueAsNumber); };
button.onclick = () => {
  if (begun !== null) return pause();
  begun = performance.now() - (range.valueAsNumber < 1 ? range.valueAsNumber * end : 0);
  button.textContent = "Pause";
  requestAnimationFrame(next);
};
requestAnimationFrame(() => { // a frame out of sight has no animations yet
  moves = document.querySelector("svg").getAnimations({subtree: true});
  end = Math.max(1, ...moves.map((move) => move.effect.getComputedTiming().duration)) - HOLD;
  show(1);
});
</script>""".replace("HOLD", f"{1000 * HOLD:g}")
"""Button and slider below a moving picture; they set the time of animations."""
_MOTION = "(prefers-reduced-motion: no-preference)"


def _player(svg: str) -> str:
    """A moving picture with a slider, at its end until the button is pressed."""
    return _framed(svg.replace(_MOTION, "all") + _PLAYER, _height(svg) + 44, title="A game, move by move", scripts=True)

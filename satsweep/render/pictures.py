"""Pictures and texts of values, which ``satsweep.mixins`` asks for."""

import re
from collections.abc import Iterable
from functools import singledispatch
from html import escape

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
from satsweep.solver.analysis import Analysis
from satsweep.why.values import Conflict, Explanation, Undecided


@singledispatch
def svg_of(value: object) -> str:
    """The picture of a value, a complete SVG file."""
    raise TypeError(f"expected a value with a picture, found {type(value).__name__}")


@singledispatch
def html_of(value: object) -> str:
    """A value as a piece of HTML that needs nothing else, by default its picture."""
    svg = svg_of(value)
    return _framed(svg, _height(svg) + 8, title=f"{type(value).__name__}")


@singledispatch
def text_of(value: object) -> str:
    raise TypeError(f"expected a value with a text, found {type(value).__name__}")


@singledispatch
def json_of(value: object) -> str:
    raise TypeError(f"expected a value with a JSON form, found {type(value).__name__}")


@svg_of.register
def _(board: Board) -> str:
    return "".join(board_svg(board))


@svg_of.register
def _(layout: Layout) -> str:
    return "".join(layout_svg(layout))


@svg_of.register
def _(analysis: Analysis) -> str:
    return "".join(analysis_svg.to_svg(analysis))


@text_of.register
def _(analysis: Analysis) -> str:
    return _lines(analysis_text.to_text(analysis))


@json_of.register
def _(analysis: Analysis) -> str:
    return "".join(analysis_text.to_json(analysis))


@svg_of.register(Explanation)
@svg_of.register(Undecided)
@svg_of.register(Conflict)
def _(why: Explanation | Undecided | Conflict) -> str:
    return "".join(explanation_svg.to_svg(why))


@text_of.register(Explanation)
@text_of.register(Undecided)
@text_of.register(Conflict)
def _(why: Explanation | Undecided | Conflict) -> str:
    return _lines(explanation_text.to_text(why))


@json_of.register(Explanation)
@json_of.register(Undecided)
@json_of.register(Conflict)
def _(why: Explanation | Undecided | Conflict) -> str:
    return "".join(explanation_text.to_json(why))


@svg_of.register
def _(record: Record) -> str:
    return "".join(animated_svg(record))


@html_of.register
def _(record: Record) -> str:
    return _player(svg_of(record))


@text_of.register
def _(record: Record) -> str:
    return _lines(transcript(record))


@json_of.register
def _(record: Record) -> str:
    return records.to_json(record)


@svg_of.register
def _(review: Review) -> str:
    return svg_of(review.record)


@html_of.register
def _(review: Review) -> str:
    page = review_page(review, review.record.agent)
    return _frame(page, _height(svg_of(review.record)) + 400, title="Review of a game", scripts=True)


@text_of.register
def _(review: Review) -> str:
    return _lines(review_to_text(review, review.record.agent))


@json_of.register
def _(review: Review) -> str:
    return review_to_json(review)


@svg_of.register
def _(rating: Rating) -> str:
    return svg_of(rating.layout)


@text_of.register
def _(rating: Rating) -> str:
    return _lines(rating_to_text(rating, ""))


@json_of.register
def _(rating: Rating) -> str:
    return json_line(rating, "", 1)


def _lines(lines: Iterable[str]) -> str:
    return "".join(lines).rstrip("\n")


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

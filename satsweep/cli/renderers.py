"""Renderers: the functions that write each kind of answers in each format.

A command takes the choices of ``--format`` and the function that writes its answer from the one table here. A format
that a kind lacks is refused, never replaced by another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from importlib import import_module
from inspect import signature
from operator import attrgetter
from typing import Any

import typer

from satsweep.cli.options import wrong
from satsweep.text import harmless

RENDERERS: dict[str, dict[str, str]] = {
    "analysis": {
        "text": "satsweep.cli.board_answers:solved_to_text",
        "json": "satsweep.cli.board_answers:solved_to_json",
        "svg": "satsweep.cli.board_answers:solved_to_svg",
    },
    "solved pictures": {
        "text": "satsweep.cli.board_answers:solved_to_text",
        "json": "satsweep.cli.board_answers:solved_to_json",
        "svg": "satsweep.cli.board_answers:painted_svg",
        "png": "satsweep.cli.board_answers:painted_png",
    },
    "rules": {
        "text": "satsweep.render.analysis_text:named_to_text",
        "json": "satsweep.render.analysis_text:named_to_json",
    },
    "impossible boards": {
        "text": "satsweep.render.explanation_text:to_text",
        "json": "satsweep.render.explanation_text:to_json",
        "svg": "satsweep.render.explanation_svg:to_svg",
    },
    "explanation": {
        "text": "satsweep.cli.board_answers:cell_to_text",
        "json": "satsweep.render.explanation_text:to_json",
        "svg": "satsweep.render.explanation_svg:to_svg",
    },
    "explanations": {
        "text": "satsweep.cli.board_answers:explained_to_text",
        "json": "satsweep.cli.board_answers:explained_to_json",
        "svg": "satsweep.cli.board_answers:explained_to_svg",
    },
    "rating": {
        "text": "satsweep.render.rating:rating_to_text",
        "json": "satsweep.render.rating:json_line",
        "jsonl": "satsweep.render.rating:json_line",
        "csv": "satsweep.render.rating:csv_line",
    },
    "ratings": {
        "text": "satsweep.render.rating:ratings_to_text",
        "json": "satsweep.render.rating:ratings_to_json",
        "jsonl": "satsweep.render.rating:ratings_to_jsonl",
        "csv": "satsweep.render.rating:ratings_to_csv",
    },
    "clicks": {
        "text": "satsweep.render.clicks:clicks_to_text",
        "json": "satsweep.render.clicks:clicks_to_json",
    },
    "mine searches": {
        "text": "satsweep.render.mine_search:searches_to_text",
        "json": "satsweep.render.mine_search:searches_to_json",
    },
    "chains": {
        "text": "satsweep.render.influence:to_text",
        "json": "satsweep.render.influence:to_json",
    },
    "review": {
        "text": "satsweep.render.review_text:review_to_text",
        "json": "satsweep.render.review_json:review_to_json",
        "csv": "satsweep.render.review_json:review_to_csv",
        "html": "satsweep.render.review_page:review_page",
    },
    "reviews": {
        "text": "satsweep.render.review_text:collection_to_text",
        "json": "satsweep.render.review_json:collection_to_json",
        "csv": "satsweep.render.review_json:games_to_csv",
        "html": "satsweep.render.review_page:history_page",
    },
    "audit": {
        "text": "satsweep.render.audit:audit_to_text",
        "json": "satsweep.render.audit:audit_to_json",
        "html": "satsweep.render.audit_page:audit_page",
    },
    "audits": {
        "text": "satsweep.arena.coursework.submissions:submissions_to_text",
        "json": "satsweep.arena.coursework.submissions:submissions_to_json",
    },
    "audit of keys": {
        "text": "satsweep.render.audit:key_audit_to_text",
        "json": "satsweep.render.audit:key_audit_to_json",
    },
    "examination": {
        "text": "satsweep.umi.conformance:to_text",
        "json": "satsweep.umi.conformance:to_json",
    },
    "comparison": {
        "text": "satsweep.arena.terminal:to_text",
        "json": "satsweep.arena.report:Report.to_json",
    },
    "ladder": {
        "html": "satsweep.arena.pages:ladder_page",
        "text": "satsweep.arena.pages:ladder_text",
        "json": "satsweep.arena.ladder:ladder_json",
    },
    "benchmark": {
        "text": "satsweep.learn.bench.report:bench_text",
        "json": "satsweep.learn.bench.report:bench_json",
    },
}
"""Functions, as module:function, by the kind of the answer and the format.

They are imported when an answer is written, so the table costs no start-up time.
"""


def format_option(*kinds: str, help: str = "Output format. Default: text.") -> Any:
    """Option ``--format``: the formats of some kinds of answers."""
    names = tuple(dict.fromkeys(name for kind in kinds for name in RENDERERS[kind]))

    def check(name: str | None) -> str | None:
        if name is not None and name not in names:
            raise typer.BadParameter(f"{name!r} is not one of {', '.join(map(repr, names))}.")
        return name

    def complete(incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    return typer.Option(metavar=f"<{'|'.join(names)}>", callback=check, autocompletion=complete, help=help)


def check_format(kind: str, format: str) -> None:
    """Raise BadParameter for a format that a kind of answers lacks."""
    if format not in RENDERERS[kind]:
        raise wrong("--format", f"expected {' or '.join(RENDERERS[kind])} for {kind}, found {format}")


def rendered(kind: str, format: str, answer: object, **options: object) -> Iterable[Any]:
    """Text or bytes for an answer. Raises BadParameter for a format it lacks.

    A function gets those of the options that it has a parameter for: JSON has no ``width``. Names and other text of
    others cannot steer a terminal (``text.harmless``).
    """
    check_format(kind, format)
    module, _, function = RENDERERS[kind][format].partition(":")
    write = attrgetter(function)(import_module(module))
    taken = signature(write).parameters
    pieces: Any = write(answer, **{name: value for name, value in options.items() if name in taken})
    whole: Iterable[str | bytes] = [pieces] if isinstance(pieces, str | bytes) else pieces
    text = partial(harmless, colours=bool(options.get("colour")))
    return (piece if isinstance(piece, bytes) else text(piece) for piece in whole)

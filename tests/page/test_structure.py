"""The page's folders of modules: what they may import, and how much they hold."""

import posixpath
import re
from collections import Counter

import networkx as nx

from satsweep.page import static_files
from tests import ROOT

STATIC = ROOT / "satsweep" / "page" / "static"
BUDGETS = {
    "basics": 1_090, "words": 330, "board": 1_110, "engine": 2_400, "shared": 1_230, "review": 960, "play": 2_325,
    "solve": 1_630, "watch": 1_010, "train": 890, "pictures": 690, "app": 530,
}  # fmt: skip
"""Lines that the modules of a folder may have, the lowest first; ``engine/engine.js`` is a package of its own."""
MOST = 500
"""Lines of a module."""
USES = re.compile(r'(?:^(?:import|export)\s[^"]*|\bimport\()"(\.[^"]+)"', re.MULTILINE)
"""Imports, also those of types in comments, and those that are made when something is first needed."""


SEARCHING = re.compile(r"\bRegExp\b|\.(?:exec|matchAll|search|test)\(|\.(?:match|replace|replaceAll|split)\(/")
"""Uses of regular expressions."""
READERS = {
    "basics/carried.js", "basics/keys.js", "basics/numbers.js", "basics/position.js", "engine/game-answers.js",
    "engine/phrases.js", "shared/settings.js", "solve/form.js", "solve/state.js", "review/state.js", "play/archive.js",
    "play/counts.js", "play/view.js", "watch/view.js", "app/dialogs.js", "app/opening.js",
}  # fmt: skip
"""Modules with regular expressions: for what is typed, kept or linked to, names, templates and numbers in facts."""


def modules() -> dict[str, str]:
    """The texts of the page's modules by their paths; its service worker is none."""
    found = {path.relative_to(STATIC).as_posix(): path.read_text("utf-8") for path in STATIC.glob("*/*.js")}
    del found["engine/engine.js"]
    return found


def uses() -> nx.DiGraph:
    return nx.DiGraph(
        (name, posixpath.normpath(posixpath.join(posixpath.dirname(name), used)))
        for name, text in modules().items()
        for used in USES.findall(text)
    )


def test_no_module_is_part_of_a_circle() -> None:
    assert [sorted(one) for one in nx.strongly_connected_components(uses()) if len(one) > 1] == []


def test_folders_import_downwards() -> None:
    """Views stand above what they share, and know no other view; the end of a game in Play is a review."""
    ranks = {folder: rank for rank, folder in enumerate(BUDGETS)}
    views = {"solve", "play", "review", "watch", "train", "pictures"}
    upward, across = [], []
    for name, used in uses().edges:
        own, other = name.split("/")[0], used.split("/")[0]
        if ranks[own] < ranks[other]:
            upward.append((name, used))
        if own != other and {own, other} <= views:
            across.append((own, other))
    assert upward == [] and set(across) == {("play", "review")}


def test_no_sentence_is_searched() -> None:
    """Sentences are words and cells; what is sought in their words would be found in words of others, too."""
    assert {name for name, text in modules().items() if SEARCHING.search(text)} == READERS


def test_folders_and_modules_stay_small() -> None:
    lines = {name: text.count("\n") for name, text in modules().items()}
    folders: Counter[str] = Counter()
    for name, count in lines.items():
        folders[name.partition("/")[0]] += count
    assert folders.keys() == BUDGETS.keys()
    assert {name: count for name, count in folders.items() if count > BUDGETS[name]} == {}
    assert {name: count for name, count in lines.items() if count > MOST} == {}


def test_every_import_is_there_and_the_first_ones_are_loaded_at_once() -> None:
    found = static_files()
    assert {used for _, used in uses().edges} <= found.keys()
    page = found["index.html"].decode()
    preloaded = re.findall(r'<link rel="modulepreload" href="([^"]+)">', page)
    assert {"app/main.js", "solve/view.js", "basics/dom.js", "board/board.js"} <= set(preloaded)
    assert not [name for name in preloaded if name.startswith(("play/", "watch/", "train/", "review/", "pictures/"))]


def test_the_table_of_the_page_names_what_is_there() -> None:
    """Contributing says where a stranger finds what: every folder, and only files that exist."""
    section = (ROOT / "CONTRIBUTING.md").read_text().split("## Where what is on the page")[1].split("\n## ")[0]
    named = set(re.findall(rf"`((?:{'|'.join(BUDGETS)})/[\w./-]*)`", section))
    assert {f"{folder}/" for folder in BUDGETS} <= named
    assert [name for name in named if not (STATIC / name).exists()] == []

"""Command ``chains``: facts, pictures, graphs, and the search for long chains."""

import json
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import networkx
import pytest

from satsweep import Cell, Layout, Record, Rules, agent_named, play, random_layout
from satsweep.clues import clues_named
from satsweep.formats import write
from satsweep.games.deal import game_rng
from satsweep.render import influence as shown
from satsweep.render.board_geometry import LEFT, SIDE, TOP, BoardGeometry
from satsweep.render.board_svg import LINE
from satsweep.why.influence import Influence, chains
from tests.cli import in_terminal, interrupted, invoke, on_terminal, posix
from tests.render.test_render import check_inside, middle_of

SEED_3 = ("--rows", 8, "--cols", 9, "--mines", 9, "--seed", 3, "--start", "0,0")
SVG = "{http://www.w3.org/2000/svg}"


def by_seed(seed: int, agent: str = "tank") -> tuple[Record, Influence]:
    """The game that SEED_3 asks for, or one like it."""
    rng = game_rng(seed, 0)
    layout = random_layout(8, 9, 9, rng)
    played = play(layout, agent_named(agent), Rules(start=Cell(0, 0)), rng, name=agent)
    return played, chains(played)


# --- what it says ----------------------------------------------------------------------------------------------------


def test_json_has_every_step() -> None:
    played, found = by_seed(3)
    said = json.loads(invoke("chains", *SEED_3, "--json").stdout)
    steps = said.pop("chain")
    assert [(tuple(step["cell"]), step["depth"], step["rule"], step["mine"], step["turn"]) for step in steps] == [
        (fact.cell, fact.depth, fact.rule, fact.mine, fact.turn) for fact in found.chain
    ]
    assert [[*map(tuple, step["clues"]), *map(tuple, step["known"])] for step in steps] == [
        list(fact.rests_on) for fact in found.chain
    ]
    assert found.farthest is not None
    assert said == {
        "agent": "tank",
        "rows": 8,
        "cols": 9,
        "mines": 9,
        "topology": "square",
        "outcome": played.outcome.value,
        "determined": found.determined,
        "roots": [list(root.cell) for root in found.roots],
        "length": found.length,
        "reach": found.reach,
        "farthest": {"root": list(found.farthest.root), "cell": list(found.farthest.cell)},
        "breadth": found.breadth,
        "seed": "3",
    }


def test_long_chains_are_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    played, found = by_seed(3)
    whole = list(shown.to_text(played, found, "here"))
    at = whole.index("\n") + 1
    monkeypatch.setattr(shown, "MOST_LINES", 4)
    steps = list(shown.to_text(played, found, "here"))[at:]
    left_out = len(whole) - at - 4
    assert left_out > 0
    assert steps == [*whole[at : at + 2], f"{'':<12} {left_out} more lines; --json has every step\n", *whole[-2:]]


def test_a_long_cascade_is_one_line() -> None:
    played = play(Layout(("." * 9,)), agent_named("tank"), Rules(start=Cell(0, 0)))
    said = "".join(shown.to_text(played, chains(played), "here"))
    assert said.endswith("\n           0 0,0     safe  start\n         1-8 0,1 0,2 ... 0,7 0,8  cascade\n")


# --- games from elsewhere --------------------------------------------------------------------------------------------


def test_layouts_and_records(tmp_path: Path) -> None:
    played, found = by_seed(3, "gem")
    layout, record = tmp_path / "layout.json", tmp_path / "game.json"
    arguments = (*SEED_3, "--agent", "gem", "--output", layout)
    assert invoke("chains", *arguments).exit_code == 0
    assert Layout.load(layout) == played.layout
    again = invoke("chains", "--layout", layout, "--agent", "gem", "--start", "0,0", "--seed", 5)
    assert f"layout       8x9, 9 mines, {layout}, seed 5\n" in again.stdout
    assert invoke("play", *SEED_3, "--agent", "gem", "--record", record).exit_code == 0
    assert Record.load(record) == played
    by_record = invoke("chains", "--record", record)
    assert by_record.stdout == invoke("chains", *arguments).stdout.replace("seed 3", str(record))
    piped = invoke("chains", "--record", "-", "--json", stdin=record.read_text())
    assert json.loads(piped.stdout) == {**json.loads(invoke("chains", *arguments, "--json").stdout), "seed": None}
    assert json.loads(piped.stdout)["length"] == found.length


def test_a_new_seed_is_told_and_gives_the_same_chains() -> None:
    result = invoke("chains")
    seed = result.stdout.splitlines()[1].rpartition("seed ")[2]
    assert invoke("chains", "--seed", seed, "--agent", "tank").stdout == result.stdout


def test_rules_are_those_of_the_agent_unless_others_are_asked_for() -> None:
    assert json.loads(invoke("chains", "--agent", "ai1", "--seed", 1, "--json").stdout)["outcome"] == "found"
    cascades = [invoke("chains", *SEED_3, option).stdout for option in ("--cascade", "--no-cascade")]
    assert "by cascade" in cascades[0] and "cascade" not in cascades[1]


# --- the search ------------------------------------------------------------------------------------------------------


def test_the_search_keeps_the_longest(tmp_path: Path) -> None:
    lengths = {seed: by_seed(seed)[1].length for seed in range(3, 15)}
    best = max(lengths, key=lambda seed: lengths[seed])
    assert lengths[best] > lengths[3]
    layout = tmp_path / "long.json"
    result = invoke("chains", *SEED_3, "--search", 12, "--output", layout)
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"layout       8x9, 9 mines, seed {best}, the longest of 12 from seed 3 on\n" in result.stdout
    assert Layout.load(layout) == by_seed(best)[0].layout
    assert json.loads(invoke("chains", *SEED_3, "--search", 12, "--json").stdout)["seed"] == str(best)
    alone = invoke("chains", *SEED_3[:-4], "--seed", best, "--start", "0,0")
    assert alone.stdout.split("\n\n")[1] == result.stdout.split("\n\n")[1]


@pytest.mark.extended
@posix
def test_progress_is_for_terminals() -> None:
    """And not for those who read what comes out."""
    written, out = on_terminal("chains", *SEED_3, "--search", "30", streams=("stderr",), COLUMNS="100")
    assert out == invoke("chains", *SEED_3, "--search", 30).stdout
    assert re.search(r"30 of 30 boards, longest chain \d+", written)
    assert "\x1b" not in in_terminal("chains", *SEED_3)


SLOW_AFTER = """
import sys, time
import satsweep.games.game
played, games = satsweep.games.game.play, 0
def play(*arguments, **options):
    global games
    games += 1
    if games > {most}:
        print("counting", file=sys.stderr, flush=True)
        time.sleep(600)
    return played(*arguments, **options)
satsweep.games.game.play = play
"""


@pytest.mark.extended
@posix
def test_an_interrupted_search_shows_what_it_has() -> None:
    out, err, code = interrupted(SLOW_AFTER.format(most=12), "chains", *SEED_3, "--search", "1000")
    assert (code, err) == (130, b"interrupted after 12 of 1,000 boards\n")
    assert out.decode() == invoke("chains", *SEED_3, "--search", 12).stdout
    assert interrupted(SLOW_AFTER.format(most=0), "chains", *SEED_3, "--search", "1000") == (b"", b"", 130)


# --- files -----------------------------------------------------------------------------------------------------------


def test_the_picture_shows_the_chain(tmp_path: Path) -> None:
    played, found = by_seed(3)
    file = tmp_path / "chain.svg"
    assert invoke("chains", *SEED_3, "--plot", file).exit_code == 0
    picture = ET.parse(file).getroot()
    assert picture.find(f"{SVG}title").text == f"Longest chain of influence: {found.length} cells"  # type: ignore[union-attr]
    path = picture.findtext(f"{SVG}desc") or ""
    cells = [str(fact.cell) for fact in found.chain]
    assert f"From {cells[0]} to {cells[-1]}: {' '.join(cells)}." in path
    tips = [tip.text or "" for tip in picture.iter(f"{SVG}title")][1:]
    assert len(tips) == len(set(tips)) == 8 * 9, "every cell says once what it is"
    groups = {group.get("class"): group for group in picture.iter(f"{SVG}g")}
    linked = [(tip.text or "").split(":")[0] for tip in groups["cells chain"].iter(f"{SVG}title")]
    assert linked == [str(fact.cell) for fact in found.chain]
    (drawn,) = groups["cells chain"].iter(f"{SVG}path")
    places = [(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)", drawn.get("d") or "")]
    assert places == [
        (LEFT + fact.cell.col * SIDE + SIDE // 2, places[0][1] + (fact.cell.row - found.chain[0].cell.row) * SIDE)
        for fact in found.chain[:-1]
    ]
    unknown = len(groups["cells unknown"])
    assert unknown == sum(tip.endswith(": never determined") for tip in tips) == 72 - len(found.facts)
    assert unknown == 0 or not played.won


def test_a_chain_across_the_edge_goes_out_and_comes_in() -> None:
    """A step from the last column of a ring to the first is two short lines.

    It is drawn twice, each time cut off at the edge.
    """
    played = play(Layout((".........",) * 3, topology="torus"), agent_named("basic"), Rules(start=Cell(1, 8)))
    found = chains(played)
    cols = [fact.cell.col for fact in found.chain]
    assert cols == [8, 0, 1, 2, 3] and {fact.cell.row for fact in found.chain} <= {0, 1}
    path = re.search(r'<path d="([^"]*)"', "".join(shown.to_svg(played, found)))
    assert path is not None and path[1].count("M") == 5
    assert all(step == str(SIDE) for step in re.findall(r"l(-?\d+) ", path[1]))


@pytest.mark.parametrize(
    ("rows", "cols", "topology"),
    [
        (5, 6, "knight"),
        (6, 5, "hexagonal wrapping both"),
        (6, 5, "square in 2 planes wrapping both"),
        (6, 5, "hexagonal in 3 planes"),
        (2, 6, "edges 0-1 1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10 10-11"),
    ],
)
def test_chains_on_any_topology(rows: int, cols: int, topology: str) -> None:
    layout = Layout([*["." * cols] * (rows - 1), "." * (cols - 1) + "*"], topology=topology)
    played = play(layout, agent_named("basic"), Rules(start=Cell(0, 0), clues=clues_named("random 9/10")), name="basic")
    found = chains(played)
    picture = ET.fromstring("".join(shown.to_svg(played, found, "here")))
    check_inside(picture)
    lines = picture.findall(f"{SVG}text")[1:]
    assert lines[0].text == f"basic, {rows}x{cols}, 1 mine, here, {played.outcome.value}"
    assert (lines[1].text or "").startswith(topology.partition(":")[0] if "edges" not in topology else "graph of 11")
    places = BoardGeometry(rows, cols, layout.topology, top=TOP + LINE * len(lines))
    tips = {
        (tip.text or "").split(":")[0]: group
        for group in picture.iter(f"{SVG}g")
        if (tip := group.find(f"{SVG}title")) is not None
    }
    assert len(tips) == rows * cols
    for cell in (Cell(row, col) for row in range(rows) for col in range(cols)):
        x, y = middle_of(tips[str(cell)][1])
        assert (round(x), round(y)) == places.middle(cell)
    steps = list(pairwise(fact.cell for fact in found.chain))
    drawn = [path.get("d") or "" for path in picture.iter(f"{SVG}path") if path.get("stroke-width") == "2.5"]
    starts = {(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)l", "".join(drawn))}
    assert steps and starts == {places.middle(before) for before, _ in steps}
    values = shown.to_values(played, found)
    assert (values["topology"], values["clues"]) == (topology, "random 9/10")


def test_a_step_from_plane_to_plane_is_not_cut_off() -> None:
    layout = Layout(("....", "....", "....", "...*"), topology="orthogonal in 2 planes wrapping both")
    played = play(layout, agent_named("basic"), Rules(start=Cell(0, 0), fatal=False))
    found = chains(played)
    picture = ET.fromstring("".join(shown.to_svg(played, found)))
    paths = [path for path in picture.iter(f"{SVG}path") if path.get("stroke-width") == "2.5"]
    across = [
        (before, after)
        for before, after in pairwise(fact.cell for fact in found.chain)
        if before.row // 2 != after.row // 2
    ]
    free = [path.get("d") or "" for path in paths if path.get("clip-path") is None]
    assert "".join(free).count("M") == len(across) > 0
    names = [path.get("clip-path") for path in paths if path.get("clip-path")]
    boxes = {clip.get("id"): clip[0] for clip in picture.iter(f"{SVG}clipPath")}
    assert [f"url(#{name})" for name in boxes] == names
    assert {box.get("height") for box in boxes.values()} <= {str(2 * SIDE)}


def test_the_graph_is_for_other_programs(tmp_path: Path) -> None:
    _, found = by_seed(3)
    file = tmp_path / "chains.graphml"
    assert invoke("chains", *SEED_3, "--graphml", file).exit_code == 0
    graph = networkx.read_graphml(file)
    assert networkx.dag_longest_path_length(graph) == found.length
    assert graph.nodes[str(found.chain[-1].cell)]["depth"] == found.length


def test_a_layout_is_written_as_it_was_played(tmp_path: Path) -> None:
    """Mines that made way for the first cell are where they went."""
    crowded, file = tmp_path / "crowded.json", tmp_path / "played.json"
    write(Layout(("*..", "...")), crowded)
    assert invoke("chains", "--layout", crowded, "--start", "0,0", "--seed", 0, "--output", file).exit_code == 0
    assert not Layout.load(file).is_mine((0, 0)) and Layout.load(file).mines == 1

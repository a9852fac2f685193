"""Command ``mcp``: every tool answers the SDK's own client, and wrong input is one line that a model can read."""

import asyncio
import json
import re
import subprocess
import sys
import time
from typing import Any

import pytest

import satsweep
from satsweep.cli.mcp import server
from tests import ROOT

BOARD = "##1.\n##21\n####"
RULES = '{"rules": [{"num_mines": 1, "cells": ["a", "b"]}], "total_cells": 4, "total_mines": 2}'
LAYOUT = "*..\n...\n..."


def answers(place: Any, *calls: tuple[str, dict[str, Any]]) -> list[tuple[bool, str]]:
    """For each call whether it failed, and its text."""
    from mcp import Client

    async def ask() -> list[tuple[bool, str]]:
        async with Client(place) as client:
            given = [await client.call_tool(name, arguments) for name, arguments in calls]
            return [(bool(one.is_error), one.content[0].text) for one in given]  # type: ignore[union-attr]

    return asyncio.run(ask())


@pytest.mark.extended
def test_tools_say_what_the_commands_say() -> None:
    game = (ROOT / "examples" / "game.json").read_text(encoding="utf-8")
    solved, explained, rated, reviewed, dealt = answers(
        server(),
        ("solve", {"board": BOARD, "mines": 3}),
        ("explain", {"board": f"mines 3\n{BOARD}", "row": 2, "col": 1}),
        ("rate", {"layout": LAYOUT, "row": 2, "col": 2}),
        ("review", {"game": game}),
        ("deal", {"rows": 9, "cols": 9, "mines": 10, "row": 4, "col": 4, "seed": 7}),
    )
    board = satsweep.Board(f"mines 3\n{BOARD}")
    untimed = re.compile(r"[\d,.]+ ms")
    assert not solved[0] and untimed.sub("", solved[1]) == untimed.sub("", satsweep.analyse(board).text)
    assert explained == (False, satsweep.explain(board, (2, 1)).text)
    assert rated == (False, satsweep.rate(LAYOUT, (2, 2)).text)
    assert reviewed == (False, satsweep.review(satsweep.Record.load("examples/game.json")).text)
    (asked,) = answers(server(), ("solve", {"board": BOARD.replace("#", "?"), "mines": 3}))
    assert untimed.sub("", asked[1]) == untimed.sub("", f"read ? as covered cells\n{solved[1]}")
    (finished,) = answers(server(), ("rate", {"layout": "*1.\n11.", "row": 0, "col": 2}))
    assert finished == (False, satsweep.rate(satsweep.Layout("*..\n..."), (0, 2)).text)
    layout = satsweep.Layout(dealt[1])
    assert not dealt[0] and layout.mines == 10 and satsweep.rate(layout, (4, 4)).needs_guess is False


@pytest.mark.extended
@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("solve", {"board": "hello"}, "expected"),
        ("solve", {"board": BOARD, "mines": 900}, "a mine total between 0 and"),
        ("solve", {"board": "#1.\n..."}, "cannot all be true"),
        ("explain", {"board": BOARD, "row": 9, "col": 0}, "expected"),
        ("rate", {"layout": BOARD, "row": 0, "col": 0}, "1:1: expected one of . *, found '#'"),
        ("rate", {"layout": RULES, "row": 0, "col": 0}, "expected a layout, with all its mines, found rules about"),
        ("solve", {"board": RULES}, "expected a board as a player sees it, found rules about named cells"),
        ("review", {"game": BOARD}, "expected"),
        ("deal", {"rows": 3, "cols": 3, "mines": 9}, "mines"),
        ("deal", {"rows": "many", "cols": 3, "mines": 2}, "rows"),
    ],
)
def test_wrong_input_is_an_answer(tool: str, arguments: dict[str, Any], message: str) -> None:
    ((failed, text),) = answers(server(), (tool, arguments))
    assert failed and message in text and "Traceback" not in text


@pytest.mark.extended
def test_the_command_speaks_over_standard_input_and_output() -> None:
    from mcp import StdioServerParameters

    command = StdioServerParameters(command=sys.executable, args=["-P", "-m", "satsweep", "mcp"])
    ((failed, text),) = answers(command, ("solve", {"board": BOARD, "mines": 3}))
    assert not failed and "best move       2,1 is safe" in text


@pytest.mark.extended
def test_the_server_ends_with_its_input() -> None:
    """Also while a tool is at work, here for 20 seconds."""
    hello = {
        "method": "initialize", "id": 1,
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }  # fmt: skip
    spec = {"rows": 100, "cols": 100, "mines": 3000, "row": 50, "col": 50}
    deal = {"method": "tools/call", "id": 2, "params": {"name": "deal", "arguments": spec}}
    lines = [{"jsonrpc": "2.0", **one} for one in (hello, {"method": "notifications/initialized"}, deal)]
    command = [sys.executable, "-P", "-m", "satsweep", "mcp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        time.sleep(3)
        begun = time.monotonic()
        process.stdin.close()
        assert process.wait(timeout=60) == 0
        assert time.monotonic() - begun < 10

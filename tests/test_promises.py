"""Promises of docs/depend.md: names, schemas, files and seeds of every release hold in this version."""

import gzip
import inspect
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import satsweep
from satsweep import Board, Record
from satsweep.arena import Store, report_on
from satsweep.formats import read_boards
from satsweep.kernels.toolchain.library import PATH
from tests import ROOT
from tests.cli import invoke
from tests.promises import KEPT, conversation, interfaces, seeds
from tests.schemas import FILES

RELEASES = sorted(path for path in KEPT.iterdir() if path.is_dir())
UNWRITTEN = {"bench"}
"""Schemas of which no document is kept."""

PAGE = (ROOT / "docs" / "depend.md").read_text(encoding="utf-8")


@pytest.fixture(params=RELEASES, ids=[path.name for path in RELEASES])
def release(request: pytest.FixtureRequest) -> Path:
    """Folder of what a release has promised."""
    found: Path = request.param
    return found


def kept(release: Path, name: str) -> Any:
    return json.loads((release / f"{name}.json").read_text("utf-8"))


def lost_names(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    """Names that are missing, and parameters that are missing, elsewhere, or asked for."""
    for name, parts in old["python"].items():
        now = new["python"].get(name, {})
        yield from [name] if name not in new["python"] else lost_parameters(name, parts, now)
        yield from (f"{name}.{own}" for own in parts.get("attributes", ()) if own not in now.get("attributes", ()))
    for name, options in old["commands"].items():
        yield from (
            f"{name} {option}" for option in ["", *options] if option not in ["", *new["commands"].get(name, ())]
        )
        yield from [name] if name not in new["commands"] else []
    for interface in ("c", "javascript"):
        yield from (name for name in old[interface] if name not in new[interface])


def lost_parameters(name: str, old: dict[str, list[str]], new: dict[str, list[str]]) -> Iterator[str]:
    before, now = old.get("parameters", []), new.get("parameters", [])
    names = [one.rstrip("?") for one in now]
    places = [one.rstrip("?") for one in before if not one.startswith("*")]
    if names[: len(places)] != places:
        yield f"{name} takes {', '.join(now)}"
    yield from (f"{name} takes no {one}" for one in before if one.rstrip("?") not in names)
    given = {one.rstrip("?") for one in before if not one.endswith("?")}
    yield from (f"{name} asks for {one}" for one in now if not one.endswith("?") and one not in given)


def lost_fields(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """Fields and values of a schema that another does not have."""
    if isinstance(old, dict):
        if not isinstance(new, dict):
            yield place
            return
        for key, value in old.items():
            if key == "required" and isinstance(value, list):
                yield from (f"{place}/{name} may be missing" for name in set(value) - set(new.get(key, ())))
            elif key in ("enum", "type") and not isinstance(value, dict):
                now: Any = new.get(key, value)
                yield from (f"{place}/{key}: {one}" for one in _listed(value) if one not in _listed(now))
            elif key not in ("title", "description", "pattern", "$id"):
                yield from [f"{place}/{key}"] if key not in new else lost_fields(value, new[key], f"{place}/{key}")
    elif isinstance(old, list):
        if not isinstance(new, list) or len(new) < len(old):
            yield place
            return
        for number, value in enumerate(old):
            yield from lost_fields(value, new[number], f"{place}/{number}")


def _listed(value: Any) -> list[Any]:
    return [value] if isinstance(value, str) else list(value)


def test_names_are_still_there(release: Path) -> None:
    assert (KEPT / satsweep.__version__).is_dir(), "python -m tests.promises"
    old, new = kept(release, "interfaces"), interfaces()
    assert list(lost_names(old, new)) == []
    for interface in ("python", "commands"):
        assert set(lost_names(old, {**new, interface: {}})) >= {*old[interface]}

    def lost_with(*parameters: str) -> list[str]:
        changed = {**new["python"], "explain": {"parameters": list(parameters)}}
        return list(
            lost_names(
                {**old, "python": {"explain": {"parameters": ["board", "cell", "*budget?"]}}},
                {**new, "python": changed},
            )
        )

    assert lost_with("board", "cell?", "new?", "*budget?", "*more?") == []
    assert lost_with("cell", "board", "*budget?") == ["explain takes cell, board, *budget?"]
    assert lost_with("board", "cell") == ["explain takes no *budget?"]
    assert lost_with("board", "cell", "*budget") == ["explain asks for *budget"]


def test_schemas_keep_their_fields(release: Path, subtests: pytest.Subtests) -> None:
    for file in release.glob("*.schema.json"):
        with subtests.test(file.name):
            old = json.loads(file.read_text("utf-8"))
            new = json.loads(FILES[file.name.removesuffix(".schema.json")].read_text("utf-8"))
            assert list(lost_fields(old, new)) == []
            without = {key: value for key, value in new.items() if key not in ("properties", "oneOf")}
            assert [place for place in lost_fields(old, without) if place in ("/properties", "/oneOf")]


def test_documents_are_those_of_the_schemas(release: Path, subtests: pytest.Subtests) -> None:
    for file in release.glob("*.schema.json"):
        name = file.name.removesuffix(".schema.json")
        if name not in UNWRITTEN:
            with subtests.test(name):
                jsonschema.validate(kept(release, name), json.loads(FILES[name].read_text("utf-8")))


def test_boards_and_games_are_read(release: Path) -> None:
    assert Board.load(release / "board.json") == Board("mines 3\n##1.\n##21\n####")
    assert read_boards(release / "board.json") == [Board.load(release / "board.json")]
    record = Record.load(release / "record.json")
    assert record.won and record.to_json() == (release / "record.json").read_text("utf-8")
    assert satsweep.play("9x9/10", record.agent, record.rules, seed=1).moves == record.moves


def test_proofs_are_accepted(release: Path, tmp_path: Path) -> None:
    small, layout = tmp_path / "small.txt", tmp_path / "layout.txt"
    Board.load(release / "board.json").save(small)
    layout.write_text("\n".join(kept(release, "clicks-proof")["layout"]))
    proofs = {"certificate": small, "clicks-proof": layout, "trace": release / "trace-layout.txt"}
    for name, board in proofs.items():
        assert invoke("verify", board, release / f"{name}.json").exit_code == 0, name
    needs = tmp_path / "needs.txt"
    needs.write_text("\n".join(kept(release, "guess")["layout"]))
    assert invoke("verify", needs, release / "guess.json").exit_code == 0


def test_stores_are_read(release: Path, tmp_path: Path) -> None:
    """The report on the games of the store is what the release reported."""
    shutil.copy(release / "runs.db", tmp_path)
    with Store(tmp_path / "runs.db", writing=False) as store:
        rows = report_on(store.run()).rows()
    (section,) = kept(release, "comparison")["settings"]
    expected = [(one["agent"], one["games"], one["measures"]["won"]["mean"]) for one in section["agents"]]
    assert [(row["agent"], row["games"], row["won"]) for row in rows] == expected


def test_engines_are_spoken_to_in_the_same_lines(release: Path) -> None:
    """They may declare more."""

    def parts(said: list[str]) -> tuple[set[str], list[str]]:
        end = said.index("umi 1")
        return {word for line in said[:end] if line.startswith("can ") for word in line.split()}, said[end:]

    declared, answers = parts(kept(release, "umi"))
    declared_now, answers_now = parts(conversation())
    assert declared <= declared_now and answers == answers_now


@pytest.mark.extended
def test_seeds_give_the_same(release: Path) -> None:
    assert seeds() == kept(release, "seeds")


def test_the_page_names_the_test_of_each_promise() -> None:
    rows = [line for line in PAGE.split("## Threads")[0].splitlines() if line.startswith("| ")][1:]
    for row in rows:
        file, _, test = row.split("`")[-2].partition("::")
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), row


def test_each_part_of_the_page_names_its_tests() -> None:
    for part in PAGE.split("\n## ")[1:]:
        named = re.findall(r"`(tests/[\w/]+\.py)", part)
        assert named, part.partition("\n")[0]
        assert [file for file in named if not (ROOT / file).is_file()] == []


def test_the_page_has_the_sizes() -> None:
    assert f"the library for C {megabytes(PATH.stat().st_size)} MB" in PAGE
    served = [gzip.compress(file.read_bytes()) for file in (ROOT / "satsweep/page/static").rglob("*") if file.is_file()]
    assert f"the page, compressed, {megabytes(sum(map(len, served)))} MB" in PAGE


def megabytes(size: int) -> str:
    return f"{size / 1e6:.1f}"


def test_the_page_has_the_bounds_of_each_function() -> None:
    table = PAGE.split("## Bounds")[1].split("## Platforms")[0]
    rows = [line.split("|")[1:3] for line in table.splitlines() if line.startswith("| `")]
    named = {name: limit for names, limit in rows for name in re.findall("`(.*?)`", names)}
    functions = {name for name in satsweep.__all__ if inspect.isfunction(getattr(satsweep, name))}
    assert functions == named.keys()
    for name, limit in named.items():
        taken = {"budget", "seconds", "patience"} & {*inspect.signature(getattr(satsweep, name)).parameters}
        assert taken == {one for one in re.findall("`(.*?)`", limit) if one != "games"}, name

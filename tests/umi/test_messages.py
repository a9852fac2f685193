"""The two forms of the protocol: messages survive them, and nonsense is refused with its line."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from satsweep.board import Cell
from satsweep.umi.forms import FORMS, JSON, TEXT, Form, form_of
from satsweep.umi.messages import (
    ABILITIES,
    Changes,
    EngineAnswer,
    FullPosition,
    Go,
    Greeting,
    Identity,
    Info,
    NewGame,
    Option,
    ProtocolError,
    Query,
    Reply,
    Request,
    SetOption,
    Trouble,
    Why,
    cell_of,
    probability_of,
)

every_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
CELLS = st.builds(Cell, st.integers(0, 99), st.integers(0, 99))
LISTS = st.lists(CELLS, max_size=4).map(tuple)
WORDS = st.text("abcXYZ-1.", min_size=1, max_size=6)
RISKS = st.fractions(0, 1)
COUNTS = st.none() | st.integers(0, 10**6)
ROWS = st.lists(st.text("#.12F*?a", min_size=3, max_size=3), min_size=2, max_size=2).map(tuple)
REQUESTS = st.one_of(
    st.sampled_from(["ping", "stop", "quit"]),
    st.builds(Greeting, st.integers(1, 9)),
    st.builds(SetOption, WORDS, WORDS),
    st.builds(Changes, st.lists(st.tuples(CELLS, st.sampled_from("#.1F*")), max_size=4).map(tuple)),
    st.builds(Go, COUNTS, COUNTS),
    st.sampled_from([Query("risks"), Query("analysis")]),
    st.builds(Query, st.just("explain"), CELLS),
)
LIMITS = st.none() | WORDS
OPTIONS = st.builds(Option, WORDS, st.sampled_from(["text", "integer"]), WORDS, LIMITS, LIMITS, st.just(("a", "b")))
ANSWERS = st.builds(
    EngineAnswer,
    safe=LISTS,
    mines=LISTS,
    opens=st.none() | LISTS,
    flags=LISTS,
    guess=CELLS,
    risk=st.none() | RISKS,
    wins=st.none() | RISKS,
    why=st.dictionaries(CELLS, st.builds(Why, LISTS, WORDS), max_size=2),
    risks=st.dictionaries(CELLS, RISKS, max_size=3),
    analysis=st.none() | st.just('{"worlds": "12"}'),
    because=st.lists(WORDS, max_size=2).map(tuple),
)
REPLIES = st.one_of(
    st.just("pong"),
    st.builds(Info, WORDS),
    st.builds(Trouble, WORDS),
    ANSWERS,
    st.builds(
        Identity,
        name=WORDS,
        version=WORDS,
        author=WORDS,
        options=st.lists(OPTIONS, max_size=2).map(tuple),
        can=st.frozensets(st.sampled_from(ABILITIES)),
    ),
)


def requests_of(form: Form, text: str) -> list[Request]:
    reader = form.request_reader()
    return [request for line in text.splitlines(keepends=True) for request in reader.read(line)]


def replies_of(form: Form, text: str) -> list[Reply]:
    reader = form.reply_reader()
    found = [reader.read(line) for line in text.splitlines(keepends=True)]
    return [reply for reply in found if reply is not None]


@every_form
def test_the_form_is_seen_in_a_line(form: Form) -> None:
    assert form_of(form.write_request(Greeting())) is form
    assert form_of(form.write_reply("pong")) is (JSON if form is JSON else TEXT)


def test_an_answer_comes_in_any_order_with_carriage_returns() -> None:
    text = "info thinking\r\nmine 0,1\r\n\r\nguess 1,1 .5\r\n  safe 2,2 \r\nmine 0,2\r\ndone\r\n"
    found = replies_of(TEXT, text)
    assert found == [
        Info("thinking"),
        EngineAnswer(safe=(Cell(2, 2),), mines=(Cell(0, 1), Cell(0, 2)), guess=Cell(1, 1), risk=Fraction(1, 2)),
    ]


def test_no_answer_is_carried_over() -> None:
    """What an error or a ``done`` ends is no part of the next answer."""
    assert replies_of(TEXT, "safe 0,0\nerror no\ndone\nsafe 1,1\ndone\ndone\n") == [
        Trouble("no"), EngineAnswer(), EngineAnswer(safe=(Cell(1, 1),)), EngineAnswer(),
    ]  # fmt: skip


def test_open_without_cells_opens_none() -> None:
    (found,) = replies_of(TEXT, "safe 0,0\nopen\ndone\n")
    assert isinstance(found, EngineAnswer) and found.opens == ()


def test_unknown_abilities_are_left_out() -> None:
    (found,) = replies_of(TEXT, "name A\nversion 1\ncan fly sound\numi 1\n")
    assert isinstance(found, Identity) and found.can == {"sound"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("xyzzy 1", "expected a line of the protocol, found the line 'xyzzy 1'"),
        ("safe 1,2 3", "expected a cell as ROW,COLUMN, found '3' in the line 'safe 1,2 3'"),
        ("safe -1,2", "found '-1,2' in the line"),
        ("safe \u0661,2", "expected a cell"),
        ("mine 12345678,1", "expected a cell"),
        ("guess 1,1 1.5", "expected a probability from 0 to 1 as 0.25 or 1/4, found '1.5'"),
        ("guess 1,1 1/0", "expected a probability"),
        ("guess 1,1 nan", "expected a probability"),
        ("guess", "expected one `guess CELL [PROBABILITY]`, found the line 'guess'"),
        ("risk 1,1", "expected a probability"),
        ("why 1,1", "expected `why CELL from CELL ... by RULE`"),
        ("option depth", "expected `option NAME TYPE default VALUE`"),
        ("umi 2", "expected `umi 1`, found the line 'umi 2'"),
        ("umi 1", "expected a handshake with the engine's name, found none"),
        ('{"done": true}', "expected a line of the protocol"),
        ("safe \x1b[31m", r"found '\x1b[31m' in the line 'safe \x1b[31m'"),
        (f"xyzzy {'x' * 10**6}", f"found the line 'xyzzy {'x' * 94}...'"),
    ],
)
def test_wrong_replies_in_text(line: str, message: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        TEXT.reply_reader().read(f"{line}\n")
    assert message in str(caught.value) and len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("pong", "expected a JSON object, found the line 'pong'"),
        ("[1]", "expected a JSON object"),
        ("[" * 10**5, "expected a JSON object"),
        ('{"done": true, "safe": [[1]]}', "expected the fields of the protocol, found the line"),
        ('{"done": true, "safe": [[1, -1]]}', "expected whole numbers, at least 0, found the line"),
        ('{"done": true, "safe": [[1, true]]}', "expected whole numbers"),
        ('{"done": true, "guess": [0, 0], "risk": 2}', "expected a probability"),
        ('{"done": true, "guess": [0, 0], "risk": NaN}', "expected a probability"),
        ('{"done": true, "why": [[0, 0]]}', "expected the fields"),
        ('{"umi": 2, "name": "a", "version": "b"}', "expected version 1"),
        ('{"hello": 1}', "expected a reply of the protocol"),
    ],
)
def test_wrong_replies_in_json(line: str, message: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        JSON.reply_reader().read(f"{line}\n")
    assert message in str(caught.value) and len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "line",
    ["xyzzy", "board", "go fast", "go move", "go move x", "game 3 3", "game 0 3 1", "game 9999 9999 1", "game 2 2 5",
     "set 1,1", "set 1,1=ab", "explain", "explain x", "option depth", "umi x", "ping 1"],
)  # fmt: skip
def test_wrong_requests_in_text(line: str) -> None:
    with pytest.raises(ProtocolError):
        requests_of(TEXT, f"{line}\nping\n")


def test_a_request_after_an_error_is_read() -> None:
    reader = TEXT.request_reader()
    with pytest.raises(ProtocolError):
        list(reader.read("nonsense\n"))
    assert list(reader.read("ping\n")) == ["ping"]


@pytest.mark.parametrize(
    "fields",
    [{"set": [[1, 1]]}, {"set": [["a", 1, "1"]]}, {"game": {"rows": 3}}, {"go": {"move": "x"}}, {"board": [1]}, {},
     {"game": {"rows": 10**9, "cols": 9}}, {"explain": 3}, {"option": "a"}, {"umi": "x"}],
    ids=json.dumps,
)  # fmt: skip
def test_wrong_requests_in_json(fields: object) -> None:
    with pytest.raises(ProtocolError):
        list(JSON.request_reader().read(json.dumps(fields)))


def test_parts() -> None:
    assert cell_of("2,1") == Cell(2, 1)
    assert [probability_of(text) for text in ("0", "1", ".5", "1e-3", "2/6")] == [
        0, 1, Fraction(1, 2), Fraction(1, 1000), Fraction(1, 3),
    ]  # fmt: skip


@every_form
@given(request=REQUESTS)
def test_requests_survive(form: Form, request: Request) -> None:
    assert requests_of(form, form.write_request(request)) == [request]


@every_form
@given(rows=ROWS, mines=COUNTS.filter(lambda mines: mines is None or mines <= 6), seed=st.integers(0, 2**32))
def test_games_and_positions_survive(form: Form, rows: tuple[str, ...], mines: int | None, seed: int) -> None:
    game = NewGame(2, 3, mines, {"topology": "offsets 0,1 1,2", "first": "zero"}, seed)
    sent = form.write_request(game) + form.write_request(FullPosition(rows)) + form.write_request(Go())
    assert requests_of(form, sent) == [game, FullPosition(rows), Go()]


@every_form
@given(reply=REPLIES)
def test_replies_survive(form: Form, reply: Reply) -> None:
    assert replies_of(form, form.write_reply(reply)) == [reply]

"""Messages survive their text, and nonsense is refused with its line."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from satsweep.board import Cell
from satsweep.umi.protocol import lines, messages
from satsweep.umi.protocol.messages import EngineAnswer, Info, Trouble

CELLS = st.builds(Cell, st.integers(0, 99), st.integers(0, 99))
LISTS = st.lists(CELLS, max_size=4).map(tuple)
WORDS = st.text("abcXYZ-1.", min_size=1, max_size=6)
LIMITS = st.none() | WORDS
TYPES = st.sampled_from(messages.OPTION_TYPES)
NAMES = st.sampled_from(["min", "max", "among", "default", "a"])
"""Names of choices, among them those of the parts of an option."""
OPTIONS = st.builds(messages.Option, WORDS, TYPES, WORDS, LIMITS, LIMITS, st.just(("a", "b"))) | st.builds(
    messages.Option,
    WORDS,
    st.just("choice"),
    NAMES,
    st.none(),
    st.none(),
    st.lists(NAMES, min_size=1, max_size=4).map(tuple),
)
RISKS = st.fractions(0, 1)
COUNTS = st.none() | st.integers(0, 10**6)
GAMES = st.builds(
    messages.NewGame,
    st.just(2),
    st.just(3),
    st.none() | st.integers(0, 6),
    st.just({"topology": "offsets 0,1 1,2", "first": "zero"}),
    st.integers(0, 2**32),
)
ROWS = st.tuples(*[st.text("#.12F*?a", min_size=3, max_size=3)] * 2)
REQUESTS = st.one_of(
    st.sampled_from(["ping", "stop", "quit"]),
    st.builds(messages.Greeting, st.integers(1, 9)),
    st.builds(messages.SetOption, WORDS, WORDS),
    st.builds(messages.Changes, st.lists(st.tuples(CELLS, st.sampled_from("#.1F*")), max_size=4).map(tuple)),
    st.builds(messages.Go, COUNTS, COUNTS),
    st.sampled_from([messages.Query("risks"), messages.Query("analysis")]),
    st.builds(messages.Query, st.just("explain"), CELLS),
)
ANSWERS = st.builds(
    EngineAnswer,
    safe=LISTS,
    mines=LISTS,
    opens=st.none() | LISTS,
    flags=LISTS,
    guess=CELLS,
    risk=st.none() | RISKS,
    wins=st.none() | RISKS,
    why=st.dictionaries(CELLS, st.builds(messages.Why, LISTS, WORDS), max_size=2),
    risks=st.dictionaries(CELLS, RISKS, max_size=3),
    analysis=st.none() | st.just('{"worlds": "12"}'),
    because=st.lists(WORDS, max_size=2).map(tuple),
)
IDENTITIES = st.builds(
    messages.Identity,
    name=WORDS,
    version=WORDS,
    author=WORDS,
    options=st.lists(OPTIONS, max_size=2).map(tuple),
    can=st.frozensets(st.sampled_from(messages.ABILITIES)),
)
REPLIES = st.just("pong") | st.builds(Info, WORDS) | st.builds(Trouble, WORDS) | ANSWERS | IDENTITIES


def requests_of(text: str) -> list[messages.Request]:
    reader = lines.RequestReader()
    return [request for line in text.splitlines(keepends=True) for request in reader.read(line)]


def replies_of(text: str) -> list[messages.Reply]:
    reader = lines.ReplyReader()
    return [reply for line in text.splitlines(keepends=True) if (reply := reader.read(line)) is not None]


@given(st.lists(REQUESTS, max_size=3), GAMES, ROWS)
def test_requests_survive(requests: list[messages.Request], game: messages.NewGame, rows: tuple[str, str]) -> None:
    sent = [*requests, game, messages.FullPosition(rows), *requests]
    assert requests_of("".join(map(lines.write_request, sent))) == sent


@given(st.lists(REPLIES, min_size=1, max_size=3))
def test_replies_survive(replies: list[messages.Reply]) -> None:
    assert replies_of("".join(map(lines.write_reply, replies))) == replies


CELL = EngineAnswer(safe=(Cell(1, 1),))
REPLIES_IN_TEXT = {
    "info thinking\r\nmine 0,1\r\n\r\nguess 1,1 .5\r\n  safe 2,2 \r\nmine 0,2\r\ndone\r\n": [
        Info("thinking"),
        EngineAnswer((Cell(2, 2),), (Cell(0, 1), Cell(0, 2)), guess=Cell(1, 1), risk=Fraction(1, 2)),
    ],
    # What an error or a `done` ends is no part of the next answer.
    "safe 0,0\nerror no\ndone\nsafe 1,1\ndone\ndone\n": [Trouble("no"), EngineAnswer(), CELL, EngineAnswer()],
    "safe 1,1\nopen\ndone\n": [EngineAnswer(CELL.safe, opens=())],
    "name A\nversion 1\ncan fly sound\numi 1\n": [messages.Identity("A", "1", can=frozenset({"sound"}))],
}


@pytest.mark.parametrize("text", REPLIES_IN_TEXT)
def test_text_as_engines_may_write_it(text: str) -> None:
    assert replies_of(text) == REPLIES_IN_TEXT[text]


def test_probabilities() -> None:
    found = [messages.probability_of(text) for text in ("0", "1", ".5", "1e-3", "2/6")]
    assert found == [0, 1, Fraction(1, 2), Fraction(1, 1000), Fraction(1, 3)]

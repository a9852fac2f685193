"""Reviews of mutated games: a review whose parts add up, or one clear error."""

from random import Random

import pytest

from satsweep import BoardError
from satsweep.assessment.collection import summary_of
from satsweep.assessment.review import review
from satsweep.formats import read_game_content
from satsweep.render.review_json import moves_to_csv, review_to_json
from satsweep.render.review_text import review_to_text
from tests.formats.test_formats_games import FILES, TEXTS, mutated

CONTENTS = {name: text.encode() for name, text in TEXTS.items()}


def is_reviewed(content: bytes) -> bool:
    """Review a game in every form; False if the content is refused in one line."""
    try:
        record = read_game_content(content)
    except BoardError as error:
        assert len(str(error).splitlines()) == 1
        return False
    found = review(record, kernels=False)
    if found.start is not None:
        assert found.start + (found.skill or 0) + (found.luck or 0) == found.end
    assert summary_of(found).moves <= len(found.moves)
    assert review_to_json(found, "game") and "".join(moves_to_csv(found, "game"))
    assert "".join(review_to_text(found, "game"))
    return True


def altered(content: bytes, rng: Random) -> bytes:
    """Content in which one or two bytes are other ones of it; any bytes, cut or extended, now and then."""
    if rng.random() < 0.3:
        return mutated(content, rng)
    changed = bytearray(content)
    for _ in range(rng.randint(1, 2)):
        changed[rng.randrange(len(changed))] = rng.choice(content)
    return bytes(changed)


def reviewed(content: bytes, numbers: range) -> int:
    return sum(is_reviewed(altered(content, Random(number))) for number in numbers)


@pytest.mark.parametrize("name", CONTENTS)
def test_mutated_texts(name: str) -> None:
    assert is_reviewed(CONTENTS[name])
    assert 0 < reviewed(CONTENTS[name], range(60)) < 60


@pytest.mark.extended
@pytest.mark.parametrize("name", CONTENTS)
def test_many_mutated_texts(name: str) -> None:
    assert reviewed(CONTENTS[name], range(1_000, 1_400)) > 0


@pytest.mark.parametrize("name", FILES)
def test_mutated_replays(name: str) -> None:
    pytest.importorskip("ms_toollib")
    assert is_reviewed(FILES[name])
    reviewed(FILES[name], range(3))


@pytest.mark.extended
@pytest.mark.parametrize("name", FILES)
def test_many_mutated_replays(name: str) -> None:
    pytest.importorskip("ms_toollib")
    assert reviewed(FILES[name], range(100, 140)) > 0

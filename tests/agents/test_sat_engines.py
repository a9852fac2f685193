"""``sat`` plays the same games whichever engine counts: PySAT, CP-SAT, elimination, compiled kernels."""

import pytest

from satsweep import agent_named, play, random_layout
from satsweep.games.deal import LEVELS, game_rng

OTHERS = ("sat", "cpsat", "elimination", "auto")


@pytest.mark.parametrize(
    ("level", "games"),
    [
        ("beginner", range(20)),
        pytest.param("beginner", range(20, 600), marks=pytest.mark.slow),
        pytest.param("intermediate", range(300), marks=pytest.mark.slow),
        pytest.param("expert", range(100), marks=pytest.mark.slow),
    ],
)
def test_every_engine_plays_the_same_games(level: str, games: range) -> None:
    for game in games:
        moves = []
        for engine in ("compiled", *OTHERS):
            rng = game_rng("engines", game)
            layout = random_layout(*LEVELS[level], rng)
            moves.append(play(layout, agent_named(f"sat:{engine}"), rng=rng).moves)
        assert all(others == moves[0] for others in moves[1:]), (level, game)

"""Door to OpenEnv: games and questions in text behind its server.

Needs: pip install 'openenv>=0.10'

``python examples/doors/openenv_server.py`` serves them. An action is a reply, as text. Options of an episode go to
``reset``: ``task`` (``game`` or one of ``TASKS``) and those of ``TextGame`` or ``deal``::

    client.reset(seed=7, task="game", board="beginner", reward="regret")
    client.step({"reply": "open 0 0"})
"""

from __future__ import annotations

from random import Random
from typing import Any

from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State

from satsweep.learn.envs.tasks import TextTask, deal
from satsweep.learn.envs.text_game import TextGame

MOST_SESSIONS = 64
"""Most clients at a time."""


class Reply(Action):
    """Reply of a model; the last answer in it counts."""

    reply: str


class Prompt(Observation):
    """Text for a model to answer; ``metrics`` are empty until the episode is over."""

    text: str
    metrics: dict[str, float] = {}


class MinesweeperTextEnvironment(Environment[Reply, Prompt, State]):
    """Episodes of text tasks: many turns for ``game``, one for a question."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._episode: TextGame | TextTask | None = None
        self._state = State()

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, task: str = "game", **options: Any
    ) -> Prompt:
        """Begin the episode of a seed, else a random one; ValueError for wrong options."""
        seed = Random().getrandbits(32) if seed is None else seed
        try:
            self._episode = TextGame(seed=seed, **options) if task == "game" else deal(task, seed, **options)
        except TypeError as error:
            raise ValueError(f"expected options of the task {task}: {error}") from None
        self._state = State(episode_id=episode_id, task=task, seed=seed, **options)
        return Prompt(text=self._episode.prompt)

    def step(self, action: Reply, timeout_s: float | None = None, **_: Any) -> Prompt:
        """Take a reply. Raises ValueError before the first episode and once it is over."""
        episode, self._state.step_count = self._episode, self._state.step_count + 1
        if episode is None:
            raise ValueError("expected reset() before a reply")
        if isinstance(episode, TextTask):
            self._episode = None
            score = episode.score(action.reply)
            return Prompt(text=score.remark, reward=float(score.reward), done=True, metrics=dict(score.metrics))
        turn = episode.step(action.reply)
        metrics = dict(episode.score.metrics) if turn.done else {}
        return Prompt(text=turn.text, reward=float(turn.reward), done=turn.done, metrics=metrics)

    @property
    def state(self) -> State:
        """Options of the episode and its turns; nothing of the layout."""
        return self._state


app = create_fastapi_app(MinesweeperTextEnvironment, Reply, Prompt, max_concurrent_envs=MOST_SESSIONS)
"""The server, for ``uvicorn openenv_server:app`` in this folder."""

if __name__ == "__main__":
    import uvicorn

    uvicorn.run(app, host="127.0.0.1", port=8000)

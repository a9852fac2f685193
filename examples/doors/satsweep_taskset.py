"""Door to verifiers: games and questions in text as a taskset and environment.

Needs: pip install 'verifiers>=0.4,<0.5'

It is written for ``verifiers.v1``, which finds tasks by the name of a module without a dot::

    PYTHONPATH=examples/doors vf-eval satsweep-taskset --env.taskset.kind deduce --env.taskset.board beginner

The environment plays the user of the seat ``player``: a question takes one turn, a game as many as it needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import verifiers.v1 as vf

from satsweep.learn.envs.tasks import TextTask, deal
from satsweep.learn.envs.text_game import TextGame

__all__ = ["VerifiersEnv", "VerifiersTaskset"]


class VerifiersConfig(vf.TasksetConfig):
    """Options: the kind of task, the seed, and those of ``deal`` or ``TextGame``."""

    kind: str = "game"
    seed: int = 0
    board: str = "beginner"
    observation: str = "grid"
    needs: str | None = None
    tells_total: bool = True
    reward: str = "regret"
    no_guess: bool = False

    def begin(self, number: int) -> TextGame | TextTask:
        """Begin the game or the question of a number."""
        seed, names = f"{self.seed}/{number}", ("board", "observation", "tells_total", "reward")
        options: dict[str, Any] = {name: getattr(self, name) for name in names}
        if self.kind == "game":
            return TextGame(seed=seed, no_guess=self.no_guess, **options)
        return deal(self.kind, seed, needs=self.needs, **options)


class VerifiersData(vf.TaskData):
    """Options and number of a task, from which it is begun again where it is played."""

    options: VerifiersConfig
    number: int


class VerifiersTask(vf.Task[VerifiersData]):
    """A task; its environment scores it."""


class VerifiersTaskset(vf.Taskset[VerifiersTask, VerifiersConfig]):
    """Tasks without end, dealt by number."""

    INFINITE = True

    def load(self) -> Iterator[VerifiersTask]:
        """Yield the tasks in order."""
        for number in count():
            prompt = self.config.begin(number).prompt
            data = VerifiersData(name=f"{self.config.kind}#{number}", prompt=prompt, options=self.config, number=number)
            yield VerifiersTask(data, self.config.task)


class VerifiersEnvConfig(vf.EnvConfig):
    """The seat of the model: a chat without tools, on this machine."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class VerifiersEnv(vf.Env[VerifiersEnvConfig]):
    """Environment that plays the user, and records reward and metrics."""

    async def run(self, task: VerifiersTask, agents: vf.Agents) -> None:
        """Play a task. A game whose player yields no more replies is given up."""
        episode = task.data.options.begin(task.data.number)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            if isinstance(episode, TextTask):
                score = episode.score(segment.last_reply)
            else:
                while not segment.terminated and not (turn := episode.step(segment.last_reply)).done:
                    segment = await interaction.turn(turn.text)
                if not episode.over:
                    episode.give_up()
                score = episode.score
        interaction.trace.record_reward("knowledge", float(score.reward))
        interaction.trace.record_metrics({name: value for name, value in score.metrics.items() if name != "reward"})

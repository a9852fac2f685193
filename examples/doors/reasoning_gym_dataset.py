"""Door to reasoning-gym: questions about one position as a procedural dataset.

Needs: pip install 'reasoning-gym>=0.1.25', and a C compiler for it (``pycosat`` has no wheels).

Importing this module registers the dataset ``minesweeper``::

    import reasoning_gym
    import reasoning_gym_dataset

    questions = reasoning_gym.create_dataset("minesweeper", task="deduce", board="beginner", size=10, seed=42)

The text of an answer may stand alone, as it is taken out of ``<answer>``. Scores are those of
``satsweep.learn.envs.tasks``, 0 at least.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reasoning_gym.factory import ProceduralDataset, register_dataset

from satsweep.board import Board, Cell
from satsweep.games.deal import dimensions_named
from satsweep.learn.envs.metrics import NEEDS
from satsweep.learn.envs.tasks import NO_CELL, TASKS, TextTask, deal
from satsweep.learn.envs.text import OBSERVATIONS

NAME = "minesweeper"


@dataclass
class ReasoningGymConfig:
    """Options of the dataset: those of ``deal``, a seed, the number of questions."""

    task: str = "deduce"
    board: str = "beginner"
    observation: str = "grid"
    needs: str | None = None
    tells_total: bool = True
    reward: str = "regret"
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raise ValueError for an option that is none."""
        dimensions_named(self.board)
        for option, known in (("task", TASKS), ("observation", OBSERVATIONS), ("needs", (None, *NEEDS))):
            if getattr(self, option) not in known:
                names = ", ".join(map(str, known))
                raise ValueError(f"expected {option} among {names}, found {getattr(self, option)!r:.40}")


class ReasoningGymDataset(ProceduralDataset):
    """Questions by number; the seed of each is that of the dataset with its number."""

    def __init__(self, config: ReasoningGymConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Return the question of a number, its answer, and the position it is about."""
        own: ReasoningGymConfig = self.config
        options = {name: getattr(own, name) for name in ("board", "observation", "needs", "tells_total", "reward")}
        task = deal(own.task, f"{self.seed}/{idx}", **options)
        position = {"task": own.task, "position": str(task.board), "cell": list(task.cell), "reward": own.reward}
        source = {"source_dataset": NAME, "source_index": idx, **position, "needs": task.needs}
        return {"question": task.prompt, "answer": task.answer, "metadata": {**source, "difficulty": options}}

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Return the reward of an answer to an entry, 0 at least."""
        if not isinstance(answer, str):
            return 0.0
        about = entry["metadata"]
        cell = Cell.of(about["cell"])
        position = Board.from_text(about["position"])
        task = TextTask(about["task"], position, cell=NO_CELL if cell.row < 0 else cell, reward=about["reward"])
        return max(0.0, float(task.score(f"<answer>{answer}</answer>").reward))


register_dataset(NAME, ReasoningGymDataset, ReasoningGymConfig)

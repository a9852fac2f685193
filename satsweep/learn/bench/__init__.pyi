"""Names of ``satsweep.learn.bench``: tasks, models, answers, scores."""

from .answers import Answers as Answers, ask as ask
from .maker import make_tasks as make_tasks
from .models import PLAYERS as PLAYERS, ChatModel as ChatModel, CommandModel as CommandModel, model_named as model_named
from .scores import ModelScores as ModelScores, TaskScore as TaskScore, score as score
from .tasks import BenchTask as BenchTask, Episode as Episode, TaskSet as TaskSet, frozen_tasks as frozen_tasks
from .variants import SYMMETRIES as SYMMETRIES, Variant as Variant

__all__: list[str]

"""Door to OpenEnv: episodes through its server and its client, and its own check of servers."""

import socket
from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest

from satsweep.learn.envs.tasks import deal
from satsweep.learn.envs.text_game import TextGame

pytest.importorskip("openenv", reason="openenv is not installed")

import uvicorn  # noqa: E402
from openenv import GenericEnvClient  # noqa: E402
from openenv.cli._validation import validate_running_environment  # noqa: E402
from openenv_server import MinesweeperTextEnvironment, Reply, app  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Address of a server of this machine, which ends with the tests."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started and thread.is_alive():
            thread.join(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


def test_a_scripted_model_plays_through_the_server(address: str) -> None:
    """The same texts and rewards as the game itself, in two sessions at once."""
    with GenericEnvClient(base_url=address).sync() as one, GenericEnvClient(base_url=address).sync() as other:
        options: dict[str, Any] = {"board": "5x5/5", "observation": "constraints", "reward": "credit", "no_guess": True}
        game, rewards = TextGame(seed=3, **options), 0.0
        assert one.reset(seed=3, **options).observation["text"] == game.prompt
        other.reset(seed=4, **options)
        while not game.over:
            said = game.answer
            result, turn = one.step({"reply": f"I open it: {said}"}), game.step(f"I open it: {said}")
            assert (result.observation["text"], result.done) == (turn.text, turn.done)
            rewards += result.reward
        assert rewards == pytest.approx(1) and result.observation["metrics"] == dict(game.score.metrics)
        assert not other.step({"reply": "no idea"}).done and other.state()["step_count"] == 1
        assert one.state()["board"] == "5x5/5" and "*" not in str(one.state())


def test_a_question_is_an_episode_of_one_turn(address: str) -> None:
    with GenericEnvClient(base_url=address).sync() as client:
        task = deal("risk", 5, board="4x4/4")
        assert client.reset(seed=5, task="risk", board="4x4/4").observation["text"] == task.prompt
        result = client.step({"reply": task.answer})
        assert result.done and result.reward == 1.0 and result.observation["metrics"]["turns"] == 1.0


def test_the_server_is_as_openenv_asks(address: str) -> None:
    report = validate_running_environment(address)
    assert report["passed"], report["summary"]


def test_wrong_options_and_replies_out_of_turn() -> None:
    environment = MinesweeperTextEnvironment()
    with pytest.raises(ValueError, match=r"expected reset\(\) before a reply"):
        environment.step(Reply(reply="open 0 0"))
    with pytest.raises(ValueError, match="expected options of the task game: .*'level'"):
        environment.reset(level="beginner")
    with pytest.raises(ValueError, match="expected a task among"):
        environment.reset(task="guess")
    assert environment.reset().text != environment.reset().text  # seeds of its own

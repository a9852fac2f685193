"""Door to verifiers: episodes in its own machinery, played by a scripted model on this machine.

The harness calls the model as any harness does: through the interception server of verifiers, which asks the model's
server. Both are on this machine.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import ModuleType
from typing import Any

import pytest

from satsweep.board import Board
from satsweep.learn.envs.metrics import METRICS
from satsweep.learn.envs.tasks import TextTask, deal

pytest.importorskip("verifiers", reason="verifiers is not installed")

import httpx  # noqa: E402
import verifiers.v1 as vf  # noqa: E402
from satsweep_taskset import VerifiersEnvConfig  # noqa: E402
from verifiers.v1.dialects.chat import message_to_wire  # noqa: E402
from verifiers.v1.utils.loaders import load_environment  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
Script = Callable[[str], str]
"""A model: its reply to the last message of a chat."""


class Model(BaseHTTPRequestHandler):
    """Server of chat completions by a script."""

    script: Script

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        message = {"role": "assistant", "content": type(self).script(asked["messages"][-1]["content"])}
        answer = {
            "id": "1", "object": "chat.completion", "created": 0, "model": "scripted",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }  # fmt: skip
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


class ChatHarness(vf.Harness[vf.HarnessConfig]):
    """A chat without tools, like ``null``, which needs a network for its first start."""

    APPENDS_SYSTEM_PROMPT = SUPPORTS_RESUME = True
    EXECUTES_CODE = NEEDS_CONTAINER = False

    async def launch(
        self, ctx: Any, trace: Any, runtime: Any, endpoint: str, secret: str, mcp_urls: Any, data: Any
    ) -> Any:
        _, prompt = self.resolve_prompt(data)
        chat = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else list(map(message_to_wire, prompt))
        async with httpx.AsyncClient() as client:
            asked = {"model": ctx.model, "messages": chat}
            answer = await client.post(
                f"{endpoint}/chat/completions", json=asked, headers={"authorization": f"Bearer {secret}"}
            )
            answer.raise_for_status()
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list[tuple[float, dict[str, float]]]]]:
    """Play the first tasks of a taskset by a script: reward and metrics of each."""
    harness = ModuleType("chat_harness")
    vars(harness).update(ChatHarness=ChatHarness, __all__=["ChatHarness"])
    monkeypatch.setitem(sys.modules, "chat_harness", harness)
    monkeypatch.setenv("SCRIPTED_KEY", "none")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    thread = Thread(target=server.serve_forever)
    thread.start()

    async def episodes(script: Script, count: int, player: dict[str, Any], options: dict[str, Any]) -> list[Any]:
        Model.script = staticmethod(script)
        seat = {"harness": {"id": "chat_harness"}, "runtime": {"type": "subprocess"}, **player}
        env = load_environment(VerifiersEnvConfig(taskset={"id": "satsweep-taskset", **options}, player=seat))
        client = vf.EvalClientConfig(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key_var="SCRIPTED_KEY")
        context = vf.ModelContext(model="scripted", client=client)
        async with env.serving():
            return [await env.run_episode(task, context) for task in env.taskset.take(count)]

    def played(
        script: Script, count: int = 2, player: dict[str, Any] | None = None, **options: Any
    ) -> list[tuple[float, dict[str, float]]]:
        found = []
        for episode in asyncio.run(episodes(script, count, player or {}, options)):
            assert not episode.errors and len(episode.traces) == 1
            (trace,) = episode.traces
            found.append((trace.rewards["knowledge"].score, trace.metrics))
        return found

    yield played
    server.shutdown()
    thread.join()
    server.server_close()


def best_move(text: str) -> str:
    """The best move of a text with a grid."""
    size, _, *rows = text.split("\n\n")[1].split("\n")
    board = Board(["".join(row.split()[1:]) for row in rows], mines=int(size.rsplit(" ", 1)[1]))
    return f"I see. {TextTask('move', board).answer}"


Play = Callable[..., list[tuple[float, dict[str, float]]]]


def test_games_by_a_scripted_model(play: Play) -> None:
    found = play(best_move, board="5x5/5", reward="credit", no_guess=True)
    assert [reward for reward, _ in found] == pytest.approx([1, 1])
    assert all(metrics["win"] == 1 and set(METRICS) - {"reward"} <= set(metrics) for _, metrics in found)


def test_a_game_that_is_cut_short_is_given_up(play: Play) -> None:
    ((reward, metrics),) = play(best_move, 1, {"max_turns": 1}, board="6x6/7")
    assert reward == -1 and metrics["win"] == 0


@pytest.mark.parametrize("kind", ["deduce", "why"])
def test_questions_take_one_turn(play: Play, kind: str) -> None:
    tasks = [deal(kind, f"9/{number}", board="5x5/5") for number in range(2)]
    answers = {task.prompt: task.answer for task in tasks}
    found = play(lambda text: answers[text], kind=kind, board="5x5/5", seed=9)
    assert [reward for reward, _ in found] == [1, 1]
    assert [play(lambda _: "no idea", 1, kind=kind, board="5x5/5")[0][0]] == [-0.1]


def test_numbers_of_tasks_are_their_seeds(play: Play) -> None:
    prompts: list[str] = []

    def give_up(text: str) -> str:
        prompts.append(text)
        return "done"

    assert [reward for reward, _ in play(give_up, 2, board="5x5/5")] == [-1, -1]
    assert len(set(prompts)) == 2

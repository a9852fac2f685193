"""A program of somebody else that uses every exported name: type checkers read it, and it runs."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import satsweep
from satsweep import (
    AGENTS,
    FORMATS,
    Agent,
    AgentError,
    Board,
    BoardError,
    BoardSpec,
    Budget,
    BudgetExceeded,
    Cell,
    Clues,
    Contradiction,
    Deduction,
    Game,
    Guess,
    ImpossibleSpec,
    Inference,
    KernelError,
    Layout,
    Record,
    Rules,
    SatsweepError,
    Statement,
    Topology,
    agent_named,
    agents,
    analyse,
    analysis,
    arena,
    assessment,
    audit,
    clicks,
    compare,
    conflict,
    explain,
    fewest_clicks,
    find_world,
    formats,
    games,
    generate,
    generator,
    learn,
    oracle,
    play,
    proofs,
    questions,
    random_layout,
    random_world,
    rate,
    read_picture,
    render,
    review,
    risks,
    solve_statements,
    solver,
    umi,
    why,
)

TEXT = "mines 3\n##1.\n##21\n####"


def positions(board: Board) -> None:
    found = assert_type(analyse(board, budget=Budget(seconds=5)), analysis.Analysis)
    assert_type(found.risk(Cell(0, 0)), Fraction)
    assert_type(found.safe, tuple[Cell, ...])
    assert_type(risks([board]), list[NDArray[np.float64]])
    assert_type(find_world(board), Layout | None)
    assert_type(random_world(board, rng=Random(1)), Layout | None)
    advice: analysis.MoveAdvice | None = None
    candidates: list[analysis.Candidate | analysis.UnavoidableGuess] = []
    assert advice is None and not candidates
    named = assert_type(solve_statements([Statement(1, ["a", "b"])]), questions.NamedCellsAnalysis)
    assert named.worlds
    assert_type(questions.graph_statements([("a", "b")], {"a": 1}), list[Statement])
    assert_type(solver.frontier(board), solver.Frontier)
    graph: object = solver.frontier_graph(solver.frontier(board))
    meter: solver.Meter | None = None
    assert graph and meter is None
    for text in (render.to_text(found), render.to_json(found), render.to_svg(found), render.to_colour(found)):
        assert_type(text, Iterator[str])


def reasons(board: Board) -> None:
    found = assert_type(explain(board, (2, 1)), why.Explanation | why.Undecided)
    assert isinstance(found, why.Explanation) and why.argument_in_words(found)
    assert_type(conflict(board), why.Conflict | None)
    corrections: list[why.Correction] = []
    with why.Explainer(board) as explainer:
        assert explainer and not corrections
    assert why.explain is explain and why.conflict is conflict
    made: list[proofs.Certificate | proofs.GuessProof | proofs.Trace] = []
    assert not made


def played(layout: Layout) -> Record:
    agent = assert_type(agent_named("basic"), Agent)
    mine = Agent(lambda board: Deduction(why={}), lambda board, rng: Guess(next(iter(board.covered))))
    assert agent.deduce is not mine.deduce and Inference("single point").clues == () and "sat" in AGENTS
    assert "sat" in agents.AGENTS and umi.__doc__
    record = assert_type(play(layout, "sat", Rules(clues=Clues())), Record)
    game = Game(layout, games.STANDARD_RULES)
    assert game.layout == layout and games.FIND_MINES_RULES.goal in games.Goal
    measures: games.GameMeasures = record.measures
    move: games.Move = record.moves[0]
    kinds: tuple[games.Action, games.Outcome] = (move.action, record.outcome)
    reason: games.MoveReason | None = None
    lie: games.Lie | None = None
    assert measures.guesses >= 0 and kinds and reason is None and lie is None
    assert games.Setting(5, 5, 4).rows == 5 and games.Redraw.NEVER and games.FirstClick.SAFE
    assert_type(games.game_rng(0, 1), Random)
    return record


def judged(record: Record, board: Board, folder: Path) -> None:
    rated = assert_type(rate(record.layout, (0, 0)), assessment.Rating)
    reviewed = assert_type(review(record, kernels=False), assessment.Review)
    moves: tuple[assessment.ReviewedMove, ...] = reviewed.moves
    first: assessment.FirstGuess | None = None
    judgement: assessment.Judgement | None = None
    names: tuple[type[assessment.MoveClass], type[assessment.Technique]] = (assessment.MoveClass, assessment.Technique)
    assert rated and moves and first is None and judgement is None and names
    audited = assert_type(audit("basic", [board]), oracle.Audit)
    assert_type(oracle.audit_games("basic", [record.layout]), oracle.Audit)
    assert_type(oracle.lessons_of(audited), tuple[oracle.Lesson, ...])
    faults: list[oracle.Failure | oracle.Missed | oracle.MissedCell | oracle.Unsound | oracle.WrongRisk] = []
    assert not faults
    with ThreadPoolExecutor(1) as one:
        report = assert_type(compare(["basic"], "5x5/3", games=1, workers=one), arena.Report)
        plan = arena.Plan(("basic",), (arena.Setting(5, 5, 3),), games=1)
        with arena.Store(folder / "runs.db") as store:
            assert_type(arena.run_plan(plan, one, store), arena.Report)
    assert report.rows() and arena.compare is compare and arena.plan_names()
    assert_type(arena.plan_named("default"), arena.Plan)
    others: list[Callable[..., object]] = [
        arena.cluster,
        arena.merge,
        arena.processes,
        arena.read_plan,
        arena.report_on,
    ]
    values: list[arena.Figure | arena.Result | arena.RunProgress] = []
    workers: arena.Workers | None = None
    assert others and not values and workers is None


def made(layout: Layout) -> None:
    board = assert_type(next(generate(BoardSpec(5, 5, 4), seed=1)), generator.GeneratedBoard)
    names: tuple[type[generator.Difficulty], type[generator.GenerationMethod]] = (
        generator.Difficulty, generator.GenerationMethod,
    )  # fmt: skip
    assert board.layout.mines == 4 and names
    found = assert_type(fewest_clicks(layout), clicks.FewestClicks)
    kind: clicks.ClickKind = found.path[0].kind
    path: tuple[clicks.Click, ...] = found.path
    assert kind and path
    assert_type(clicks.certify_clicks(found), proofs.ClicksProof)
    assert_type(clicks.certify_sweep(found), proofs.SweepProof)
    assert_type(next(clicks.bounds(layout)), clicks.FewestClicks)
    assert_type(clicks.game_clicks(play(layout, "basic")), clicks.GameClicks | None)
    mouse: list[clicks.GameClick] = []
    assert not mouse and learn.bench and learn.corpus and learn.envs


def files(board: Board, record: Record, folder: Path) -> None:
    board_file, game_file = folder / "board.txt", folder / "game.json"
    board.save(board_file)
    record.save(game_file)
    assert_type(Board.load(board_file), Board)
    assert_type(formats.load(Record, game_file), Record)
    value: formats.Value = formats.read(board_file)
    content: list[formats.FileContent] = []
    assert value == board and not content
    assert_type(formats.read_board_or_statements(board_file), Board | formats.StatementSet)
    assert_type(formats.read_boards(board_file), list[Board])
    assert_type(formats.read_games(game_file), list[Record])
    assert_type(formats.read_game_content(game_file.read_bytes()), Record)
    assert_type(formats.read_text(board_file), str)
    assert_type(formats.format_of_suffix(game_file), str | None)
    assert formats.read_board_content(board_file.read_bytes()) == formats.read_board_with_remarks(board_file)
    assert formats.read_content(board_file.read_bytes())[1] == formats.read_with_remarks(board_file)[0]
    known: dict[str, formats.Format[Any]] = formats.all_formats()
    assert formats.format_named("json") in known.values() and len(formats.FORMATS) == len(FORMATS)
    assert formats.BINARY_FORMATS and formats.MAX_BYTES > 0
    record.layout.save(folder / "layout.json")
    assert formats.read_layouts(folder / "layout.json") and formats.read_layouts_with_starts(folder / "layout.json")
    formats.write(board, folder / "again.txt", format="text")
    others = (formats.errors_in_file, formats.read_replay, read_picture)
    replay: formats.Replay | formats.Reading | None = None
    assert others and replay is None


def errors() -> None:
    kinds: tuple[type[SatsweepError], ...] = (
        AgentError, BoardError, BudgetExceeded, Contradiction, ImpossibleSpec, KernelError,
    )  # fmt: skip
    try:
        Board("mines 3\n##x")
    except kinds as error:
        assert str(error)
    try:
        Topology("torus of nobody", ())
    except ValueError as error:
        assert str(error)


def main() -> None:
    board, layout = Board(TEXT), random_layout("5x5/3", seed=1, start=(0, 0))
    with TemporaryDirectory() as name:
        folder = Path(name)
        positions(board)
        reasons(board)
        record = played(layout)
        judged(record, board, folder)
        made(layout)
        files(board, record, folder)
        errors()
    print(satsweep.__version__)


if __name__ == "__main__":
    main()

"""Solution of a board, stage by stage or by the compiled twin of the stages.

The twin counts the components of a whole board at once; what follows is the same for both (``probability``), so both
give the same odds and the same worlds. It neither explains contradictions nor tells the stages apart: the path of the
stages answers then.
"""

from dataclasses import replace

from satsweep.board import MINE, Board
from satsweep.errors import Contradiction
from satsweep.solver import compiled
from satsweep.solver.budget import UNLIMITED, Budget
from satsweep.solver.constraints import cell_constraints, covered_cells
from satsweep.solver.pipeline import ComponentCache, Solution, Stopwatch, odds_of, solve
from satsweep.solver.probability import CountedFrontier, Prior


def solve_position(
    board: Board, *, engine: str = "auto", budget: Budget = UNLIMITED, cache: ComponentCache | None = None
) -> Solution:
    """Solve a board by the compiled twin if that may answer, else by the stages.

    ``auto`` asks the twin first, unless there is a cache. Raises Contradiction with the cells to blame.
    """
    auto = engine == "auto" and cache is None
    if budget.states is None and (engine == compiled.NAME or (auto and compiled.is_preferred())):
        found = solve_by_twin(board, budget)
        if found is not None:
            return found
    return solve_by_stages(board, engine=engine, budget=budget, cache=cache)


def solve_by_stages(
    board: Board, *, engine: str = "auto", budget: Budget = UNLIMITED, cache: ComponentCache | None = None
) -> Solution:
    """Solve a board stage by stage. Raises Contradiction with the cells to blame.

    The unseen cells around a part take part in all stages; the verdict is about the others.
    """
    try:
        found = solve(
            cell_constraints(board), covered_cells(board), prior_of(board), engine=engine, budget=budget, cache=cache
        )
    except Contradiction as error:
        raise _on_board(error, board) from None
    return replace(found, verdict=found.verdict.below(len(board.symbols))) if board.part else found


def solve_by_twin(board: Board, budget: Budget = UNLIMITED) -> Solution | None:
    """Solve a board with counts of the compiled twin; None where it has no answer.

    Components that are too much for it are counted by the stages.
    """
    clock = Stopwatch()
    found = compiled.count_board(board, prior_of(board))
    if found is not None and found.left:
        found = _completed(found, budget)
    if found is None:
        return None
    clock.stop("count")
    verdict = odds_of(found.counted)
    if not verdict.is_possible:
        return None
    clock.stop("combine")
    return Solution(verdict.with_settled(found.safe, found.mines), found.counted, clock.seconds, None)


def _completed(found: compiled.BoardCounts, budget: Budget) -> compiled.BoardCounts | None:
    """The counts with those of the components that are left; None if these fail."""
    cells = sorted({cell for constraint in found.left for cell in constraint.cells})
    try:
        solution = solve(found.left, cells, Prior(), budget=budget)
    except Contradiction:
        return None
    rest, known = solution.counted, found.counted
    if not rest.complete:
        return None
    undecided = {cell for group in rest.frontier.groups for cell in group}.union(rest.frontier.sea)
    safe, mines = (
        (*before, *(cell for cell in more if cell not in undecided))
        for before, more in ((found.safe, solution.safe), (found.mines, solution.mines))
    )
    shift = len(known.frontier.groups)
    parts = (replace(part, groups=tuple(group + shift for group in part.groups)) for part in rest.parts)
    sea = (*known.frontier.sea, *rest.frontier.sea)
    frontier = replace(known.frontier, groups=known.frontier.groups + rest.frontier.groups, sea=sea)
    certain = len(mines), len(safe)
    both = CountedFrontier(frontier, (*known.parts, *parts), known.counts + rest.counts, certain, known.prior)
    return compiled.BoardCounts(safe, mines, both)


def prior_of(board: Board) -> Prior:
    """The prior on covered cells; the total of a larger board bounds that of a part."""
    mines = None if board.mines is None else board.mines - board.symbols.count(MINE)
    return Prior(mines, board.density, at_most=board.mines is not None and bool(board.part))


def _on_board(error: Contradiction, board: Board) -> Contradiction:
    """The same contradiction with its clues as cells, named if the total is innocent."""
    from satsweep.sentence import Sentence, joined, named

    cells = [board.cell(clue) for clue in error.clues if isinstance(clue, int)]
    numbers = joined((Sentence(f"{board.number(cell)} at ", named(cell)) for cell in cells[:12]), ", ")
    more = f" and {len(cells) - 12} more" if len(cells) > 12 else ""
    message = str(error) if error.total else Sentence(f"{error}: ", numbers, more)
    return Contradiction(message, clues=cells, total=error.total)

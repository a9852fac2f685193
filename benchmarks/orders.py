"""States of elimination orders: row-major, one greedy sweep, beam search.

    python benchmarks/orders.py --corpus benchmarks/data/positions_extreme.jsonl

The component is the largest of each position, after propagation and backbone. States are those of the compiled circuit,
dead ones included, since they have to be built; ``over`` means more than the limit. Seconds are those of the search.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

from satsweep import Board, Budget, BudgetExceeded
from satsweep.solver.components import Component, components as split
from satsweep.solver.constraints import frontier
from satsweep.solver.engines.circuit import Structure, compile_circuit
from satsweep.solver.engines.order import ROUNDS, elimination_order
from satsweep.solver.pipeline import ComponentCache, prove_forced
from satsweep.solver.propagate import propagate

ORDERS: dict[str, Callable[[Structure], tuple[int, ...]]] = {
    "row-major": lambda structure: tuple(range(len(structure.constraints_on))),
    "greedy": lambda structure: elimination_order(structure, Budget().meter(), ((1, 1),)).groups,
    "beam": lambda structure: elimination_order(structure, Budget().meter(), ROUNDS).groups,
}


def largest(board: Board) -> Component | None:
    settled = propagate(frontier(board))
    parts = prove_forced(settled, split(settled.frontier), ComponentCache()).parts
    return max((part.component for part in parts), key=lambda component: len(component.sizes), default=None)


def built(structure: Structure, order: tuple[int, ...], limit: int) -> int | None:
    meter = Budget(states=limit).meter()
    try:
        compile_circuit(structure, order, meter)
    except BudgetExceeded:
        return None
    return meter.spent


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--corpus", type=Path, nargs="+", required=True, help="JSON lines with board and mines")
    options.add_argument("--limit", type=int, default=3_000_000, help="states")
    options.add_argument("--least", type=int, default=100, help="leave out components of fewer groups")
    chosen = options.parse_args()
    for corpus in chosen.corpus:
        for position in map(json.loads, corpus.read_text().splitlines()):
            component = largest(Board(position["board"], mines=position["mines"]))
            if component is None or len(component.sizes) < chosen.least:
                continue
            structure = Structure.of(component)
            line = f"{position['id']:32} {len(component.sizes):5} groups"
            for name, order in ORDERS.items():
                start = time.perf_counter()
                groups = order(structure)
                seconds = time.perf_counter() - start
                states = built(structure, groups, chosen.limit)
                line += f"  {name} {'over' if states is None else f'{states:,}'} ({seconds:.2f} s)"
            print(line, flush=True)


if __name__ == "__main__":
    main()

"""Time and memory of each engine for all risks, beside a compiled peer.

    python benchmarks/engines.py --corpus tests/data/positions_expert.jsonl
    python benchmarks/engines.py --corpus benchmarks/data/positions_extreme.jsonl --engine auto --seconds 60 --each

Each pair of a position and an engine has its own process, forked after the imports, with limits on time and memory.
The peer is ms_toollib (compiled, float64); where it is installed, its risks are compared with ours. A time is the
median of up to seven runs of ``analyse(board).risks``, or of the peer's one call.
"""

import argparse
import json
import multiprocessing
import resource
import statistics
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import networkx  # noqa: F401  imported before any clock starts
import ortools.sat.python.cp_model  # noqa: F401
import pysat.solvers  # noqa: F401

from satsweep import Board, analyse

PEER = "ms_toollib"
RUNS, LONG = 7, 0.2


def ours(board: Board, engine: str) -> tuple[list[list[float | None]], dict[str, Any]]:
    analysis = analyse(board, engine=engine)
    risks = [[None if risk is None else float(risk) for risk in row] for row in analysis.risks]
    work = analysis.work
    return risks, {
        "engines": sorted({part.engine for part in work}),
        "components": len(work),
        "states": sum(part.states for part in work),
        "placements": sum(part.placements for part in work),
        "width": max((part.width for part in work), default=0),
        "worlds_bits": (analysis.worlds or 0).bit_length(),
    }


def peer(board: Board, engine: str) -> tuple[list[list[float | None]], dict[str, Any]]:
    import ms_toollib

    assert board.mines is not None, "the peer needs the mine total"
    shown = [[10 if symbol in "#F" else int(symbol.replace(".", "0")) for symbol in row] for row in board.cells]
    risks = ms_toollib.cal_probability_onboard(shown, board.mines)[0]
    return [
        [risk if board.is_covered((row, col)) else None for col, risk in enumerate(line)]
        for row, line in enumerate(risks)
    ], {}


def measure(board: Board, engine: str, answer: Connection) -> None:
    """Send times, peak memory, work and risks, or the failure; runs in a child."""
    solve: Callable[[Board, str], tuple[list[list[float | None]], dict[str, Any]]] = peer if engine == PEER else ours
    times: list[float] = []
    try:
        while len(times) < RUNS and (not times or times[0] < LONG):
            start = time.perf_counter()
            risks, work = solve(board, engine)
            times.append(time.perf_counter() - start)
    except MemoryError:
        answer.send({"outcome": "out of memory"})
    except Exception as error:
        answer.send({"outcome": f"{type(error).__name__}: {str(error)[:60]}"})
    else:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        answer.send({"outcome": "exact", "seconds": statistics.median(times), "peak_mb": peak, "risks": risks, **work})


def run(board: Board, engine: str, seconds: float, memory: float) -> dict[str, Any]:
    """Measure in a child process, which is killed at the time limit."""
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)

    def child() -> None:
        limit = int(memory * 2**30)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        measure(board, engine, send)

    process = context.Process(target=child)
    process.start()
    send.close()
    try:
        result = receive.recv() if receive.poll(seconds) else {"outcome": f"over {seconds:g} s"}
    except EOFError:
        result = {"outcome": "killed"}
    process.kill()
    process.join()
    return result


def difference(left: dict[str, Any], right: dict[str, Any]) -> float:
    """Greatest difference between two tables of risks."""
    pairs = (
        (a, b)
        for rows in zip(left["risks"], right["risks"], strict=True)
        for a, b in zip(*rows, strict=True)
        if a is not None
    )
    return max((abs(a - b) for a, b in pairs), default=0.0)


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def summary(engine: str, results: list[dict[str, Any]]) -> str:
    exact = [result for result in results if result["outcome"] == "exact"]
    line = f"{engine:12} {len(exact):4} of {len(results)}"
    if exact:
        times = [1000 * result["seconds"] for result in exact]
        parts = (("median", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0))
        line += "  ms: " + "  ".join(f"{name} {quantile(times, share):.3f}" for name, share in parts)
        line += f"  peak MB {max(result['peak_mb'] for result in exact):.0f}"
    return line


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--corpus", type=Path, nargs="+", required=True, help="JSON lines with board and mines")
    options.add_argument("--engine", nargs="+", default=["auto", "elimination", "sat", "cpsat", PEER])
    options.add_argument("--seconds", type=float, default=10.0, help="limit for one position and engine")
    options.add_argument("--memory", type=float, default=4.0, help="limit in GiB of address space")
    options.add_argument("--each", action="store_true", help="print every position")
    options.add_argument("--limit", type=int, help="the first positions of a corpus only")
    options.add_argument("--json", type=Path, help="write all results but the risks")
    chosen = options.parse_args()
    record = []
    for corpus in chosen.corpus:
        positions = [json.loads(line) for line in corpus.read_text().splitlines()][: chosen.limit]
        results: dict[str, list[dict[str, Any]]] = {engine: [] for engine in chosen.engine}
        differences = []
        for position in positions:
            board = Board(position["board"], mines=position["mines"])
            for engine in chosen.engine:
                result = run(board, engine, chosen.seconds, chosen.memory)
                results[engine].append(result)
                shown = {key: value for key, value in result.items() if key != "risks"}
                record.append({"corpus": corpus.name, "id": position["id"], "engine": engine, **shown})
                if chosen.each:
                    print(f"{position['id']:32} {engine:12}", *(f"{k}={v:.6g}" if isinstance(v, float) else f"{k}={v}"
                          for k, v in shown.items()), flush=True)  # fmt: skip
            done = [results[engine][-1] for engine in chosen.engine if results[engine][-1]["outcome"] == "exact"]
            differences += [difference(done[0], other) for other in done[1:]]
        print(f"\n{corpus.name}, {len(positions)} positions")
        for engine in chosen.engine:
            print(summary(engine, results[engine]))
        if differences:
            print(f"greatest difference between two engines, as floats: {max(differences):.1e}")
    if chosen.json:
        chosen.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()

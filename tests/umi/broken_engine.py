"""An exact engine that passes for a good one, but for the fault that its argument names."""

import re
import sys
import time
from fractions import Fraction

from satsweep.umi.server import Server

FAULT = sys.argv[-1]
SIZES_OF_TESTS = 64
"""Most cells of the boards on which a careless author tries an engine."""
IGNORED = {"ignores clue models": "rule clues ", "plays each torus as a square": "rule topology torus"}
"""Starts of lines that the engine does not heed."""


class BrokenEngine:
    """An engine that answers lines as ``satsweep umi`` does, but for its fault."""

    def __init__(self) -> None:
        self._server = Server()
        self._heedless = Server()
        self._cells = self._moves = 0

    def answer(self, line: str) -> str:
        """Return what to write after a line."""
        kind, *words = line.split() or [""]
        if kind == "option" and FAULT == "exits on unknown options":
            sys.exit(1)
        if kind == "rule" and FAULT == "plays by unknown rules":
            return ""
        reply = self._server.answer(line)
        if FAULT in IGNORED:
            heedless = "" if line.startswith(IGNORED[FAULT]) else self._heedless.answer(line)
            return reply if "error" in heedless else heedless
        match kind:
            case "umi" if FAULT == "ignores `stop`":
                return reply.replace("can ", "can stop ")
            case "game":
                self._cells, self._moves = int(words[0]) * int(words[1]), 0
            case "go":
                self._moves += 1
                return self._move(reply)
            case _:
                return self._other(kind, reply)
        return reply

    def _risks(self) -> dict[str, Fraction]:
        pairs = re.findall(r"(\d+,\d+)=(\S+)", self._server.answer("risks\n"))
        return {cell: Fraction(risk) for cell, risk in pairs}

    def _move(self, reply: str) -> str:
        large = self._cells > SIZES_OF_TESTS
        if FAULT == "writes `info` after `done`":
            return f"{reply}info that was easy\n"
        if FAULT == "is sure to win":
            return re.sub(r"(?m)^(guess .*)$", r"\1\nwins 1", reply)
        if FAULT == "ignores `stop`" and self._cells > 1000:
            time.sleep(25)
        if FAULT == "states risk 1/2 with guesses":
            return re.sub(r"(?m)^(guess \S+).*$", r"\1 1/2", reply)
        if FAULT == "claims what is likely on large boards" and large:
            likely = [cell for cell, risk in self._risks().items() if Fraction(9, 10) < risk < 1]
            return reply.replace("done\n", f"mine {' '.join(likely)}\ndone\n") if likely else reply
        if FAULT == "claims no mines late" and self._moves > 25:
            unsure = {cell: risk for cell, risk in self._risks().items() if risk < 1}
            if "guess" not in reply and "safe" not in reply and unsure:
                return f"guess {min(unsure, key=unsure.__getitem__)}\ndone\n"
            return re.sub(r"(?m)^(mine|why) .*\n", "", reply)
        return reply

    def _other(self, kind: str, reply: str) -> str:
        large = self._cells > SIZES_OF_TESTS
        if kind == "analysis" and FAULT == "counts -7 worlds":
            return re.sub(r'"worlds": "\d+"', '"worlds": "-7"', reply)
        if kind == "explain" and FAULT == "explains by the moon":
            return "because of the moon\ndone\n"
        if kind == "risks" and FAULT == "states risk 1/2 on large boards" and large:
            return re.sub(r"=\S+", "=1/2", reply)
        return reply


def main() -> None:
    engine = BrokenEngine()
    for line in sys.stdin:
        if line.strip() == "quit":
            return
        print(end=engine.answer(line), flush=True)


if __name__ == "__main__":
    main()

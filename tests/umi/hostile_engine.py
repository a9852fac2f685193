"""An engine that plays well in its first game, and in the second at its second move does what its argument names."""

import os
import re
import signal
import subprocess
import sys
import time

DEED = "".join(sys.argv[1:])
MOVE = "guess {}\ndone"


def say(text: str) -> None:
    print(text, flush=True)


def do(cells: list[str]) -> str:
    """The deed; its answer, if it comes to that."""
    match DEED:
        case "sleeps":
            time.sleep(1000)
        case "sleeps_deaf":
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            time.sleep(1000)
        case "spins":
            while True:
                pass
        case "exits":
            sys.exit(7)
        case "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        case "closes":
            os.close(1)
            time.sleep(1000)
        case "leaves_a_child":
            # It holds the output open, in a session of its own.
            subprocess.Popen(["sleep", "1"], start_new_session=True)
            os._exit(3)
        case "floods":
            while True:
                say("info " + "x" * 10_000)
        case "floods_one_line":
            while True:
                sys.stdout.write("x" * 10_000)
        case "eats_memory":
            eaten = []
            while True:
                eaten.append(bytearray(1 << 24))
        case "babbles":
            return "what now?"
        case "writes_bytes":
            os.write(1, b"\xff\xfe\x00\x1b[31m\n")
            return "done"
        case "names_a_strange_cell":
            return "safe 77,77\ndone"
        case "names_an_open_cell":
            return f"guess {cells[-1]}\ndone"
        case "contradicts_itself":
            return f"safe {cells[0]}\nmine {cells[0]}\ndone"
        case "lies":
            return f"safe {' '.join(cells[:-1])}\ndone"
        case "lies_about_mines":
            return f"mine {' '.join(cells[:-1])}\ndone"
        case "complains":
            return "error no more"
        case "answers_pong":
            return "pong"
    return ""


def main() -> None:
    games = moves = rows = 0
    covered: list[str] = []
    for line in sys.stdin:
        words = line.split()
        match words:
            case ["umi", _]:
                say(f"name {DEED}\nversion 2.5\numi 1")
            case ["ping"]:
                say("pong")
            case ["game", height, *_]:
                rows, games, moves = int(height), games + 1, 0
            case ["board"]:
                board = [sys.stdin.readline() for _ in range(rows)]
                places = [(r, found.start()) for r, line in enumerate(board) for found in re.finditer("#", line)]
                opened = [(r, found.start()) for r, line in enumerate(board) for found in re.finditer(r"[.1-8]", line)]
                covered = [f"{r},{c}" for r, c in places]
                strange = [f"{r},{c}" for r, c in opened] or ["0,0"]
            case ["go", *_]:
                moves += 1
                odd = do([*covered, strange[0]]) if (moves == 2 and games == 1) else ""
                say(odd or MOVE.format(covered[0]))


if __name__ == "__main__":
    main()

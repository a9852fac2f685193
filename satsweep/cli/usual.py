"""Table of the usual commands, options and agents, named first everywhere.

All others work as well; ``satsweep help all``, ``--help-all`` and ``satsweep agents --all`` show them.
"""

MOST_OPTIONS = 8
"""Options of a command that ``--help`` shows at most."""
USUAL_COMMANDS = (
    *("solve", "explain", "rate", "clicks"),
    *("play", "serve", "generate"),
    *("review", "audit", "report", "compare"),
    "bench",
)
"""Commands on the first screen."""
USUAL_OPTIONS = {
    "satsweep": ("version",),
    "solve": ("format", "output", "mines", "part", "explain", "exact", "deep", "certify"),
    "rate": ("start", "quick", "budget", "clicks", "format", "exact", "output", "proof"),
    "clicks": ("start", "board", "no-flags", "certify", "seconds", "format", "output", "animation"),
    "play": ("agent", "interactive", "board", "layout", "seed", "first", "start", "replay"),
    "find-mines": ("agent", "board", "rows", "cols", "mines", "start", "seed", "format"),
    "chains": ("agent", "board", "layout", "record", "seed", "start", "format", "plot"),
    "generate": ("board", "start", "no-guess", "solvable-by", "count", "seed", "format", "output"),
    "review": ("format", "output", "moves", "history", "keep", "mode", "exact", "clicks"),
    "audit": ("agent", "games", "board", "layout", "position", "seed", "format", "missed"),
    "report": ("agent", "output", "games", "board", "first", "seed", "jobs", "store"),
    "compare": ("agents", "board", "games", "seconds", "seed", "sprt", "store", "html"),
    "results": ("run", "sprt", "format", "csv", "html", "plot", "measure", "against"),
    "bench": ("model", "url", "task", "count", "seed", "prompts", "html", "format"),
}
"""Usual options of the commands that have more than eight."""
USUAL_AGENTS = ("random", "basic", "tank", "gem", "sat", "deep")
"""Agents that ``satsweep agents`` lists: from the floor to the strongest."""

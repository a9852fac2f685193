"""Commands that play the games of a ladder's board again."""

import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from satsweep.agents import AGENTS
from satsweep.arena.ladder import LadderLine, LadderSection
from satsweep.cli.game_options import rule_options
from satsweep.games.rules import RULES, STANDARD_RULES
from satsweep.games.setting import Setting, shared_rules


def commands(section: LadderSection) -> list[str]:
    """Commands that play the games of a section again, one for each seed.

    There is none for given layouts, nor where ``compare`` would open a first cell that these rules leave open.
    """
    if section.layouts or section.setting.rules.start is None and not _made_without_start(section.lines):
        return []
    found: defaultdict[tuple[str, int], list[LadderLine]] = defaultdict(list)
    for line in section.lines:
        found[line.seed, line.plays].append(line)
    return [" ".join(map(shlex.quote, _command(section.setting, lines))) for lines in found.values()]


def _made_without_start(lines: Iterable[LadderLine]) -> bool:
    """True if all engines were made for the same other rules, without a first cell."""
    entries = [AGENTS.get(line.engine.partition(":")[0]) for line in lines]
    rules = shared_rules((entry.rules if entry else STANDARD_RULES for entry in entries), STANDARD_RULES)
    return rules != STANDARD_RULES and rules.start is None


def _command(setting: Setting, lines: Sequence[LadderLine]) -> Iterator[str]:
    yield from ("satsweep", "compare", "--agents", ",".join(dict.fromkeys(line.engine for line in lines)))
    yield from ("--board", f"{setting.rows}x{setting.cols}/{setting.mines}")
    if setting.topology.name != "square":
        yield from ("--topology", setting.topology.name)
    for name, rule in RULES.items():
        value = getattr(setting.rules, name)
        if value != getattr(STANDARD_RULES, name) or not (name == "clues" or rule.younger):
            yield from rule_options(name, value)
    plays = lines[0].plays
    yield from ("--plays", str(plays)) if plays > 1 else ()
    yield from ("--games", str(max(line.games for line in lines)), "--seed", lines[0].seed, "--store", "mine.sqlite")

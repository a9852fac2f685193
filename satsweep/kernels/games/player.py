"""Whole games: the same as ``satsweep.games.game.play`` with ``sat`` or ``deep``.

The games are the same move for move. The game knows where the mines are; the player's knowledge is in the position
alone. A turn decides all forced cells, flags the mines, and opens the safe cells. If there are none, ``deep`` is asked;
``sat`` opens a cell of least risk, among these one after which a safe cell follows most likely, among these one with
the most safe cells to be expected, and among these any.
"""

import numpy as np

from satsweep.kernels.games.python_random import KEYS, WORDS, below, can_seed_four, sample, seed, seed_four
from satsweep.kernels.lookahead.deep_player import ask_deep
from satsweep.kernels.lookahead.promise import most_promising
from satsweep.kernels.position.board import decide_cell, reset_board, show_number
from satsweep.kernels.position.entries import NEIGHBOURS
from satsweep.kernels.position.solver import deduce, set_table
from satsweep.kernels.position.weights import collect_components, least_risk, quotient, rate
from satsweep.kernels.shared.mathematics import ONE, bit, lowest_bit
from satsweep.kernels.shared.memory import CELLS, COVERED, FINE, MINE, NOTED, SAFE, SAME, Field
from satsweep.kernels.toolchain.calls import INT, RECORD, Array, Int
from satsweep.kernels.toolchain.marks import exported, kernel

ANY, SAFE_FIRST, ZERO_FIRST, GIVEN = 0, 1, 2, 3
"""Promise about the first cell: none, safe, no mine around (zero), or given."""

ON, CLEARED, EXPLODED, PLAYED_OUT, STUCK, BEYOND, NO_ROOM = range(7)
"""State of a game.

It goes on; it ended (cleared, exploded, played out, stuck); it is beyond the limits of the kernels; its layout has no
room for what is promised about the first cell.
"""
OUTCOMES = ("on", "cleared", "exploded", "played out", "stuck", "beyond", "no room")
"""Names of these states, by code.

Those of games that ended are in ``satsweep.games.record.Outcome``.
"""

START, DEDUCED, GUESSED = 0, 1, 2
"""Reason of a move."""
OPEN, FLAG = 0, 1
"""Action of a move."""
MEASURES = (
    "outcome", "won", "turns", "opened", "right", "wrong", "mines_hit", "guesses", "guesses_lost", "claims",
    "beyond_basic",
)  # fmt: skip
"""Measures of a game, as in ``compare``.

All but the outcome are 0 for a game that was not played.
"""
RESULT = np.dtype([(name, np.int32) for name in MEASURES])
"""Row of a game: its measures, int32 each."""
MINES, LAYOUTS = Int(0, most="cells"), Array("i1", "seeds? cells", holds=Int(0, most=1))
FIRST = Int(ANY, most=GIVEN)
"""Parameters: mines of a board; a layout for each seed, or none; a promise."""

FIELDS = (
    Field("mine", "i1", CELLS, "by cell: 1 for a mine"),
    Field("around", "i1", CELLS, "by cell: mines around it"),
    Field("random", "u4", WORDS + 1, "state of the random generator"),
    Field("seeded", "u4", (4, WORDS + 1), "states that were set side by side, of this game and the next ones"),
    Field("pool", "i4", CELLS, "scratch of ``sample``"),
    Field("chosen", "i4", CELLS, "sample that was drawn"),
    Field("wave", "i4", CELLS, "cells of a cascade; cells that something is drawn from"),
    Field("level", "i8", (), "1 if ``deep`` guesses, 0 if ``sat`` does; from Python"),
    Field("left_safe", "i8", (), "safe cells that are not open"),
    Field("unmarked", "i8", (), "cells that are neither open nor flagged"),
    Field("turns", "i8", (), "turns"),
    Field("opened", "i8", (), "cells that were opened"),
    Field("flags", "i8", (), "mines that were flagged"),
    Field("hits", "i8", (), "mines that were opened"),
    Field("guesses", "i8", (), "guesses"),
    Field("lost", "i8", (), "guesses that hit a mine"),
    Field("claims", "i8", (), "forced cells that were decided"),
    Field("beyond_basic", "i8", (), "claims that took more than single numbers"),
    Field("outcome", "i8", (), "state of the game"),
    Field("n_moves", "i8", (), "moves"),
    Field("moves", "i4", (CELLS, 4), "turn, action, cell and reason of each move"),
    Field("sorted", "i4", CELLS, "``found``, ascending"),
    Field("word", "u8", CELLS // 64 + 1, "cells as bits, 64 a word; 0 between calls of ``sort_found``"),
    Field("exact_value", "f8", (), "first chance to win that ``deep`` knew exactly, -1 for none"),
    Field("luck", "f8", (), "luck of the guesses of ``deep`` before that (``take_luck``)"),
    Field("n_chance", "i8", (), "length of ``chance``"),
    Field("chance", "f8", NOTED, "by guess of ``deep``: expected chance to win"),
)


@kernel
def draw_mines(w, mines):
    sample(w.random, w.cells, mines, w.chosen, w.pool)
    for cell in range(w.cells):
        w.mine[cell] = 0
    for place in range(mines):
        w.mine[w.chosen[place]] = 1


@kernel
def seed_game(w, keys, lengths, game):
    """Set the generator for a game, side by side with those of the next three."""
    place = game % 4
    if not can_seed_four(keys, game - place):
        seed(w.random, keys[game], lengths[game])
        return
    if place == 0:
        seed_four(w.seeded, np.int64(0), np.int64(1), np.int64(2), np.int64(3), keys, lengths, game)
    for word in range(WORDS + 1):
        w.random[word] = w.seeded[place, word]


@kernel
def take_game(w, mine, random):
    """Take over the mines of a game, and the state of its random generator."""
    for cell in range(w.cells):
        w.mine[cell] = mine[cell]
    for place in range(WORDS + 1):
        w.random[place] = random[place]


@kernel
def fill_numbers(w):
    for cell in range(w.cells):
        w.around[cell] = 0
    for cell in range(w.cells):
        if w.mine[cell]:
            for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
                other = np.int64(w.nb[place])
                w.around[other] += 1


@kernel
def keep_promise(w, cell, zero):
    """Move mines away from the first cell. Returns whether there is room."""
    stamp = w.stamp + 1
    w.stamp = stamp
    w.cell_mark[cell] = stamp
    free, moved = np.int64(0), np.int64(w.mine[cell])
    if zero:
        for place in range(w.nb_at[cell], w.nb_at[cell + 1]):
            other = np.int64(w.nb[place])
            w.cell_mark[other] = stamp
            moved += w.mine[other]
    if moved == 0:
        return True
    for other in range(w.cells):
        if w.cell_mark[other] != stamp and not w.mine[other]:
            w.wave[free] = other
            free += 1
    if free < moved:
        return False
    sample(w.random, free, moved, w.chosen, w.pool)
    for other in range(w.cells):
        if w.cell_mark[other] == stamp:
            w.mine[other] = 0
    for place in range(moved):
        w.mine[w.wave[w.chosen[place]]] = 1
    return True


@kernel
def draw_start(w):
    """Draw a start among the safe cells; -1 if there is none."""
    safe = np.int64(0)
    for cell in range(w.cells):
        if not w.mine[cell]:
            w.wave[safe] = cell
            safe += 1
    return np.int64(w.wave[below(w.random, safe)]) if safe else np.int64(-1)


@kernel
def place_mines(w, layouts, game, mines):
    """Put the mines of a given layout, or draw ``mines``. Returns how many there are."""
    if game >= layouts.shape[0]:
        draw_mines(w, mines)
        return mines
    count = np.int64(0)
    for cell in range(w.cells):
        w.mine[cell] = layouts[game, cell]
        count += w.mine[cell]
    return count


@kernel
def record_move(w, action, cell, reason):
    at = w.n_moves
    w.moves[at, 0], w.moves[at, 1], w.moves[at, 2], w.moves[at, 3] = w.turns, action, cell, reason
    w.n_moves = at + 1


@kernel
def open_cell(w, cell, cascade):
    """Open a cell and the cells of its cascade. Returns whether it is a mine."""
    w.unmarked -= 1
    if w.mine[cell]:
        decide_cell(w, cell, np.int64(1))
        w.hits += 1
        w.opened += 1
        return True
    show_number(w, cell, np.int64(w.around[cell]))
    opened = 1
    if cascade and w.around[cell] == 0:
        w.wave[0] = cell
        at = 0
        while at < opened:
            zero = np.int64(w.wave[at])
            at += 1
            if w.around[zero]:
                continue
            for place in range(w.nb_at[zero], w.nb_at[zero + 1]):
                other = np.int64(w.nb[place])
                if w.sym[other] == COVERED or w.sym[other] == SAFE:
                    show_number(w, other, np.int64(w.around[other]))
                    w.wave[opened] = other
                    opened += 1
    w.unmarked -= opened - 1
    w.left_safe -= opened
    w.opened += opened
    return False


@kernel
def outcome_after(w, exploded, fatal):
    if fatal:
        return EXPLODED if exploded else ON if w.left_safe else CLEARED
    if w.unmarked:
        return ON
    return PLAYED_OUT if w.left_safe or w.hits else CLEARED


@kernel
def sort_found(w):
    for at in range(w.n_found):
        cell = w.found[at]
        w.word[cell >> 6] |= bit(cell & 63)
    count = 0
    for at in range(w.cells // 64 + 1):
        rest = w.word[at]
        while rest:
            w.sorted[count] = 64 * at + lowest_bit(rest)
            count += 1
            rest &= rest - ONE
        w.word[at] = rest


@kernel
def play_found(w, cascade, fatal):
    sort_found(w)
    count = w.n_found
    for at in range(count):
        cell = np.int64(w.sorted[at])
        if w.sym[cell] == MINE:
            w.flags += 1
            w.unmarked -= 1
            w.claims += 1
            w.beyond_basic += w.beyond[cell]
            record_move(w, FLAG, cell, DEDUCED)
            w.outcome = outcome_after(w, False, fatal)
            if w.outcome != ON:
                return
    for at in range(count):
        cell = np.int64(w.sorted[at])
        if w.sym[cell] == SAFE:
            w.claims += 1
            w.beyond_basic += w.beyond[cell]
            open_cell(w, cell, cascade)
            record_move(w, OPEN, cell, DEDUCED)
            w.outcome = outcome_after(w, False, fatal)
            if w.outcome != ON:
                return


@kernel
def collect_safest(w):
    """Collect the cells of least risk, if below 1, in ``tied``. Needs ``rate``."""
    least = least_risk(w)
    count = 0
    if least < 1:
        limit = least * (1 + SAME)
        sea = w.sea > 0 and quotient(w.sea_mined, w.sea_clear) <= limit
        for cell in range(w.cells):
            if w.sym[cell] == COVERED:
                slot = w.cell_slot[cell]
                if (slot < 0 and sea) or (slot >= 0 and w.floats[w.at_risk[slot] + w.cell_group[cell]] <= limit):
                    w.tied[count] = cell
                    count += 1
    w.n_tied = count


@kernel
def choose_guess(w):
    """Return the cell to guess; -1 if there is none. Needs ``deduce`` to find nothing."""
    if w.level:
        ask_deep(w)
        if w.status != FINE:
            return np.int64(-1)
        if w.n_chance < NOTED:
            w.chance[w.n_chance] = w.value
            w.n_chance += 1
        if w.exact and w.exact_value < 0:
            w.exact_value = w.value
        return w.reply
    collect_components(w)
    rate(w)
    if w.status != FINE:
        return np.int64(-1)
    collect_safest(w)
    if w.n_tied > 1:
        most_promising(w)
    if w.n_tied == 0 or w.status != FINE:
        return np.int64(-1)
    return np.int64(w.tied[below(w.random, w.n_tied)])


@kernel
def take_luck(w, hit):
    """Add the luck of a guess of ``deep``, until it knows its chance to win exactly.

    A guess that wins with chance V and is safe with probability s has luck V / s - V if it is safe, else -V: nothing
    on average, for any V. The result of a game less its luck has therefore the same mean.
    """
    if w.exact_value < 0:
        w.luck += (0.0 if hit else w.value / (1 - w.risk)) - w.value


@kernel
def open_and_record(w, cell, first, cascade, fatal, reason):
    if w.promised:
        w.promised, w.risk = 0, 0.0
        if not keep_promise(w, cell, first == ZERO_FIRST):
            w.outcome = NO_ROOM
            return
        fill_numbers(w)
    hit = open_cell(w, cell, cascade)
    if reason == GUESSED:
        w.guesses += 1
        w.lost += 1 if hit else 0
        if w.level:
            take_luck(w, hit)
    record_move(w, OPEN, cell, reason)
    w.outcome = outcome_after(w, hit, fatal)


@kernel
def play_game(w, mines, first, start, cascade, fatal):
    cells = w.cells
    reset_board(w, cells, mines)
    w.turns, w.opened, w.flags, w.hits, w.guesses, w.lost, w.claims, w.beyond_basic = 0, 0, 0, 0, 0, 0, 0, 0
    w.n_moves, w.left_safe, w.unmarked = 0, cells - mines, cells
    w.fresh, w.n_chance, w.exact_value, w.luck = 1, 0, -1.0, 0.0
    w.promised = first if first in (SAFE_FIRST, ZERO_FIRST) else 0
    if w.promised and not w.left_safe:
        w.outcome = NO_ROOM
        return
    w.outcome = outcome_after(w, False, fatal)
    if not w.promised:
        fill_numbers(w)
    cell, reason = start, START
    while w.outcome == ON:
        if cell >= 0:
            open_and_record(w, cell, first, cascade, fatal, reason)
            cell = np.int64(-1)
            continue
        w.turns += 1
        deduce(w)
        if w.status != FINE:
            w.outcome = BEYOND
        elif w.n_found:
            if w.promised:  # cells forced before anything is open: there are no mines to be moved
                w.promised = 0
                fill_numbers(w)
            play_found(w, cascade, fatal)
        else:
            cell = choose_guess(w)
            reason = GUESSED
            if w.status != FINE:
                w.outcome = BEYOND
            elif cell < 0:
                w.outcome = STUCK
                w.turns -= 1


@exported(
    NEIGHBOURS, RECORD, *KEYS, LAYOUTS, Array("i8", "seeds", holds=Int(-1, below="cells")), MINES, FIRST, INT, INT,
    Array(RESULT, "seeds", written=True), Array("i4", "_ 4", written=True), Array("f8", "_ 2+", written=True),
    results=1,
)  # fmt: skip
def play_block(nb, w, keys, lengths, layouts, starts, mines, first, cascade, fatal, results, moves, estimates):
    """Play games one after the other. Returns how many moves the last one has.

    ``keys`` and ``lengths`` seed each game. ``layouts`` has a row for each game, or none; ``starts`` the first cell of
    each game, -1 if the player chooses. ``moves``, int32, shape (moves, 4), gets turn, action, cell and reason of the
    moves of the last game, as far as there are rows. ``estimates``, float64, gets for each game, as far as there are
    rows, the first chance to win that the deep player knew exactly, -1 for none; the luck of its guesses before that;
    then the chances to win that it expected, by guess in order.
    """
    set_table(w, nb)
    for game in range(keys.shape[0]):
        seed_game(w, keys, lengths, np.int64(game))
        there = place_mines(w, layouts, np.int64(game), mines)
        start = starts[game]
        if first == GIVEN and start < 0:
            start = draw_start(w)
        if first == GIVEN and start < 0:
            w.outcome = NO_ROOM
        else:
            play_game(w, there, first, start, cascade, fatal)
        result = results[game]
        result.outcome = w.outcome
        if w.outcome == NO_ROOM or w.outcome == BEYOND:
            continue
        if game < estimates.shape[0]:
            estimates[game, 0], estimates[game, 1] = w.exact_value, w.luck
            for at in range(min(w.n_chance, estimates.shape[1] - 2)):
                estimates[game, 2 + at] = w.chance[at]
        result.won = 1 if w.outcome == CLEARED else 0
        result.turns = w.turns
        result.opened = w.opened
        result.right = w.flags
        result.mines_hit = w.hits
        result.guesses = w.guesses
        result.guesses_lost = w.lost
        result.claims = w.claims
        result.beyond_basic = w.beyond_basic
    for move in range(min(w.n_moves, moves.shape[0])):
        for place in range(4):
            moves[move, place] = w.moves[move, place]
    return w.n_moves

/* The exact Minesweeper engine, from C: risks, reasons, counts of worlds, guesses, games, boards that need no guess.

   python -m satsweep.kernels prints the options of the compiler that find this header and the library.

   The caller gives all memory. A room is memory for one grid: satsweep_room() bytes that are all 0, as calloc gives
   them; most of them are never touched, and satsweep_begin looks at some of them only. Every call gets a room and works
   in it alone, so threads that have a room each need no lock. A room cannot be copied or moved. It is used for as many
   calls as one likes; satsweep_begin on it again changes the grid. Release the memory to end.

   Cells are numbered row by row from 0. Every function returns a code; what it writes means nothing unless that is
   SATSWEEP_FINE. All results are those of the Python package, bit for bit, on every platform.

   A number outside of its range is refused with SATSWEEP_ARGUMENT. So is a room that was not begun, and a null pointer,
   unless the function says that it may be null. With a star: what the pointer points to.

   rows, cols, cells, degree      1 to INT32_MAX; beyond 4,194,304 cells or 26 neighbours SATSWEEP_TOO_LARGE
   neighbours*                    -1 to cells - 1
   symbols*                       -3 to 26
   mines                          0 to INT32_MAX; more than cells are SATSWEEP_IMPOSSIBLE
   cell                           0 to cells - 1; covered
   level                          1 to 5; play, play_layout: 0 to 5
   first                          0 to 3
   start                          -1 to cells - 1; no_guess, no_guess_by: 0 to cells - 1
   number                         0 to INT64_MAX; no_guess_by: -1 to INT64_MAX
   technique                      0 to 2
   count, worlds, games           1 to INT32_MAX
   most                           0 to INT32_MAX
   candidate*                     0 to INT64_MAX - candidates
   candidates                     1 to INT64_MAX
   changes                        0 to INT64_MAX
   layout*                        0 to 1
   cells*                         0 to cells - 1; covered, not forced
   shown*                         0 to 26; also 255
   worlds*                        0 to worlds - 1; each more than the one before
   seed*                          at most 256 bytes
   bytes, size, deep, salt, zero  any */

#ifndef SATSWEEP_H
#define SATSWEEP_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(SATSWEEP_BUILD)
#define SATSWEEP_API __declspec(dllexport)
#elif defined(_WIN32)
#define SATSWEEP_API __declspec(dllimport)
#else
#define SATSWEEP_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Codes. */
enum {
    SATSWEEP_FINE = 0,
    SATSWEEP_TOO_LARGE = 1,   /* beyond the limits of the library; satsweep in Python may have an answer */
    SATSWEEP_IMPOSSIBLE = 2,  /* no world agrees with it */
    SATSWEEP_ARGUMENT = 3,    /* an argument is null or out of its range, or the room was not begun */
    SATSWEEP_TOO_SMALL = 4,   /* the memory given is too small */
    SATSWEEP_PROCESSOR = 5,   /* this processor lacks instructions that the library needs: x86-64-v2 (2009) */
    SATSWEEP_NOT_FOUND = 6,   /* none of the candidates needs no guess */
    SATSWEEP_FAILED = 7       /* never seen: an error of the library */
};

/* Symbols of cells besides the numbers from 0 on. */
enum {
    SATSWEEP_COVERED = -1,
    SATSWEEP_MINE = -2,  /* known to be a mine */
    SATSWEEP_SAFE = -3   /* open, its number unknown */
};

/* The code in words; never null. */
SATSWEEP_API const char *satsweep_message(int code);

/* Bytes of a room for everything, or (deep = 0) for everything but the deep player: for at most 10,240 cells. */
SATSWEEP_API size_t satsweep_room(int deep);

/* The same for larger grids, of which satsweep_risks is all there is: other functions say SATSWEEP_TOO_LARGE. There is
   room for smaller grids, too. 0 beyond the limits of cells and degree; degree is 8 for rows and columns. */
SATSWEEP_API size_t satsweep_room_of(int deep, int32_t cells, int32_t degree);

/* Make a room one for boards of rows and columns. bytes is its size; TOO_SMALL if they have more cells than that. */
SATSWEEP_API int satsweep_begin(void *room, size_t bytes, int32_t rows, int32_t cols);

/* The same for any other grid: neighbours has degree (1 to 26) numbers for each cell, its neighbours, then -1. Every
   cell is a neighbour of its neighbours. */
SATSWEEP_API int satsweep_begin_grid(
    void *room, size_t bytes, int32_t cells, int32_t degree, const int32_t *neighbours);

/* The risk of each covered cell, the probability of a mine: 0 or 1 only if that is certain. NaN for other cells.
   symbols and risks have a place for each cell; mines counts all mines of the board. It takes about a microsecond for
   each cell of a large grid. TOO_LARGE: some component is beyond the limits. */
SATSWEEP_API int satsweep_risks(void *room, const int8_t *symbols, int32_t mines, double *risks);

/* The number of worlds, the ways to place the mines that agree with the symbols: as the nearest double, infinity beyond
   1.8e308, and all its decimal digits, with a 0 byte behind them. size is that of digits; 3,100 always suffice.
   Either may be null. */
SATSWEEP_API int satsweep_worlds(
    void *room, const int8_t *symbols, int32_t mines, double *worlds, char *digits, size_t size);

/* Layouts that agree with the symbols, each drawn among all of them with equal chances: mined (`count` rows of a place for
   each cell) gets 1 for each mine. They depend on the symbols and on salt. */
SATSWEEP_API int satsweep_draw(
    void *room, const int8_t *symbols, int32_t mines, int64_t salt, int32_t count, int8_t *mined);

/* Kinds of reasons: the cell is safe, a mine, or either; numbers contradict each other, or all can be true. */
enum {
    SATSWEEP_IS_SAFE = 0, SATSWEEP_IS_MINE = 1, SATSWEEP_EITHER = 2, SATSWEEP_CONFLICT = 3, SATSWEEP_POSSIBLE = 4
};

/* Techniques of reasons, the easiest first: single numbers one after the other; pairs, too; several; the mine total. */
enum { SATSWEEP_BY_SINGLE = 0, SATSWEEP_BY_PAIR = 1, SATSWEEP_BY_SEVERAL = 2, SATSWEEP_BY_TOTAL = 3 };

/* A reason. total is 1 if the mine total is needed as well; smallest is 1 if no smaller set of numbers is a reason, 0 if
   the search did not answer that; clues says how many numbers there are. */
typedef struct {
    int32_t kind, technique, total, smallest, clues;
} satsweep_reason;

/* Why a covered cell is safe, or a mine: the smallest set of numbers that forces it, none of which can be left out; clues
   (a place for each cell) gets their cells, ascending. A cell that may be either has no clues but two worlds that agree
   with the symbols, one with a mine there, one without: layouts has two rows of a place for each cell, 1 for each mine.
   The work has a limit, counted in steps, that is met in about a second: TOO_LARGE. */
SATSWEEP_API int satsweep_explain(
    void *room, const int8_t *symbols, int32_t mines, int32_t cell, satsweep_reason *reason, int32_t *clues,
    int8_t *layouts);

/* The smallest set of numbers that cannot all be true; with total set, not together with the mine total, which is wrong
   by itself where there are no clues. The technique means nothing. The same limit. */
SATSWEEP_API int satsweep_conflict(
    void *room, const int8_t *symbols, int32_t mines, satsweep_reason *reason, int32_t *clues);

/* The best guess, where no cell has risk 0, and the chance to win with it. level is that of the deep player, 1 (fast)
   to 5 (strong). exact is 1 if the chance is that of best play to the end, 0 if it is an estimate. The cell is -1 if
   there is none to open: each covered cell is forced (see satsweep_risks), and the chance is 1. The work has limits,
   counted in steps: a board whose search takes too long, some ten seconds, is played by estimates, as larger ones. */
SATSWEEP_API int satsweep_guess(
    void *room, const int8_t *symbols, int32_t mines, int level, int32_t *cell, double *chance, int32_t *exact);

/* The candidates of the satsweep_guess before, if that was an estimate: cells, and how good each is; -1 for those that
   were not looked at, which cannot be better. At most `most` of them; with 0 cells and scores may be null. count says
   how many there are, 0 after an exact answer. They are there until an endgame is posed, cells are rolled out or a game
   is played. */
SATSWEEP_API int satsweep_candidates(void *room, int32_t *cells, double *scores, int32_t most, int32_t *count);

/* What cells are worth in worlds that are drawn as by satsweep_draw: each is opened in each world, and the deep player
   plays on, luck taken away, so that the mean over worlds is its chance to win. No cell of the position has risk 0, and
   none that is asked for risk 1. values has a row for each world and a place in it for each of `count` covered cells:
   -1 beyond the limits, one of which is the work of a roll-out, about 0.2 seconds. */
SATSWEEP_API int satsweep_roll_out(
    void *room, const int8_t *symbols, int32_t mines, int level, int64_t salt, const int32_t *cells, int32_t count,
    int32_t worlds, double *values);

/* Pose an endgame: shown has a row for each world and a place in it for each covered cell: the number that it shows
   there, 255 for a mine. It gets the worlds in the order of the room. The endgame is there until satsweep_guess,
   satsweep_roll_out or a game of the deep player takes its place. */
SATSWEEP_API int satsweep_endgame(void *room, uint8_t *shown, int32_t worlds, int32_t cells);

/* In how many of some worlds of the endgame best play wins. They are all worlds that agree with some cells, by their
   places in the order of the room, ascending. TOO_LARGE: the search takes too long, some ten seconds. */
SATSWEEP_API int satsweep_endgame_value(void *room, const int32_t *worlds, int32_t count, int32_t *value);

/* Promise about the first cell of a game: nothing; no mine; no mine around it either; a start that is given, or drawn
   among the cells without a mine. */
enum { SATSWEEP_ANY = 0, SATSWEEP_SAFE_FIRST = 1, SATSWEEP_ZERO_FIRST = 2, SATSWEEP_GIVEN = 3 };

/* End of a game. */
enum { SATSWEEP_CLEARED = 1, SATSWEEP_EXPLODED = 2, SATSWEEP_STUCK = 4 };

/* Measures of a game, as in `satsweep compare`, and the length of moves. */
typedef struct {
    int32_t outcome, won, turns, opened, right, wrong, mines_hit, guesses, guesses_lost, claims, beyond_basic, moves;
} satsweep_game;

/* Play game `number` of a run on a random layout. The run is named by a seed, a text of at most 256 bytes in UTF-8; the
   same seed and number give the same game. start is the first cell, or -1: the player chooses. level 0 is the player
   sat, 1 to 5 the deep player. mined (a place for each cell) gets 1 for each mine, moves four numbers for each move
   (turn; 0 open, 1 flag; cell; 0 start, 1 forced, 2 guess), at most `most` moves; game->moves says how many there were.
   mined and, with most = 0, moves may be null. IMPOSSIBLE: no layout keeps the promise. */
SATSWEEP_API int satsweep_play(
    void *room, int32_t mines, const char *seed, int64_t number, int first, int32_t start, int level,
    satsweep_game *game, int8_t *mined, int32_t *moves, int32_t most);

/* The same on a layout that is given, 1 for each mine. The seed decides between equally good guesses. layout gets the
   mines as they were in the end: a promise about the first cell may have moved some. */
SATSWEEP_API int satsweep_play_layout(
    void *room, int8_t *layout, const char *seed, int64_t number, int first, int32_t start, int level,
    satsweep_game *game, int32_t *moves, int32_t most);

/* The chance to win of the deep player from a start, by games 0 to games - 1 of a run on random layouts: for each game
   the chance once it is known exactly, else 1 or 0 for its end, less the luck before that; NaN beyond the limits. The
   mean is the chance. */
SATSWEEP_API int satsweep_chances(
    void *room, int32_t mines, const char *seed, int first, int32_t start, int level, int32_t games, double *chances);

/* Board `number` of the random boards of a seed: mined gets 1 for each mine. Without a start (-1) it is the layout of
   game `number`; with one no mine is in it, and with zero none around it either. IMPOSSIBLE: there is no room. */
SATSWEEP_API int satsweep_deal(
    void *room, int32_t mines, const char *seed, int64_t number, int32_t start, int zero, int8_t *mined);

/* A board that needs no guess from its start on: every forced cell follows from the numbers and the mine total, and
   forced cells clear it. It is board `number` of `satsweep generate` and generate_boards for this seed and the method.
   zero: no mine around the start. Candidates are random layouts, at most `candidates` of them.
   With changes = 0 (method rejection) the first candidate that needs no guess is taken: all such boards are equally
   likely. Else (method repair) each candidate is mended by at most so many changes, for boards that are dense: the
   first 1,000 are swaps of a mine and a safe cell, the others exchange all unknown cells of a number. Python tries 1,000
   swaps, then 1,000 exchanges for each thousand cells or part of it. mined gets 1 for each mine. NOT_FOUND: there was none.
   The time of the call is in proportion to candidates, and to changes. */
SATSWEEP_API int satsweep_no_guess(
    void *room, int32_t mines, const char *seed, int64_t number, int32_t start, int zero, int64_t candidates,
    int64_t changes, int8_t *mined);

/* What clears a board: single numbers; all that is forced; single numbers and pairs of them, one of which sees all
   undecided cells of the other. */
enum { SATSWEEP_SINGLE = 0, SATSWEEP_ALL = 1, SATSWEEP_PAIRS = 2 };

/* The same for a technique (satsweep_no_guess has ALL), from candidate *candidate on; that of the board is written
   there. The number -1 stands for the pilot of the run: Python makes boards by rejection if one of its candidates, at
   most 10,000 or as many as have 5,000,000 cells, needs no guess. */
SATSWEEP_API int satsweep_no_guess_by(
    void *room, int technique, int32_t mines, const char *seed, int64_t number, int32_t start, int zero,
    int64_t *candidate, int64_t candidates, int64_t changes, int8_t *mined);

#ifdef __cplusplus
}
#endif

#endif

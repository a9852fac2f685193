/* satsweep: the exact Minesweeper engine, without Python.

   The library is the file that the Python package has: `python -m satsweep.kernels` prints where it and this header lie.
   It needs no other library, allocates nothing, and has no state of its own: all state is in memory that the caller
   gives. Two threads may work at once, each with its own memory.

       size_t bytes = satsweep_bytes(0);
       void *memory = calloc(1, bytes);
       int status = satsweep_begin(memory, bytes);

   Only pages that are used take real memory. All functions return one of the codes below; what they write means
   nothing unless the code is SATSWEEP_OK. */

#ifndef SATSWEEP_H
#define SATSWEEP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SATSWEEP_API
#define SATSWEEP_API
#endif

enum {
    SATSWEEP_OK = 0,
    SATSWEEP_INVALID = 1,    /* an argument is missing, or has a value that it cannot have */
    SATSWEEP_IMPOSSIBLE = 2, /* no world agrees with the position */
    SATSWEEP_TOO_LARGE = 3,  /* beyond the limits of the library: Python answers such boards */
    SATSWEEP_TOO_SMALL = 4,  /* the memory or the text of the caller is too small */
    SATSWEEP_NONE = 5,       /* there is no such cell or board */
    SATSWEEP_PROCESSOR = 6   /* this processor lacks what the library needs (x86-64-v2) */
};

/* Symbols of a cell, beside the numbers from 0 on. */
enum { SATSWEEP_COVERED = -1, SATSWEEP_MINE = -2, SATSWEEP_OPEN = -3 /* open, but shows no number */ };

/* Size of a board, its mines, and which cells touch: cells are numbered row by row from 0. */
typedef struct {
    int32_t rows, cols;
    int32_t mines;             /* mine total, known mines included */
    int32_t degree;            /* columns of `neighbours` */
    const int32_t *neighbours; /* a row of neighbours for each cell, filled up with -1; NULL for the square grid */
} satsweep_board;

/* 1 if this processor has all instructions of the library, else 0. */
SATSWEEP_API int satsweep_runs_here(void);

/* Bytes of memory for one thread; with `deep` also for guesses and games of the deep player. */
SATSWEEP_API size_t satsweep_bytes(int deep);

/* Prepare memory that is all zero, aligned to 16 bytes. */
SATSWEEP_API int satsweep_begin(void *memory, size_t bytes);

/* Write for each cell the probability that it is a mine, exactly 0 or 1 where that is forced; NaN where it is not
   covered. */
SATSWEEP_API int satsweep_risks(void *memory, const satsweep_board *board, const int8_t *symbols, double *risks);

/* Write the exact number of worlds that agree with a position, as decimal text of at most `size` bytes with its end. */
SATSWEEP_API int satsweep_worlds(void *memory, const satsweep_board *board, const int8_t *symbols, char *text,
                                 size_t size);

/* Find the best cell to open, its risk, and the chance to win after choosing it.

   `level` is 1 to 5, from fastest to strongest (deep memory). If a cell is certainly safe the first one is the answer,
   and the chance to win is -1: it is not looked for. SATSWEEP_NONE if all covered cells are mines. */
SATSWEEP_API int satsweep_guess(void *memory, const satsweep_board *board, const int8_t *symbols, int level,
                                int32_t *cell, double *risk, double *win);

/* Promises about the first cell. */
enum { SATSWEEP_ANY = 0, SATSWEEP_SAFE = 1, SATSWEEP_ZERO = 2 };

/* Outcomes of a game. */
enum { SATSWEEP_CLEARED = 1, SATSWEEP_EXPLODED = 2, SATSWEEP_STUCK = 4 };

typedef struct {
    int32_t outcome, won, turns, opened, flagged, wrong, mines_hit, guesses, guesses_lost, claims, beyond_basic;
    int32_t moves; /* number of moves */
} satsweep_game;

/* Play game number `game` of the run `seed`, as `satsweep compare` does: by `sat` (level 0), or by deep (1 to 5).

   `start` is the first cell, -1 if the player chooses. `moves` gets as many moves as it has room for: turn, action (0
   open, 1 flag), cell, reason (0 start, 1 deduced, 2 guessed). */
SATSWEEP_API int satsweep_play(void *memory, const satsweep_board *board, const char *seed, int64_t game, int level,
                               int first, int32_t start, satsweep_game *result, int32_t (*moves)[4], int32_t room);

/* Find the first board of the run `seed` that needs no guess from a start, with a zero or just no mine there.

   With `changes` 0 layouts are drawn until one needs no guess (rejection: all such boards are equally likely), else
   each is repaired by at most that many changes. At most `most` candidates are tried; their number is written to
   `tried`. `layout` gets 1 for a mine and 0 for each other cell. The board is that of
   `satsweep.generate_boards` for the same seed. */
SATSWEEP_API int satsweep_no_guess(void *memory, const satsweep_board *board, const char *seed, int32_t start,
                                   int first, int32_t changes, int64_t most, int8_t *layout, int64_t *tried);

#ifdef __cplusplus
}
#endif

#endif

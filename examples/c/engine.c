/* What is known of a board; a game of the deep player; a board that needs no guess. README.md says how to build it. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "satsweep.h"

enum { CELLS = 10240, TEXT = 4096 };
static int8_t symbols[CELLS], layout[CELLS];
static double risks[CELLS];
static char line[TEXT];

static void expect(int code, const char *what) {
    if (code == SATSWEEP_OK) return;
    fprintf(stderr, "%s: code %d\n", what, code);
    exit(code == SATSWEEP_INVALID ? 3 : 1);
}

/* The first line is `mines 10`, then come rows of # (covered), numbers, . (no mine around) and * (known mines). */
static satsweep_board read_board(void) {
    satsweep_board board = {0, 0, 0, 0, NULL};
    if (!fgets(line, TEXT, stdin) || sscanf(line, "mines %d", &board.mines) != 1) expect(SATSWEEP_INVALID, "mines");
    while (fgets(line, TEXT, stdin)) {
        const int cols = (int)strcspn(line, "\r\n"), at = board.rows++ * cols;
        if (!cols || (board.cols && cols != board.cols) || at + cols > CELLS) expect(SATSWEEP_INVALID, "row");
        board.cols = cols;
        for (int col = 0; col < cols; col++) {
            const char *known = strchr(".12345678#*", line[col]);
            if (!known) expect(SATSWEEP_INVALID, "symbol");
            symbols[at + col] = *known == '#' ? SATSWEEP_COVERED : *known == '*' ? SATSWEEP_MINE
                              : *known == '.' ? 0 : (int8_t)(*known - '0');
        }
    }
    return board;
}

int main(void) {
    const satsweep_board board = read_board(), expert = {16, 30, 99, 0, NULL};
    const size_t bytes = satsweep_bytes(1);
    void *memory = calloc(1, bytes);
    int32_t cell;
    int64_t tried;
    double risk, win;
    satsweep_game game;
    expect(satsweep_begin(memory, bytes), "begin");
    expect(satsweep_worlds(memory, &board, symbols, line, TEXT), "worlds");
    printf("worlds %s\n", line);
    expect(satsweep_risks(memory, &board, symbols, risks), "risks");
    for (int at = 0; at < board.rows * board.cols; at++)
        printf("%.17g%c", risks[at], (at + 1) % board.cols ? ' ' : '\n');
    expect(satsweep_guess(memory, &board, symbols, 2, &cell, &risk, &win), "guess");
    printf("best %d %.17g %.17g\n", cell, risk, win);
    expect(satsweep_play(memory, &expert, "c", 0, 2, SATSWEEP_SAFE, -1, &game, NULL, 0), "play");
    printf("game %d %d %d\n", game.won, game.opened, game.guesses);
    expect(satsweep_no_guess(memory, &expert, "c", 0, SATSWEEP_ZERO, 1000, 100, layout, &tried), "no guess");
    for (int at = 0; at < 16 * 30; at++) printf("%c%s", layout[at] ? '*' : '.', (at + 1) % 30 ? "" : "\n");
    free(memory);
    return 0;
}

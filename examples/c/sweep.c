/* Risks and best guess of a board, a game, and a board that needs no guess: ./sweep BOARD SEED

   BOARD is a file: a line "mines N", then rows of # (covered), F (flag), * (mine), . (0) and numbers; // is a comment. */

#include <satsweep.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 10240, ROWS = 16, COLS = 30, MINES = 99 };

static void check(int code, const char *what) {
    if (code == SATSWEEP_FINE) return;
    fprintf(stderr, "%s: %s\n", what, satsweep_message(code));
    exit(1);
}

static int read_board(FILE *file, int8_t *symbols, int *mines, int *rows) {
    char line[MOST];
    int cells = 0;
    *rows = *mines = 0;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "mines %d", mines) == 1 || line[0] == '/') continue;
        for (const char *at = line; *at && *at != '\n' && cells < MOST; at++)
            symbols[cells++] = *at == '.' ? 0 : *at == '*' ? SATSWEEP_MINE
                             : *at >= '0' && *at <= '8' ? *at - '0' : SATSWEEP_COVERED;
        ++*rows;
    }
    return cells;
}

static void print_layout(const int8_t *mined) {
    for (int cell = 0; cell < ROWS * COLS; cell++)
        printf("%c%s", mined[cell] ? '*' : '.', (cell + 1) % COLS ? "" : "\n");
}

int main(int count, char **given) {
    static int8_t symbols[MOST], mined[MOST];
    static double risks[MOST];
    static char digits[3100];
    int mines, rows;
    FILE *file = count == 3 ? fopen(given[1], "r") : 0;
    const int cells = file ? read_board(file, symbols, &mines, &rows) : 0;
    if (!cells) return fprintf(stderr, "usage: %s BOARD SEED\n", given[0]), 2;

    void *room = calloc(1, satsweep_room(1));
    check(satsweep_begin(room, satsweep_room(1), rows, cells / rows), "begin");
    check(satsweep_worlds(room, symbols, mines, 0, digits, sizeof digits), "worlds");
    printf("worlds %s\n", digits);
    check(satsweep_risks(room, symbols, mines, risks), "risks");
    for (int cell = 0; cell < cells; cell++)
        if (symbols[cell] == SATSWEEP_COVERED)
            printf("risk %d,%d %.17g\n", cell / (cells / rows), cell % (cells / rows), risks[cell]);
    int32_t cell, exact;
    double chance;
    check(satsweep_guess(room, symbols, mines, 2, &cell, &chance, &exact), "guess");
    printf("guess %d chance %.17g%s\n", cell, chance, exact ? " exact" : "");

    satsweep_game game;
    check(satsweep_begin(room, satsweep_room(1), ROWS, COLS), "begin");
    check(satsweep_play(room, MINES, given[2], 0, SATSWEEP_SAFE_FIRST, -1, 2, &game, mined, 0, 0), "game");
    printf("game %s turns %d guesses %d\n", game.won ? "won" : "lost", game.turns, game.guesses);
    print_layout(mined);
    check(satsweep_no_guess(room, MINES, given[2], 0, 0, 1, 100, 1000, mined), "no guess");
    puts("no guess");
    print_layout(mined);
    free(room);
    return 0;
}

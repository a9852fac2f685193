/* The loop of a UMI engine in C or C++ that takes whole positions, for a wrapper of somebody else's program.
 *
 * Include it once, define the functions below, and call umi_main from main. docs/umi.md has the protocol.
 */
#ifndef UMI_H
#define UMI_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rows, cols, mines;
static char *board; /* rows * cols symbols, row by row */
static unsigned long long seed;

static const char *handshake(void);                         /* lines before `umi 1`, each with its line feed */
static const char *begin(void);                             /* a new game; what is wrong with it, or NULL */
static const char *think(int all);                          /* about the board: the best cell, or all risks */
static void answer(void);                                   /* prints claims or a guess, after think(0) */
static double risk_of(int cell);                            /* after think(1) */
static const char *set_option(const char *name, int value); /* what is wrong with it, or NULL */

/* Claims all covered cells of which the function says that they are safe; their number.
 *
 * Mines are not claimed: they would have to be flagged, and the engine asked once more before it may guess.
 */
static int claim_safe(int (*is_safe)(int cell)) {
    int found = 0;
    for (int cell = 0; cell < rows * cols; cell++)
        if (board[cell] == '#' && is_safe(cell)) printf("%s %d,%d", found++ ? "" : "safe", cell / cols, cell % cols);
    if (found) putchar('\n');
    return found;
}

static const char *read_board(char **line, size_t *size) {
    const char *wrong = NULL;
    for (int row = 0; row < rows; row++) {
        if (getline(line, size, stdin) < 0) exit(0);
        if (strcspn(*line, "\r\n") == (size_t)cols) memcpy(board + row * cols, *line, (size_t)cols);
        else wrong = "a row has another length";
    }
    return wrong;
}

static int umi_main(void) {
    char *line = NULL;
    size_t size = 0;
    int has_game = 0, has_board = 0;
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    while (getline(&line, &size, stdin) >= 0) {
        char kind[16] = "", key[32] = "", value[32] = "";
        const char *wrong = NULL;
        int height, width, total;
        if (sscanf(line, "%15s %31s %31s", kind, key, value) < 1) continue;
        if (!strcmp(kind, "umi")) printf("%sumi 1\n", handshake());
        else if (!strcmp(kind, "ping")) puts("pong");
        else if (!strcmp(kind, "quit")) break;
        else if (!strcmp(kind, "stop")) continue;
        else if (!strcmp(kind, "option")) wrong = set_option(key, atoi(value));
        else if (sscanf(line, "game %d %d %d", &height, &width, &total) == 3) {
            rows = height, cols = width, mines = total, has_board = 0;
            board = (char *)realloc(board, (size_t)rows * (size_t)cols);
            wrong = begin();
            has_game = !wrong;
        } else if (!strcmp(kind, "seed")) seed = strtoull(key, NULL, 10);
        else if (!strcmp(kind, "rule") && !strcmp(key, "first")) continue;
        else if (!strcmp(kind, "rule")) has_game = has_board = 0, wrong = "this engine plays by the usual rules";
        else if (!strcmp(kind, "board") && has_game) {
            wrong = read_board(&line, &size);
            has_board = !wrong;
        } else if (!strcmp(kind, "go") && has_board) {
            wrong = think(0);
            if (!wrong) answer(), puts("done");
        } else if (!strcmp(kind, "risks") && has_board) {
            wrong = think(1);
            for (int cell = 0; !wrong && cell < rows * cols; cell++)
                if (board[cell] == '#' || board[cell] == 'F')
                    printf("risk %d,%d=%.17g\n", cell / cols, cell % cols, risk_of(cell));
            if (!wrong) puts("done");
        } else wrong = "cannot follow this line";
        if (wrong) printf("error %s\n", wrong);
        fflush(stdout);
    }
    return 0;
}

#endif

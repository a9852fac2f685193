/* A UMI engine in C: one number at a time; reads positions as changes.

       cc -O2 -o basic examples/umi/basic.c
       satsweep play --agent cmd:./basic

   docs/umi.md has the protocol. Cells are kept with a border, so every cell has eight neighbours. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20, LINE = 1 << 24 };

static int rows, cols, mines;
static char *cells;                /* (rows + 2) x (cols + 2) symbols, a blank for the border */
static int has_board;
static unsigned long long state;
static char line[LINE];

static int at(int row, int col) { return (row + 1) * (cols + 2) + col + 1; }

static unsigned draw(unsigned below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)((state >> 33) % below);
}

/* Mines left and covered cells around an open number; -1 for another cell. */
static int around(int row, int col, int *covered) {
    char symbol = cells[at(row, col)];
    int left = symbol == '.' ? 0 : symbol - '0';
    *covered = 0;
    if (symbol != '.' && (symbol < '1' || symbol > '8')) return -1;
    for (int r = row - 1; r <= row + 1; r++)
        for (int c = col - 1; c <= col + 1; c++) {
            char other = cells[at(r, c)];
            *covered += other == '#';
            left -= other == 'F' || other == '*';
        }
    return left;
}

/* Prints the covered cells that some number proves safe (mine = 0) or mines; returns how many. */
static int claim(int mine) {
    int found = 0;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            int proved = 0;
            if (cells[at(row, col)] != '#') continue;
            for (int r = row - 1; r <= row + 1 && !proved; r++)
                for (int c = col - 1; c <= col + 1 && !proved; c++) {
                    int covered, left;
                    if (r < 0 || c < 0 || r >= rows || c >= cols) continue;
                    left = around(r, c, &covered);
                    proved = left >= 0 && left == (mine ? covered : 0);
                }
            if (proved) printf("%s%d,%d", found++ ? " " : mine ? "mine " : "safe ", row, col);
        }
    if (found) putchar('\n');
    return found;
}

/* Prints a guess: a covered cell of the least share of mines that a number asks for, a tie drawn. */
static void guess(void) {
    double least = 2, share = 0.2;
    int unknown = 0, known = 0, ties = 0, best_row = -1, best_col = -1;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            char symbol = cells[at(row, col)];
            unknown += symbol == '#';
            known += symbol == 'F' || symbol == '*';
        }
    if (mines >= 0 && unknown) share = (double)(mines - known) / unknown;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            double risk = -1;
            if (cells[at(row, col)] != '#') continue;
            for (int r = row - 1; r <= row + 1; r++)
                for (int c = col - 1; c <= col + 1; c++) {
                    int covered, left;
                    if (r < 0 || c < 0 || r >= rows || c >= cols) continue;
                    left = around(r, c, &covered);
                    if (left >= 0 && (double)left / covered > risk) risk = (double)left / covered;
                }
            if (risk < 0) risk = share;
            if (risk < least) { least = risk; ties = 0; }
            if (risk == least && draw(++ties) == 0) { best_row = row; best_col = col; }
        }
    if (best_row >= 0) printf("guess %d,%d\n", best_row, best_col);
}

static int begin(int height, int width, int total) {
    if (height < 1 || width < 1 || (long long)height * width > MOST) return 0;
    rows = height; cols = width; mines = total; has_board = 0;
    free(cells);
    cells = malloc((size_t)(rows + 2) * (cols + 2));
    memset(cells, ' ', (size_t)(rows + 2) * (cols + 2));
    return 1;
}

static int change(char *text) {
    for (char *word = strtok(text, " \r\n"); word; word = strtok(NULL, " \r\n")) {
        int row, col;
        char symbol;
        if (sscanf(word, "%d,%d=%c", &row, &col, &symbol) != 3) return 0;
        if (row < 0 || col < 0 || row >= rows || col >= cols) return 0;
        cells[at(row, col)] = symbol;
    }
    return 1;
}

static int read_board(void) {
    for (int row = 0; row < rows; row++) {
        if (!fgets(line, LINE, stdin) || strcspn(line, "\r\n") != (size_t)cols) return 0;
        memcpy(cells + at(row, 0), line, cols);
    }
    return has_board = 1;
}

int main(void) {
    while (fgets(line, LINE, stdin)) {
        char kind[16] = "", key[16] = "", total[16] = "";
        int height, width, done = 1;
        unsigned long long seed;
        if (sscanf(line, "%15s %15s", kind, key) < 1) continue;
        if (!strcmp(kind, "umi"))
            printf("name Basic in C\nversion 1.0\ncan changes sound stop untold rules\numi 1\n");
        else if (!strcmp(kind, "ping")) puts("pong");
        else if (!strcmp(kind, "quit")) return 0;
        else if (!strcmp(kind, "stop")) done = 1; /* every answer is there at once */
        else if (sscanf(line, "game %d %d %15s", &height, &width, total) == 3)
            done = begin(height, width, *total == '-' ? -1 : atoi(total));
        else if (sscanf(line, "seed %llu", &seed) == 1) state = seed;
        else if (!strcmp(kind, "rule"))
            done = !strcmp(key, "fatal") || !strcmp(key, "goal") || !strcmp(key, "cascade") || !strcmp(key, "first");
        else if (!strcmp(kind, "board") && cells) done = read_board();
        else if (!strcmp(kind, "set") && has_board) done = change(line + 4);
        else if (!strcmp(kind, "go") && has_board) {
            int found = claim(0);
            if (found + claim(1) == 0) guess();
            puts("done");
        } else done = 0;
        if (!done) puts("error cannot follow this line");
        fflush(stdout);
    }
    return 0;
}

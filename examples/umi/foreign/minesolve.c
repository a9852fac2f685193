/* minesolve over UMI: its library gives the cell to open, and the probability of each cell.
 *
 *     python examples/umi/foreign/build.py minesolve
 *
 * Its simulation opens all cells of probability 0 at once, and else the cell that its search prefers; so does this.
 */
#include "minesolve.h"
#include "umi.h"

static MsBoard position;
static double risks[MS_MAX_SQUARES];
static MsResult found;
static int depth = 1;

static const char *handshake(void) {
    return "name minesolve\nversion " MINESOLVE_VERSION_STRING "\nauthor Tobias Olsson\n"
           "option depth integer default 1 min 1 max 8\ncan sound risks\n";
}

static const char *set_option(const char *name, int value) {
    if (strcmp(name, "depth") || value < 1 || value > MS_MAX_DEPTH) return "the only option is depth, from 1 to 8";
    depth = value;
    return NULL;
}

static const char *begin(void) { return rows * cols > MS_MAX_SQUARES ? "at most 1024 cells" : NULL; }

static int is_safe(int cell) { return risks[cell] == 0; }

static const char *think(int all) {
    (void)all; /* a search gives the risks, too */
    ms_board_init(&position, cols, rows, mines, false);
    for (int cell = 0; cell < rows * cols; cell++) {
        if (board[cell] == '#' || board[cell] == 'F') continue;
        position.revealed[cell] = true;
        position.hint[cell] = board[cell] == '.' ? 0 : board[cell] - '0';
        position.unrevealed_c--;
    }
    if (position.unrevealed_c == mines) { /* it takes no board that is solved already */
        for (int cell = 0; cell < rows * cols; cell++) risks[cell] = 1;
        return NULL;
    }
    ms_solve(&position, depth, &found, risks);
    return found.status == MS_OK || found.status == MS_OK_FALLBACK ? NULL : "minesolve reaches a limit of its own";
}

static void answer(void) {
    if (claim_safe(is_safe) || position.unrevealed_c == mines) return;
    printf("guess %d,%d", found.move / cols, found.move % cols);
    if (found.status == MS_OK) printf(" %.17g", risks[found.move]); /* else it has no risks but 0 and 1 */
    putchar('\n');
}

static double risk_of(int cell) { return risks[cell] < 1 ? risks[cell] : 1; } /* it rounds beyond 1 */

int main(void) { return umi_main(); }

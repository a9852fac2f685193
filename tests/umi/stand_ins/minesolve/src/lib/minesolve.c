/* Stand-in of the library: each covered cell is as likely a mine as any other. */
#include "minesolve.h"

void ms_board_init(MsBoard *board, int32_t w, int32_t h, int32_t mines, bool wrapping) {
    *board = (MsBoard){.w = w, .h = h, .mine_count = mines, .unrevealed_c = w * h};
    (void)wrapping;
}

MsStatus ms_solve(MsBoard *board, int32_t depth, MsResult *result, double *risks) {
    *result = (MsResult){depth > 2 ? MS_OK_FALLBACK : MS_OK, -1, 1};
    for (int32_t cell = 0; cell < board->w * board->h; cell++) {
        risks[cell] = board->revealed[cell] ? 0 : (double)board->mine_count / board->unrevealed_c;
        if (result->move < 0 && !board->revealed[cell]) result->move = cell;
    }
    return result->status;
}

/* Stand-in of the header of this name, with what the wrapper uses. */
#include <stdbool.h>
#include <stdint.h>
#define MINESOLVE_VERSION_STRING "0.2.0"
#define MS_MAX_SQUARES 1024
#define MS_MAX_DEPTH 8
typedef enum { MS_OK, MS_OK_FALLBACK } MsStatus;
typedef struct {
    int32_t w, h, mine_count, unrevealed_c, hint[MS_MAX_SQUARES];
    bool revealed[MS_MAX_SQUARES];
} MsBoard;
typedef struct { MsStatus status; int32_t move; double p_loss; } MsResult;
void ms_board_init(MsBoard *board, int32_t w, int32_t h, int32_t mines, bool wrapping);
MsStatus ms_solve(MsBoard *board, int32_t depth, MsResult *result, double *risks);

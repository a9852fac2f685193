/* Smallest sets of numbers that force a cell, or contradict each other. */

#include "kernels.h"

#define LANES 32                 /* numbers that are open at a time */
#define STATES (1 << 16)         /* of one test */
#define SUM_WORDS (1 << 16)      /* of the sums of one layer */
#define NEAR_WORDS 8             /* of a set of candidates, a bit each */
#define CORRECTIONS 512

/* What numbers still need, as far as they are open, after some groups; and the way there. */
typedef struct {
    union {
        uint8_t need[LANES];
        uint64_t word[LANES / 8];
    };
    int32_t parent, mines;
} reason_state;

typedef struct {
    const int32_t *neighbours;
    int32_t cells, degree;
    int32_t left, covered; /* mines that are not known, covered cells */
    int32_t cons, groups;  /* numbers with covered cells around them, or wrong; classes of cells that they touch */
    int32_t assumed;       /* the supposition about a cell as one more constraint, -1 for none */
    int32_t near_count;    /* length of `near` */
    int32_t corrections, tests;
    int64_t steps;
    uint64_t stamp;
    /* By constraint. */
    int32_t number[CELLS + 1], need[CELLS + 1], size[CELLS + 1], con_groups[CELLS + 1];
    int32_t con_group[CELLS + 1][DEGREE], depth[CELLS + 1], near[CELLS + 1], waiting[CELLS + 1];
    int32_t rest[CELLS + 1], room[CELLS + 1]; /* mines that it still needs, undecided cells for them */
    int8_t lane[CELLS + 1];
    uint8_t chosen[CELLS + 1], kept[CELLS + 1], best[CELLS + 1], seen[CELLS + 1];
    /* By cell: its constraint, its group. */
    int32_t con_of[CELLS], group_of[CELLS];
    /* By group. */
    int32_t group_size[CELLS], group_cons[CELLS], group_con[CELLS][DEGREE + 1], order[CELLS], value[CELLS];
    int32_t layer[CELLS]; /* groups of a test, in their order */
    int8_t known[CELLS];  /* 1 mines, 0 safe, -1 undecided */
    reason_state states[STATES];
    uint64_t table[2 * STATES]; /* hash table of the states of a layer */
    uint64_t sums[2][SUM_WORDS];
    uint64_t picked[NEAR_WORDS], correction[CORRECTIONS][NEAR_WORDS];
} reasons;

enum { REASON_SINGLE, REASON_PAIR, REASON_SEVERAL, REASON_TOTAL };

/* What was found: the set is `best`, by constraint. */
typedef struct {
    int32_t total, smallest, technique;
} reason_set;

/* Read a position. A covered cell is supposed to be a mine (1) or safe (0); -1 for no cell. */
void read_reasons(
    reasons *r, const int32_t *neighbours, int32_t cells, int32_t degree, const int8_t *symbols, int32_t mines,
    int32_t cell, int mine);

/* Begin with no group decided. */
void undecide(reasons *r);

/* Return whether a constraint, if there is one, has a group. */
int includes(const reasons *r, int32_t con, int32_t group);

/* Decide the groups of a constraint that another one does not touch. Returns whether there were any. */
int decide(reasons *r, int32_t con, int32_t but, int mine);

/* Decide what single chosen constraints decide; return whether none is broken. */
int settle(reasons *r);

/* Return whether the chosen constraints have a layout, by `value` then; -1 beyond limits. */
int is_possible(reasons *r, int total);

/* Find the smallest set that is impossible together with what is supposed: 1, 0 if there is none, -1 beyond limits. */
int find_reason(reasons *r, reason_set *found);

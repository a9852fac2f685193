/* The C interface: arguments checked, memory laid out, kernels called.

   kernels.h is written by the build (satsweep/kernels/record.py); it declares the kernels, whose calling convention is
   that of satsweep/kernels/toolchain/calls.py. Each function here does what that of its name does in
   satsweep/kernels/api.py. */

#define SATSWEEP_BUILD
#include "satsweep.h"

#include "big.h"
#include "kernels.h"
#include "reasons.h"
#include "seeds.h"

/* Words of arrays of one and two dimensions, in calls. */
#define line(items, count) 0, 0, (count), (int64_t)sizeof *(items), (void *)(items), (count), (int64_t)sizeof *(items)
#define table(items, rows, cols)                                                                                      \
    0, 0, (rows) * (cols), (int64_t)sizeof *(items), (void *)(items), (rows), (cols),                                \
        (cols) * (int64_t)sizeof *(items), (int64_t)sizeof *(items)

/* Call a kernel on the record of a room, or on its grid and its record; return from the caller if it fails. */
#define call_record(room, name, ...)                                                                                  \
    do {                                                                                                              \
        void *error = 0;                                                                                              \
        if (satsweep_kernels_##name((room)->result, &error, __VA_ARGS__)) return SATSWEEP_FAILED;                     \
    } while (0)
#define call(room, name, ...)                                                                                         \
    call_record(room, name, table((room)->grid.neighbours, (int64_t)(room)->cells, (int64_t)(room)->degree), record(room), \
                __VA_ARGS__)

extern int satsweep_runs_here(void);

#define MOST_CELLS (1 << 22)
/* Places for counts of components, and for their combination. */
#define WAYS_OF(cells) (FLOATS + 2 * (cells))
#define WORK_OF(cells) (FLOATS / 8 + 2 * (cells))
_Static_assert(WORK_OF(0) >= LONGEST, "room for the longest row of a component");

#define MARK 0x7361747377656570ULL
#define ROOM_COUNT ((int)(sizeof ROOM_BYTES / sizeof *ROOM_BYTES))

/* Arrays of a grid (satsweep/kernels/position/split.py and large_odds.py have their meaning). */
typedef struct {
    int32_t *neighbours, *order, *ends, *place_of, *cells, *shape;
    double *ways, *work;
    int16_t *need;
    int8_t *settled, *listed;
} Grid;

/* The beginning of a room. The arrays of a grid follow, the working record, then for the deep player another record and
   its rooms. The arrays of a large grid go over these two, or behind them where they were in use and there is room. */
typedef struct {
    uint64_t mark; /* MARK and the address, once the room is begun */
    int32_t cells, degree;
    int32_t deep;         /* 1 if there is memory for the deep player */
    int32_t board, level; /* its mines, -1 for none, and its level: what its records are prepared for */
    int32_t posed;        /* worlds of the endgame that is posed, 0 for none */
    int32_t is_set;       /* 1 once the working record has the grid */
    int32_t guessed;      /* 1 while the record has the candidates of a guess */
    int32_t was_deep;     /* 1 once there was memory for the deep player */
    int32_t blank[4];
    uint64_t overlaid; /* bytes of the room up to where its memory may not be 0 */
    Grid grid;
    int64_t result[3];
    int64_t rooms[ROOM_COUNT][ROOM_WORDS];
    int32_t part_neighbours[CELLS * DEGREE];
    int8_t part_symbols[CELLS];
    uint32_t key[KEY_WORDS], random[WORDS + 1];
    int8_t layout[CELLS];
    double risks[CELLS];
    big ways_of_sea, times, sum, worlds, parts[CELLS + 1];
    reasons reasons;
} Room;

_Static_assert(sizeof(satsweep_game) == RESULT_BYTES + sizeof(int32_t), "a row of measures, and the number of moves");

static size_t rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }

/* Place an array behind others; return its address. */
static void *placed(uintptr_t *end, int64_t items, size_t size) {
    const uintptr_t at = *end;
    *end += rounded((size_t)items * size);
    return (void *)at;
}

/* Place the arrays of a grid; return where they end. */
static uintptr_t lay_out(Grid *grid, uintptr_t at, int64_t cells, int64_t degree) {
    grid->neighbours = placed(&at, cells * degree, sizeof(int32_t));
    grid->order = placed(&at, cells, sizeof(int32_t));
    grid->ends = placed(&at, cells, sizeof(int32_t));
    grid->place_of = placed(&at, cells, sizeof(int32_t));
    grid->cells = placed(&at, cells, sizeof(int32_t));
    grid->shape = placed(&at, HEAD + 5 * cells, sizeof(int32_t));
    grid->ways = placed(&at, WAYS_OF(cells), sizeof(double));
    grid->work = placed(&at, WORK_OF(cells), sizeof(double));
    grid->need = placed(&at, cells, sizeof(int16_t));
    grid->settled = placed(&at, cells, sizeof(int8_t));
    grid->listed = placed(&at, cells, sizeof(int8_t));
    return at;
}

static size_t grid_bytes(int64_t cells, int64_t degree) {
    Grid grid;
    return lay_out(&grid, 0, cells, degree);
}

static char *record(Room *room) { return (char *)room + rounded(sizeof(Room)) + grid_bytes(CELLS, DEGREE); }

static char *inner_record(Room *room) { return record(room) + rounded(RECORD_BYTES); }

static int64_t *word_at(char *base, int64_t at) { return (int64_t *)(base + at); }

static double *float_at(char *base, int64_t at) { return (double *)(base + at); }

const char *satsweep_message(int code) {
    static const char *const messages[] = {
        "fine",
        "the position is beyond the limits of the library",
        "no world agrees with it",
        "an argument is null or out of its range, or the room was not begun",
        "the memory given is too small",
        "this processor lacks instructions of x86-64-v2 (2009), which the library needs",
        "none of the candidates needs no guess",
        "the library failed",
    };
    return code < 0 || code > SATSWEEP_FAILED ? "no code of satsweep" : messages[code];
}

size_t satsweep_room(int deep) { return satsweep_room_of(deep, 1, 1); }

size_t satsweep_room_of(int deep, int32_t cells, int32_t degree) {
    size_t bytes = rounded(sizeof(Room)) + grid_bytes(CELLS, DEGREE) + rounded(RECORD_BYTES);
    if (cells < 1 || degree < 1 || cells > MOST_CELLS || degree > DEGREE) return 0;
    if (deep) {
        bytes += rounded(RECORD_BYTES);
        for (int at = 0; at < ROOM_COUNT; at++) bytes += (size_t)ROOM_BYTES[at];
    }
    return bytes + (cells > CELLS ? grid_bytes(cells, degree) : 0);
}

static uint64_t mark_of(const void *room) { return MARK ^ (uint64_t)(uintptr_t)room; }

/* The room of a call, null if it is none. */
static Room *begun(void *room) {
    return room && (uintptr_t)room % 8 == 0 && ((Room *)room)->mark == mark_of(room) ? room : 0;
}

static int is_blank(const void *memory, size_t bytes) {
    const char *at = memory;
    while (bytes && !*at) at++, bytes--;
    return !bytes;
}

/* Check the memory of a room, and that the library runs here. */
static int check_room(void *memory, size_t bytes) {
    const Room *room = memory;
    if (!satsweep_runs_here()) return SATSWEEP_PROCESSOR;
    if (!room || (uintptr_t)memory % 8) return SATSWEEP_ARGUMENT;
    if (bytes < satsweep_room(0)) return SATSWEEP_TOO_SMALL;
    if (room->mark == mark_of(room)) return SATSWEEP_FINE;
    /* What calls rely on to be 0, but for arrays: to read all of the memory would be to use it. */
    const int deep = bytes >= satsweep_room(1);
    const int blank = is_blank(memory, offsetof(Room, part_neighbours)) && is_blank(record(memory), NUMBER_BYTES) &&
                      (!deep || is_blank(inner_record(memory), NUMBER_BYTES));
    return blank ? SATSWEEP_FINE : SATSWEEP_ARGUMENT;
}

/* Make memory 0 that arrays of a large grid were laid over, before the deep player gets it. */
static void make_blank(Room *room) {
    const size_t end = satsweep_room(1);
    const size_t begin = (size_t)(inner_record(room) - (char *)room);
    uint64_t *const words = (uint64_t *)room;
    for (size_t at = begin / 8; at < (room->overlaid < end ? room->overlaid : end) / 8; at++) words[at] = 0;
    room->overlaid = 0;
}

/* Check the size of a grid. */
static int check_grid(size_t bytes, int64_t cells, int32_t degree) {
    if (cells < 1 || degree < 1) return SATSWEEP_ARGUMENT;
    if (cells > MOST_CELLS || degree > DEGREE) return SATSWEEP_TOO_LARGE;
    return bytes < satsweep_room_of(0, (int32_t)cells, degree) ? SATSWEEP_TOO_SMALL : SATSWEEP_FINE;
}

/* Make a room one for a grid, whose neighbours are to be filled in. */
static void set_out(Room *room, size_t bytes, int32_t cells, int32_t degree) {
    const int deep = bytes >= satsweep_room(1), large = cells > CELLS;
    size_t at = rounded(sizeof(Room));
    if (large) {
        const int behind = room->was_deep && bytes >= satsweep_room_of(1, cells, degree);
        at = satsweep_room(behind);
        const size_t end = room->was_deep ? satsweep_room(1) : at + grid_bytes(cells, degree);
        if (!behind && room->overlaid < end) room->overlaid = end;
    }
    lay_out(&room->grid, (uintptr_t)room + at, cells, degree);
    room->mark = mark_of(room);
    room->cells = cells;
    room->degree = degree;
    room->deep = deep && !large;
    room->board = room->level = -1;
    room->posed = room->is_set = room->guessed = 0;
    if (!room->deep) return;
    if (room->overlaid) make_blank(room);
    room->was_deep = 1;
    char *own = inner_record(room) + rounded(RECORD_BYTES);
    for (int one = 0; one < ROOM_COUNT; one++) {
        for (int word = 0; word < ROOM_WORDS; word++)
            room->rooms[one][word] = ROOMS[one][word] + (PLACED[word] ? (int64_t)own : 0);
        *word_at(own, LIMIT_AT[one]) = UNLIMITED;
        own += ROOM_BYTES[one];
    }
    *word_at(record(room), AT_inner) = (int64_t)inner_record(room);
    *word_at(inner_record(room), AT_room) = (int64_t)room->rooms[ROLLED_OUT];
    for (size_t place = 0; place < sizeof *DEPTHS / sizeof **DEPTHS; place++)
        float_at(inner_record(room), AT_param)[place] = DEPTHS[0][place];
}

int satsweep_begin(void *memory, size_t bytes, int32_t rows, int32_t cols) {
    int code = check_room(memory, bytes);
    if (code) return code;
    if (rows < 1 || cols < 1) return SATSWEEP_ARGUMENT;
    const int32_t around = (rows < 3 ? rows : 3) * (cols < 3 ? cols : 3) - 1, degree = around ? around : 1;
    code = check_grid(bytes, (int64_t)rows * cols, degree);
    if (code) return code;
    Room *room = memory;
    set_out(room, bytes, rows * cols, degree);
    int32_t *at = room->grid.neighbours;
    for (int32_t cell = 0; cell < rows * cols; cell++) {
        int32_t *const end = at + room->degree;
        const int32_t row = cell / cols, col = cell % cols;
        for (int32_t r = row - 1; r <= row + 1; r++)
            for (int32_t c = col - 1; c <= col + 1; c++)
                if (r >= 0 && r < rows && c >= 0 && c < cols && (r != row || c != col)) *at++ = r * cols + c;
        while (at < end) *at++ = -1;
    }
    return SATSWEEP_FINE;
}

static int touches(const int32_t *neighbours, int32_t degree, int32_t cell, int32_t other) {
    int found = 0;
    for (int32_t place = 0; place < degree; place++) found += neighbours[(int64_t)cell * degree + place] == other;
    return found == 1;
}

int satsweep_begin_grid(void *memory, size_t bytes, int32_t cells, int32_t degree, const int32_t *neighbours) {
    int code = check_room(memory, bytes);
    if (!code) code = neighbours ? check_grid(bytes, cells, degree) : SATSWEEP_ARGUMENT;
    if (code) return code;
    for (int32_t at = 0; at < cells * degree; at++) {
        const int32_t cell = at / degree, other = neighbours[at];
        if (other < -1 || other >= cells || other == cell) return SATSWEEP_ARGUMENT;
        if (other >= 0 && at % degree && neighbours[at - 1] < 0) return SATSWEEP_ARGUMENT;
        if (other >= 0 && !(touches(neighbours, degree, cell, other) && touches(neighbours, degree, other, cell)))
            return SATSWEEP_ARGUMENT;
    }
    Room *room = memory;
    set_out(room, bytes, cells, degree);
    for (int32_t at = 0; at < cells * degree; at++) room->grid.neighbours[at] = neighbours[at];
    return SATSWEEP_FINE;
}

/* Check a position on a grid of any size, and count the mines that are known in it. */
static int check_symbols(const Room *room, const int8_t *symbols, int32_t mines, int32_t *known) {
    if (!room || !symbols || mines < 0) return SATSWEEP_ARGUMENT;
    *known = 0;
    for (int32_t cell = 0; cell < room->cells; cell++) {
        if (symbols[cell] < SATSWEEP_SAFE || symbols[cell] > DEGREE) return SATSWEEP_ARGUMENT;
        *known += symbols[cell] == SATSWEEP_MINE;
    }
    return mines > room->cells || *known > mines ? SATSWEEP_IMPOSSIBLE : SATSWEEP_FINE;
}

/* The same where a large grid is too large. */
static int check_position(const Room *room, const int8_t *symbols, int32_t mines, int32_t *known) {
    const int code = check_symbols(room, symbols, mines, known);
    return !code && room->cells > CELLS ? SATSWEEP_TOO_LARGE : code;
}

/* Risks where components together are beyond the working record. */
static int rate_in_parts(Room *room, const int8_t *symbols, int32_t mines, double *risks) {
    const Grid *grid = &room->grid;
    const int64_t cells = room->cells;
    for (int64_t cell = 0; cell < cells; cell++) grid->settled[cell] = symbols[cell];
    room->is_set = 0;
    call(room, position_split_count_parts, line(grid->settled, cells), line(grid->need, cells),
         line(grid->listed, cells), line(grid->order, cells), line(grid->ends, cells), line(grid->place_of, cells),
         table(room->part_neighbours, CELLS, (int64_t)room->degree), line(room->part_symbols, CELLS),
         line(grid->cells, cells), line(grid->shape, HEAD + 5 * cells), line(grid->ways, WAYS_OF(cells)));
    if (room->result[0]) return room->result[0] < 0 ? SATSWEEP_IMPOSSIBLE : SATSWEEP_TOO_LARGE;
    call_record(room, position_large_odds_rate_parts, line(symbols, cells), line(grid->settled, cells),
                line(grid->listed, cells), line(grid->cells, cells), line(grid->shape, HEAD + 5 * cells),
                line(grid->ways, WAYS_OF(cells)), (int64_t)mines, line(grid->order, cells), line(grid->ends, cells),
                line(grid->place_of, cells), line(grid->work, WORK_OF(cells)), line(risks, cells));
    return (int)room->result[0];
}

int satsweep_risks(void *memory, const int8_t *symbols, int32_t mines, double *risks) {
    Room *room = begun(memory);
    int32_t known;
    const int code = check_symbols(room, symbols, mines, &known);
    if (code || !risks) return code ? code : SATSWEEP_ARGUMENT;
    if (room->cells > CELLS) return rate_in_parts(room, symbols, mines, risks);
    int64_t total = mines;
    int8_t status;
    const int64_t cells = room->cells;
    call_record(room, position_solver_assess,
                table(room->grid.neighbours, room->is_set ? (int64_t)0 : cells, (int64_t)room->degree), record(room),
                table(symbols, (int64_t)1, cells), line(&total, 1), table(risks, (int64_t)1, cells), line(&status, 1));
    room->is_set = 1;
    return status == SATSWEEP_TOO_LARGE ? rate_in_parts(room, symbols, mines, risks) : status;
}

/* Multiply the ways of the parts so far, by their mines, with those of another component. */
static int32_t join(Room *room, int32_t spread, const double *ways, int32_t span) {
    for (int32_t mines = spread + span - 1; mines >= 0; mines--) {
        big_set(&room->sum, 0);
        for (int32_t own = 0; own < span && own <= mines; own++)
            if (mines - own <= spread) {
                big_set(&room->times, (uint64_t)ways[own]);
                big_add_product(&room->sum, &room->times, &room->parts[mines - own]);
            }
        big_copy(&room->parts[mines], &room->sum);
    }
    return spread + span - 1;
}

int satsweep_worlds(
    void *memory, const int8_t *symbols, int32_t mines, double *worlds, char *digits, size_t size) {
    Room *room = begun(memory);
    int32_t known;
    const int code = check_position(room, symbols, mines, &known);
    if (code) return code;
    const Grid *grid = &room->grid;
    const int64_t cells = room->cells;
    call(room, position_solver_count_position, line(symbols, cells), line(grid->cells, cells),
         line(grid->shape, HEAD + 5 * cells), line(grid->ways, WAYS_OF(cells)));
    if (room->result[0]) return (int)room->result[0];
    /* The ways of all components together, by their mines above the fewest. */
    const int32_t *shape = grid->shape + HEAD;
    const double *ways = grid->ways;
    int32_t least = 0, spread = 0;
    big_set(&room->parts[0], 1);
    for (int32_t component = 0; component < grid->shape[3]; component++) {
        const int32_t groups = shape[0], span = shape[2];
        least += shape[1];
        spread = join(room, spread, ways, span);
        shape += 4 + groups;
        ways += (groups + 1) * span;
    }
    /* The sea holds the other mines. */
    const int32_t left = mines - known - grid->shape[1] - least, sea = grid->shape[2];
    big_set(&room->ways_of_sea, 1);
    big_set(&room->worlds, 0);
    for (int32_t inside = 0; inside <= sea && inside <= left; inside++) {
        if (left - inside <= spread)
            big_add_product(&room->worlds, &room->ways_of_sea, &room->parts[left - inside]);
        big_multiply(&room->ways_of_sea, (uint32_t)(sea - inside));
        big_divide(&room->ways_of_sea, (uint32_t)(inside + 1));
    }
    if (!room->worlds.length) return SATSWEEP_IMPOSSIBLE;
    if (worlds) *worlds = big_double(&room->worlds);
    return digits && !big_digits(&room->worlds, digits, size) ? SATSWEEP_TOO_SMALL : SATSWEEP_FINE;
}

int satsweep_draw(
    void *memory, const int8_t *symbols, int32_t mines, int64_t salt, int32_t count, int8_t *mined) {
    Room *room = begun(memory);
    int32_t known;
    const int code = check_position(room, symbols, mines, &known);
    if (code || count < 1 || !mined) return code ? code : SATSWEEP_ARGUMENT;
    const int64_t cells = room->cells;
    call(room, lookahead_rollouts_draw_worlds, line(symbols, cells), (int64_t)mines, salt,
         table(mined, (int64_t)count, cells));
    return (int)room->result[0];
}

/* Write what was found; clues are its numbers, in the order of their cells. */
static int write_reason(const reasons *r, const reason_set *found, satsweep_reason *reason, int32_t *clues) {
    reason->technique = found->technique;
    reason->total = found->total;
    reason->smallest = found->smallest;
    for (int32_t con = 0; con < r->cons; con++)
        if (r->best[con]) clues[reason->clues++] = r->number[con];
    return SATSWEEP_FINE;
}

int satsweep_explain(
    void *memory, const int8_t *symbols, int32_t mines, int32_t cell, satsweep_reason *reason, int32_t *clues,
    int8_t *layouts) {
    Room *room = begun(memory);
    int32_t known;
    reason_set found;
    int code = check_position(room, symbols, mines, &known);
    if (!code && (!reason || !clues || !layouts || cell < 0 || cell >= room->cells)) code = SATSWEEP_ARGUMENT;
    if (!code && symbols[cell] != SATSWEEP_COVERED) code = SATSWEEP_ARGUMENT;
    if (!code) code = satsweep_risks(memory, symbols, mines, room->risks);
    if (code) return code;
    const double risk = room->risks[cell];
    *reason = (satsweep_reason){.kind = risk == 0 ? SATSWEEP_IS_SAFE : risk == 1 ? SATSWEEP_IS_MINE : SATSWEEP_EITHER};
    for (int32_t mine = 1; reason->kind == SATSWEEP_EITHER && !code && mine >= 0; mine--) {
        for (int32_t at = 0; at < room->cells; at++) room->layout[at] = symbols[at];
        room->layout[cell] = mine ? SATSWEEP_MINE : SATSWEEP_SAFE;
        code = satsweep_draw(memory, room->layout, mines, 0, 1, layouts + (mine ? 0 : room->cells));
    }
    if (code || reason->kind == SATSWEEP_EITHER) return code;
    read_reasons(&room->reasons, room->grid.neighbours, room->cells, room->degree, symbols, mines, cell, risk == 0);
    if (find_reason(&room->reasons, &found) != 1) return SATSWEEP_TOO_LARGE;
    return write_reason(&room->reasons, &found, reason, clues);
}

int satsweep_conflict(
    void *memory, const int8_t *symbols, int32_t mines, satsweep_reason *reason, int32_t *clues) {
    Room *room = begun(memory);
    int32_t known;
    reason_set found;
    const int code = check_position(room, symbols, mines, &known);
    if (code == SATSWEEP_ARGUMENT || !reason || !clues) return SATSWEEP_ARGUMENT;
    if (code == SATSWEEP_TOO_LARGE) return code;
    *reason = (satsweep_reason){.kind = SATSWEEP_CONFLICT};
    read_reasons(&room->reasons, room->grid.neighbours, room->cells, room->degree, symbols, mines, -1, 0);
    const int there_is = find_reason(&room->reasons, &found);
    if (there_is < 0) return SATSWEEP_TOO_LARGE;
    if (!there_is) reason->kind = SATSWEEP_POSSIBLE;
    return there_is ? write_reason(&room->reasons, &found, reason, clues) : SATSWEEP_FINE;
}

/* Return whether a board has so few layouts that it is searched from its first cell on. */
static int is_narrow(int32_t cells, int32_t mines) {
    int64_t layouts = 1;
    if (cells > NARROW_BOARD) return 0;
    if (mines > cells - mines) mines = cells - mines;
    for (int32_t placed = 0; placed < mines; placed++) {
        layouts = layouts * (cells - placed) / (placed + 1);
        if (layouts > ROOT) return 0;
    }
    return 1;
}

/* Prepare the deep player for a board. */
static int prepare(Room *room, int32_t mines, int level) {
    if (level < 1 || level > LEVELS) return SATSWEEP_ARGUMENT;
    if (!room->deep) return SATSWEEP_TOO_SMALL;
    room->posed = room->guessed = 0;
    if (room->level != level) {
        room->level = level;
        for (size_t place = 0; place < sizeof *DEPTHS / sizeof **DEPTHS; place++)
            float_at(record(room), AT_param)[place] = DEPTHS[level][place];
    }
    if (room->board == mines) return SATSWEEP_FINE;
    const int whole = is_narrow(room->cells, mines);
    *word_at(record(room), AT_root) = whole;
    *word_at(record(room), AT_room) = (int64_t)room->rooms[whole ? WHOLE : ENDGAMES];
    call(room, lookahead_deep_player_begin, (int64_t)mines);
    room->board = mines;
    return SATSWEEP_FINE;
}

int satsweep_guess(
    void *memory, const int8_t *symbols, int32_t mines, int level, int32_t *cell, double *chance, int32_t *exact) {
    Room *room = begun(memory);
    int32_t known;
    int code = check_position(room, symbols, mines, &known);
    if (!code && !(cell && chance && exact)) code = SATSWEEP_ARGUMENT;
    if (!code) code = prepare(room, mines, level);
    if (code) return code;
    call(room, lookahead_deep_player_consult, line(symbols, (int64_t)room->cells), (int64_t)mines, (int64_t)1);
    if (room->result[0]) return (int)room->result[0];
    *cell = (int32_t)*word_at(record(room), AT_reply);
    *chance = *float_at(record(room), AT_value);
    *exact = (int32_t)*word_at(record(room), AT_exact);
    room->guessed = 1;
    return SATSWEEP_FINE;
}

int satsweep_candidates(void *memory, int32_t *cells, double *scores, int32_t most, int32_t *count) {
    Room *room = begun(memory);
    if (!room || !count || most < 0 || (most && !(cells && scores)) || !room->guessed) return SATSWEEP_ARGUMENT;
    *count = *word_at(record(room), AT_exact) ? 0 : (int32_t)*word_at(record(room), AT_n_tied);
    const int32_t *tied = (const int32_t *)(record(room) + AT_tied);
    for (int32_t at = 0; at < *count && at < most; at++) {
        cells[at] = tied[at];
        scores[at] = float_at(record(room), AT_score)[at];
    }
    return SATSWEEP_FINE;
}

int satsweep_roll_out(
    void *memory, const int8_t *symbols, int32_t mines, int level, int64_t salt, const int32_t *cells, int32_t count,
    int32_t worlds, double *values) {
    Room *room = begun(memory);
    int32_t known;
    int code = check_position(room, symbols, mines, &known);
    if (!code && (!cells || count < 1 || worlds < 1 || !values)) code = SATSWEEP_ARGUMENT;
    for (int32_t at = 0; !code && at < count; at++)
        if (cells[at] < 0 || cells[at] >= room->cells || symbols[cells[at]] != SATSWEEP_COVERED)
            code = SATSWEEP_ARGUMENT;
    if (!code) code = prepare(room, mines, level);
    if (code) return code;
    double *const player = float_at(inner_record(room), AT_param);
    for (size_t place = 0; place < sizeof *DEPTHS / sizeof **DEPTHS; place++) player[place] = DEPTHS[level][place];
    for (int64_t at = 0; at < (int64_t)worlds * count; at++) values[at] = -1;
    call(room, lookahead_rollouts_roll_out_cells, line(symbols, (int64_t)room->cells), (int64_t)mines,
         line(cells, (int64_t)count), salt, table(values, (int64_t)worlds, (int64_t)count));
    for (size_t place = 0; place < sizeof *DEPTHS / sizeof **DEPTHS; place++) player[place] = DEPTHS[0][place];
    return room->result[0] == FORCED ? SATSWEEP_ARGUMENT : (int)room->result[0];
}

int satsweep_endgame(void *memory, uint8_t *shown, int32_t worlds, int32_t cells) {
    Room *room = begun(memory);
    if (!room || !shown || worlds < 1 || cells < 1) return SATSWEEP_ARGUMENT;
    if (!room->deep) return SATSWEEP_TOO_SMALL;
    /* The room of the deep player, which is prepared again when it is asked. */
    room->board = -1;
    room->posed = room->guessed = 0;
    *word_at(record(room), AT_room) = (int64_t)room->rooms[cells <= NARROW_BOARD ? WHOLE : ENDGAMES];
    call_record(room, endgame_listed_pose_listed, record(room), table(shown, (int64_t)worlds, (int64_t)cells));
    room->posed = room->result[0] == 1 ? worlds : 0;
    return room->posed ? SATSWEEP_FINE : room->result[0] ? SATSWEEP_ARGUMENT : SATSWEEP_TOO_LARGE;
}

int satsweep_endgame_value(void *memory, const int32_t *worlds, int32_t count, int32_t *value) {
    Room *room = begun(memory);
    if (!room || !worlds || count < 1 || !value) return SATSWEEP_ARGUMENT;
    for (int32_t at = 0; at < count; at++)
        if (worlds[at] < (at ? worlds[at - 1] + 1 : 0) || worlds[at] >= room->posed) return SATSWEEP_ARGUMENT;
    call_record(room, endgame_listed_search_listed, record(room), line(worlds, (int64_t)count));
    *value = (int32_t)room->result[0];
    return room->result[0] == room->result[1] ? SATSWEEP_FINE : SATSWEEP_TOO_LARGE;
}

/* Check a seed; return the length of its text with a number, 0 if it is too long. */
static size_t begin_seed(char *text, const char *seed, int64_t number) {
    size_t length = 0;
    while (seed[length]) {
        if (length == MOST_SEED) return 0;
        text[length] = seed[length];
        length++;
    }
    text[length++] = '/';
    if (number >= 0) return length + put_number(text + length, number);
    for (const char *pilot = "pilot"; *pilot; pilot++) text[length++] = *pilot;
    return length;
}

/* Play a game on a layout, or (null) on one that is drawn. */
static int play(
    Room *room, const int8_t *layout, int32_t mines, const char *seed, int64_t number, int first, int32_t start,
    int level, satsweep_game *game, int8_t *mined, int32_t *moves, int32_t most, double *estimates) {
    char text[SEED_ROOM];
    if (!room || !seed || number < 0 || !game || mines < 0 || start < -1 || start >= room->cells)
        return SATSWEEP_ARGUMENT;
    if (first < SATSWEEP_ANY || first > SATSWEEP_GIVEN || most < 0 || (most && !moves)) return SATSWEEP_ARGUMENT;
    if (room->cells > CELLS) return SATSWEEP_TOO_LARGE;
    if (mines > room->cells) return SATSWEEP_IMPOSSIBLE;
    const size_t length = begin_seed(text, seed, number);
    if (!length) return SATSWEEP_ARGUMENT;
    const int code = level ? prepare(room, mines, level) : SATSWEEP_FINE;
    if (code) return code;
    room->guessed = 0;
    *word_at(record(room), AT_level) = level != 0;
    const int64_t cells = room->cells, begins = start, given = layout != 0;
    int64_t words = (int64_t)key_of(text, length, room->key);
    for (size_t at = 0; at < sizeof *game / sizeof game->outcome; at++) (&game->outcome)[at] = 0;
    call(room, games_player_play_block, table(room->key, (int64_t)1, words), line(&words, 1),
         table(layout, given, cells), line(&begins, 1), (int64_t)mines, (int64_t)first, (int64_t)1, (int64_t)1,
         0, 0, (int64_t)1, (int64_t)RESULT_BYTES, (void *)game, (int64_t)1, (int64_t)RESULT_BYTES,
         table(moves, (int64_t)most, (int64_t)4), table(estimates, (int64_t)(estimates != 0), (int64_t)2));
    if (game->outcome == BEYOND) return SATSWEEP_TOO_LARGE;
    if (game->outcome == NO_ROOM) return SATSWEEP_IMPOSSIBLE;
    game->moves = (int32_t)room->result[0];
    for (int64_t cell = 0; mined && cell < cells; cell++) mined[cell] = record(room)[AT_mine + cell];
    return SATSWEEP_FINE;
}

int satsweep_play(
    void *memory, int32_t mines, const char *seed, int64_t number, int first, int32_t start, int level,
    satsweep_game *game, int8_t *mined, int32_t *moves, int32_t most) {
    return play(begun(memory), 0, mines, seed, number, first, start, level, game, mined, moves, most, 0);
}

int satsweep_play_layout(
    void *memory, int8_t *layout, const char *seed, int64_t number, int first, int32_t start, int level,
    satsweep_game *game, int32_t *moves, int32_t most) {
    Room *room = begun(memory);
    int32_t mines = 0;
    if (!room || !layout) return SATSWEEP_ARGUMENT;
    for (int32_t cell = 0; cell < room->cells; cell++) {
        if (layout[cell] & ~1) return SATSWEEP_ARGUMENT;
        mines += layout[cell];
    }
    return play(room, layout, mines, seed, number, first, start, level, game, layout, moves, most, 0);
}

int satsweep_chances(
    void *memory, int32_t mines, const char *seed, int first, int32_t start, int level, int32_t games,
    double *chances) {
    Room *room = begun(memory);
    satsweep_game game;
    double estimates[2];
    if (!room || level < 1 || games < 1 || !chances) return SATSWEEP_ARGUMENT;
    if (room->cells > CELLS) return SATSWEEP_TOO_LARGE;
    for (int32_t number = 0; number < games; number++) {
        const int code = play(room, 0, mines, seed, number, first, start, level, &game, 0, 0, 0, estimates);
        if (code && code != SATSWEEP_TOO_LARGE) return code;
        chances[number] = code ? __builtin_nan("") : (estimates[0] < 0 ? game.won : estimates[0]) - estimates[1];
    }
    return SATSWEEP_FINE;
}

int satsweep_deal(
    void *memory, int32_t mines, const char *seed, int64_t number, int32_t start, int zero, int8_t *mined) {
    Room *room = begun(memory);
    char text[SEED_ROOM];
    if (!room || !seed || number < 0 || !mined || mines < 0 || start < -1 || start >= room->cells)
        return SATSWEEP_ARGUMENT;
    if (room->cells > CELLS) return SATSWEEP_TOO_LARGE;
    if (mines > room->cells) return SATSWEEP_IMPOSSIBLE;
    const size_t length = begin_seed(text, seed, number);
    if (!length) return SATSWEEP_ARGUMENT;
    const int64_t words = (int64_t)key_of(text, length, room->key), cells = room->cells;
    call(room, games_no_guess_deal, line(room->key, words), words, (int64_t)mines, (int64_t)start,
         (int64_t)(zero != 0), line(mined, cells));
    return room->result[0] ? SATSWEEP_FINE : SATSWEEP_IMPOSSIBLE;
}

int satsweep_no_guess(
    void *memory, int32_t mines, const char *seed, int64_t number, int32_t start, int zero, int64_t candidates,
    int64_t changes, int8_t *mined) {
    int64_t candidate = 0;
    if (number < 0) return SATSWEEP_ARGUMENT;
    return satsweep_no_guess_by(
        memory, SATSWEEP_ALL, mines, seed, number, start, zero, &candidate, candidates, changes, mined);
}

int satsweep_no_guess_by(
    void *memory, int technique, int32_t mines, const char *seed, int64_t number, int32_t start, int zero,
    int64_t *candidate, int64_t candidates, int64_t changes, int8_t *mined) {
    Room *room = begun(memory);
    char text[SEED_ROOM];
    if (!room || !seed || number < -1 || !mined || mines < 0 || start < 0 || start >= room->cells)
        return SATSWEEP_ARGUMENT;
    if (technique < SATSWEEP_SINGLE || technique > SATSWEEP_PAIRS) return SATSWEEP_ARGUMENT;
    if (!candidate || *candidate < 0 || candidates < 1 || changes < 0) return SATSWEEP_ARGUMENT;
    if (*candidate > INT64_MAX - candidates) return SATSWEEP_ARGUMENT;
    if (room->cells > CELLS) return SATSWEEP_TOO_LARGE;
    if (mines > room->cells) return SATSWEEP_IMPOSSIBLE;
    size_t run = begin_seed(text, seed, number);
    if (!run) return SATSWEEP_ARGUMENT;
    text[run++] = '/';
    const int64_t cells = room->cells, from = start, none = 0, free = zero != 0, known = technique;
    for (; candidates; candidates--, ++*candidate) {
        int64_t words = (int64_t)key_of(text, run + put_number(text + run, *candidate), room->key);
        int64_t outcome;
        if (changes) {
            call(room, games_repair_repair, line(room->key, words), words, (int64_t)mines, from, free, known, none,
                 changes, line(room->random, WORDS + 1), line(room->layout, cells), table(room->layout, none, cells));
            outcome = room->result[0];
        } else {
            call(room, games_no_guess_search, table(room->key, (int64_t)1, words), line(&words, 1),
                 table(room->layout, none, cells), (int64_t)mines, from, free, known, line(room->layout, cells));
            outcome = room->result[1];
        }
        if (outcome == BEYOND) return SATSWEEP_TOO_LARGE;
        if (outcome == NO_ROOM) return SATSWEEP_IMPOSSIBLE;
        if (outcome == STUCK) continue;
        for (int64_t cell = 0; cell < cells; cell++) mined[cell] = room->layout[cell];
        return SATSWEEP_FINE;
    }
    return SATSWEEP_NOT_FOUND;
}

/* The interface of satsweep.h: plain functions that call the kernels.

   A kernel gets the address of its result, an address that errors would use, and words: an array is seven words and
   more (satsweep/kernels/toolchain/marks.py). `layout.h` is written by the build: it has the limits, the places of
   fields in the working record, the parameters of the deep player, and the rooms of its search. */

#define SATSWEEP_API PUBLIC
#include "platform.h"
#include "satsweep.h"

#include "layout.h"

#define LINE Word, Word, Word, Word, Word, Word, Word
#define TABLE LINE, Word, Word
#define line(array, count) 0, 0, (count), sizeof *(array), (Word)(intptr_t)(array), (count), sizeof *(array)
#define table(array, rows, columns)                                                                  \
    0, 0, (Word)(rows) * (columns), sizeof *(array), (Word)(intptr_t)(array), (rows), (columns),        \
        (Word)sizeof *(array) * (columns), sizeof *(array)
#define KERNEL(name, ...) int32_t satsweep_kernels_##name(Word *result, void **error, __VA_ARGS__)

KERNEL(position_solver_assess, TABLE, Word, TABLE, LINE, TABLE, LINE);
KERNEL(position_counts_count_position, TABLE, Word, LINE, LINE, LINE, LINE);
KERNEL(lookahead_guess_begin, TABLE, Word, Word);
KERNEL(lookahead_guess_consult, TABLE, Word, LINE, Word, Word);
KERNEL(games_player_play_block, TABLE, Word, TABLE, LINE, TABLE, LINE, Word, Word, Word, Word, LINE, TABLE, TABLE);
KERNEL(games_no_guess_search, TABLE, Word, TABLE, LINE, TABLE, Word, Word, Word, Word, LINE);
KERNEL(games_no_guess_repair, TABLE, Word, LINE, Word, Word, Word, Word, Word, Word, Word, LINE, LINE);

enum { READY = 0x53415453, DIGEST = 64, TEXT = 256, KEY = (TEXT + DIGEST) / 4 };
/* Limbs of a number of `cells` bits with room for a product by a word. */
#define LIMBS(cells) ((cells) / 32 + 3)
enum { POOL = SPAN * LIMBS(CELLS) };

typedef struct {
    Word ready, deep, rows, cols, degree, mines, level;
    int32_t neighbours[CELLS * DEGREE];
    double risks[CELLS];
    int32_t order[CELLS], shape[HEAD + 5 * CELLS];
    uint32_t generator[GENERATOR], key[KEY], length;
    double ways[FLOATS];
    uint32_t coefficients[POOL], sum[LIMBS(CELLS)], binomial[LIMBS(CELLS)];
} State;

/* Places in the memory of the caller. */
#define UP(bytes) (((bytes) + 63) & ~(size_t)63)
#define RECORD UP(sizeof(State))
#define INNER (RECORD + UP(RECORD_BYTES))
#define ROOMS (INNER + UP(RECORD_BYTES))

static char *record_of(State *state) { return (char *)state + RECORD; }
#define WORK(state) (Word)(intptr_t)record_of(state)
#define NEIGHBOURS_OF(state, cells) table((state)->neighbours, (cells), (state)->degree)

size_t satsweep_bytes(int deep) { return deep ? ROOMS + UP(ROOM_BYTES) : INNER; }

/* Describe a room whose arrays begin at `base`. */
static void furnish(Word *words, const Word *given, int count, const short *places, int arrays, char *base) {
    for (int at = 0; at < count; at++) words[at] = given[at];
    for (int at = 0; at < arrays; at++) words[places[at]] += (Word)(intptr_t)base;
}

int satsweep_begin(void *memory, size_t bytes) {
    State *state = memory;
    if (!state || (uintptr_t)memory % 16) return SATSWEEP_INVALID;
    if (!satsweep_runs_here()) return SATSWEEP_PROCESSOR;
    if (bytes < satsweep_bytes(0)) return SATSWEEP_TOO_SMALL;
    if (state->ready == READY) return SATSWEEP_INVALID;
    state->level = -1;
    state->deep = bytes >= satsweep_bytes(1);
    if (state->deep) {
        char *rooms = (char *)memory + ROOMS, *inner = (char *)memory + INNER;
        for (int room = 0; room < ROOM_COUNT; room++) {
            Word *words = (Word *)(rooms + ROOM_WORDS * sizeof(Word) * room);
            furnish(words, ROOM_GIVEN[room], ROOM_WORDS, ROOM_PLACES, ROOM_ARRAYS, rooms);
        }
        for (int fill = 0; fill < ROOM_FILLS; fill++)
            for (Word at = 0; at < ROOM_FILL[fill][1]; at++)
                ((Word *)(rooms + ROOM_FILL[fill][0]))[at] = ROOM_FILL[fill][2];
        for (int at = 0; at < PARAMETERS; at++) ((double *)(inner + AT_PARAM))[at] = DEPTHS[0][at];
        *(Word *)(inner + AT_ROOM) = (Word)(intptr_t)(rooms + ROOM_WORDS * sizeof(Word) * ROOM_INNER);
        *(Word *)(record_of(state) + AT_INNER) = (Word)(intptr_t)inner;
    }
    state->ready = READY;
    return SATSWEEP_OK;
}

/* Set a neighbour of a cell. Returns whether that is a change. */
static int put(State *state, Word place, int32_t neighbour) {
    int changed = state->neighbours[place] != neighbour;
    state->neighbours[place] = neighbour;
    return changed;
}

/* Set the neighbours of all cells; what the deep player knows of another board is forgotten. */
static int take_board(State *state, const satsweep_board *board) {
    if (!state || state->ready != READY || !board || board->rows < 1 || board->cols < 1) return SATSWEEP_INVALID;
    const Word cells = (Word)board->rows * board->cols;
    const Word degree = board->neighbours ? board->degree : 8;
    if (cells > CELLS) return SATSWEEP_TOO_LARGE;
    if (board->mines < 0 || board->mines > cells || degree < 1) return SATSWEEP_INVALID;
    if (degree > DEGREE) return SATSWEEP_TOO_LARGE;
    int changed = state->rows != board->rows || state->cols != board->cols || state->degree != degree;
    state->rows = board->rows, state->cols = board->cols, state->degree = degree;
    for (Word cell = 0; cell < cells; cell++) {
        Word place = cell * degree, end = place + degree;
        if (board->neighbours) {
            for (Word at = place; at < end; at++) {
                int32_t other = board->neighbours[at], ends = at > place && board->neighbours[at - 1] < 0;
                if (other < -1 || other >= cells || other == cell || (ends && other >= 0)) goto invalid;
                int touched = other < 0;
                for (Word back = 0; other >= 0 && back < degree; back++)
                    touched |= board->neighbours[other * degree + back] == cell;
                for (Word back = place; back < at; back++) touched &= other < 0 || board->neighbours[back] != other;
                if (!touched) goto invalid;
                changed |= put(state, at, other);
            }
            continue;
        }
        const Word row = cell / board->cols, col = cell % board->cols;
        for (Word r = row - 1; r <= row + 1; r++)
            for (Word c = col - 1; c <= col + 1; c++)
                if (r >= 0 && r < board->rows && c >= 0 && c < board->cols && (r != row || c != col))
                    changed |= put(state, place++, (int32_t)(r * board->cols + c));
        while (place < end) changed |= put(state, place++, -1);
    }
    if (changed) state->level = -1;
    return SATSWEEP_OK;
invalid:
    state->rows = 0;
    return SATSWEEP_INVALID;
}

/* Check the symbols of a position. */
static int take_position(State *state, const satsweep_board *board, const int8_t *symbols) {
    const int code = take_board(state, board);
    if (code || !symbols) return code ? code : SATSWEEP_INVALID;
    for (Word cell = 0; cell < (Word)board->rows * board->cols; cell++) {
        int touched = 0;
        while (touched < state->degree && state->neighbours[cell * state->degree + touched] >= 0) touched++;
        if (symbols[cell] < SATSWEEP_OPEN || symbols[cell] > touched) return SATSWEEP_INVALID;
    }
    return SATSWEEP_OK;
}

/* The code of a status: fine, wide or impossible. */
static int code_of(Word status) {
    return status == 0 ? SATSWEEP_OK : status == 1 ? SATSWEEP_TOO_LARGE : SATSWEEP_IMPOSSIBLE;
}

int satsweep_risks(void *memory, const satsweep_board *board, const int8_t *symbols, double *risks) {
    State *state = memory;
    const int code = take_position(state, board, symbols);
    if (code || !risks) return code ? code : SATSWEEP_INVALID;
    const Word cells = (Word)board->rows * board->cols;
    Word result = 0, mines = board->mines;
    void *error = 0;
    int8_t status = 1;
    satsweep_kernels_position_solver_assess(&result, &error, NEIGHBOURS_OF(state, cells), WORK(state),
                                            table(symbols, 1, cells), line(&mines, 1), table(risks, 1, cells),
                                            line(&status, 1));
    return code_of(status);
}

/* Numbers of many limbs, the lowest first. */
static void add_product(uint32_t *sum, const uint32_t *number, uint32_t factor, int limbs) {
    uint64_t carry = 0;
    for (int at = 0; at < limbs; at++) {
        carry += (uint64_t)number[at] * factor + sum[at];
        sum[at] = (uint32_t)carry;
        carry >>= 32;
    }
}

static uint32_t divide(uint32_t *number, uint32_t divisor, int limbs) {
    uint64_t rest = 0;
    while (limbs--) {
        rest = rest << 32 | number[limbs];
        number[limbs] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    return (uint32_t)rest;
}

static void multiply(uint32_t *number, uint32_t factor, int limbs) {
    uint64_t carry = 0;
    for (int at = 0; at < limbs; at++) {
        carry += (uint64_t)number[at] * factor;
        number[at] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void clear(uint32_t *number, Word limbs) {
    for (Word at = 0; at < limbs; at++) number[at] = 0;
}

/* Write a number as decimal text, and end it. */
static int write_number(uint32_t *number, int limbs, char *text, size_t size) {
    size_t end = 0;
    while (limbs && !number[limbs - 1]) limbs--;
    if (!limbs) return SATSWEEP_IMPOSSIBLE;
    while (limbs) {
        if (end + 1 >= size) return SATSWEEP_TOO_SMALL;
        text[end++] = (char)('0' + divide(number, 10, limbs));
        while (limbs && !number[limbs - 1]) limbs--;
    }
    text[end] = 0;
    for (size_t at = 0; at < end / 2; at++) {
        const char last = text[end - 1 - at];
        text[end - 1 - at] = text[at], text[at] = last;
    }
    return SATSWEEP_OK;
}

int satsweep_worlds(void *memory, const satsweep_board *board, const int8_t *symbols, char *text, size_t size) {
    State *state = memory;
    const int code = take_position(state, board, symbols);
    if (code || !text || !size) return code ? code : SATSWEEP_INVALID;
    const Word cells = (Word)board->rows * board->cols;
    Word status = 1, rest = board->mines;
    void *error = 0;
    satsweep_kernels_position_counts_count_position(&status, &error, NEIGHBOURS_OF(state, cells), WORK(state),
                                                    line(symbols, cells), line(state->order, cells),
                                                    line(state->shape, HEAD + 5 * cells), line(state->ways, FLOATS));
    if (status) return code_of(status);
    for (Word cell = 0; cell < cells; cell++) rest -= symbols[cell] == SATSWEEP_MINE;
    rest -= state->shape[1];
    const Word sea = state->shape[2];
    const int limbs = LIMBS(cells);
    Word count = 1, place = HEAD, at = 0;
    clear(state->coefficients, limbs);
    state->coefficients[0] = 1;
    for (Word component = 0; component < state->shape[3]; component++) {
        const Word groups = state->shape[place], low = state->shape[place + 1], span = state->shape[place + 2];
        if ((count + span) * limbs > POOL) return SATSWEEP_TOO_LARGE;
        for (Word mines = count + span - 2; mines >= 0; mines--) {
            clear(state->sum, limbs);
            for (Word own = 0; own < span && own <= mines; own++) {
                if (mines - own >= count) continue;
                const uint32_t *others = state->coefficients + (mines - own) * limbs;
                const uint64_t ways = (uint64_t)state->ways[at + own];
                add_product(state->sum, others, (uint32_t)ways, limbs);
                add_product(state->sum + 1, others, (uint32_t)(ways >> 32), limbs - 1);
            }
            for (int limb = 0; limb < limbs; limb++) state->coefficients[mines * limbs + limb] = state->sum[limb];
        }
        count += span - 1, rest -= low, at += span * (groups + 1), place += 4 + groups;
    }
    /* Mines in the sea, from the fewest on: its binomials follow from each other. */
    clear(state->sum, limbs), clear(state->binomial, limbs);
    state->binomial[0] = 1;
    for (Word mines = 0; mines <= sea && mines <= rest; mines++) {
        if (rest - mines < count)
            for (int limb = 0; limb < limbs; limb++)
                add_product(state->sum + limb, state->coefficients + (rest - mines) * limbs, state->binomial[limb],
                            limbs - limb);
        multiply(state->binomial, (uint32_t)(sea - mines), limbs);
        divide(state->binomial, (uint32_t)(mines + 1), limbs);
    }
    return write_number(state->sum, limbs, text, size);
}

/* Let the deep player know its level, the board and its mines. */
static int prepare(State *state, const satsweep_board *board, int level) {
    const Word cells = (Word)board->rows * board->cols;
    char *record = record_of(state);
    if (level < 1 || level >= LEVELS) return SATSWEEP_INVALID;
    if (!state->deep) return SATSWEEP_TOO_SMALL;
    for (int at = 0; at < PARAMETERS; at++) ((double *)(record + AT_PARAM))[at] = DEPTHS[level][at];
    if (state->level >= 0 && state->mines == board->mines) return SATSWEEP_OK;
    uint64_t layouts = cells <= NARROW_BOARD ? 1 : ROOT + 1;
    for (Word mines = 0; mines < board->mines && layouts <= ROOT; mines++)
        layouts = layouts * (uint64_t)(cells - mines) / (uint64_t)(mines + 1);
    const int room = layouts && layouts <= ROOT ? ROOM_ROOT : ROOM_OUTER;
    *(Word *)(record + AT_ROOT) = room == ROOM_ROOT;
    *(Word *)(record + AT_ROOM) = (Word)(intptr_t)((char *)state + ROOMS + ROOM_WORDS * sizeof(Word) * room);
    Word result = 0;
    void *error = 0;
    satsweep_kernels_lookahead_guess_begin(&result, &error, NEIGHBOURS_OF(state, cells), WORK(state), board->mines);
    state->level = level, state->mines = board->mines;
    return SATSWEEP_OK;
}

int satsweep_guess(void *memory, const satsweep_board *board, const int8_t *symbols, int level, int32_t *cell,
                   double *risk, double *win) {
    State *state = memory;
    if (!cell || !risk || !win) return SATSWEEP_INVALID;
    int code = take_position(state, board, symbols);
    if (!code) code = prepare(state, board, level);
    if (!code) code = satsweep_risks(memory, board, symbols, state->risks);
    if (code) return code;
    const Word cells = (Word)board->rows * board->cols;
    int playable = 0;
    for (Word at = 0; at < cells; at++) {
        if (state->risks[at] == 0) {
            *cell = (int32_t)at, *risk = 0, *win = -1;
            return SATSWEEP_OK;
        }
        playable |= state->risks[at] < 1;
    }
    if (!playable) return SATSWEEP_NONE;
    Word status = 1;
    void *error = 0;
    satsweep_kernels_lookahead_guess_consult(&status, &error, NEIGHBOURS_OF(state, cells), WORK(state),
                                             line(symbols, cells), board->mines, 1);
    if (status) return code_of(status);
    const char *record = record_of(state);
    *cell = (int32_t)*(const Word *)(record + AT_REPLY), *win = *(const double *)(record + AT_VALUE);
    *risk = state->risks[*cell];
    return SATSWEEP_OK;
}

/* SHA-512 (FIPS 180-4), of a text of at most TEXT bytes. */
static uint64_t turned(uint64_t word, int by) { return word >> by | word << (64 - by); }

static void sha512(const unsigned char *text, int length, unsigned char *digest) {
    uint64_t hash[8], words[80];
    unsigned char padded[TEXT + 128];
    const int blocks = (length + 17 + 127) / 128;
    for (int at = 0; at < blocks * 128; at++) padded[at] = at < length ? text[at] : at == length ? 0x80 : 0;
    padded[blocks * 128 - 2] = (unsigned char)(length >> 5), padded[blocks * 128 - 1] = (unsigned char)(length << 3);
    for (int at = 0; at < 8; at++) hash[at] = SHA_START[at];
    for (int block = 0; block < blocks; block++) {
        for (int at = 0; at < 16; at++) {
            words[at] = 0;
            for (int byte = 0; byte < 8; byte++) words[at] = words[at] << 8 | padded[128 * block + 8 * at + byte];
        }
        for (int at = 16; at < 80; at++) {
            const uint64_t early = words[at - 15], late = words[at - 2];
            words[at] = words[at - 16] + words[at - 7] + (turned(early, 1) ^ turned(early, 8) ^ early >> 7) +
                        (turned(late, 19) ^ turned(late, 61) ^ late >> 6);
        }
        uint64_t v[8];
        for (int at = 0; at < 8; at++) v[at] = hash[at];
        for (int at = 0; at < 80; at++) {
            const uint64_t chosen = (v[4] & v[5]) ^ (~v[4] & v[6]), most = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
            const uint64_t one = v[7] + (turned(v[4], 14) ^ turned(v[4], 18) ^ turned(v[4], 41)) + chosen +
                                 SHA_ROUND[at] + words[at];
            const uint64_t two = (turned(v[0], 28) ^ turned(v[0], 34) ^ turned(v[0], 39)) + most;
            for (int place = 7; place > 0; place--) v[place] = v[place - 1];
            v[4] += one, v[0] = one + two;
        }
        for (int at = 0; at < 8; at++) hash[at] += v[at];
    }
    for (int at = 0; at < DIGEST; at++) digest[at] = (unsigned char)(hash[at / 8] >> (56 - 8 * (at % 8)));
}

/* Write the key of Python's `Random(text)`: the text and its SHA-512 as words, the lowest first. */
static int write_key(State *state, const char *seed, const char *middle, int64_t number) {
    unsigned char text[TEXT + DIGEST], digits[20];
    int length = 0, count = 0;
    if (!seed || number < 0) return SATSWEEP_INVALID;
    while (*seed && length < TEXT - 40) text[length++] = (unsigned char)*seed++;
    if (*seed) return SATSWEEP_TOO_LARGE;
    while (*middle) text[length++] = (unsigned char)*middle++;
    do digits[count++] = (unsigned char)('0' + number % 10);
    while (number /= 10);
    while (count) text[length++] = digits[--count];
    sha512(text, length, text + length);
    length += DIGEST;
    clear(state->key, KEY);
    for (int at = 0; at < length; at++) state->key[at / 4] |= (uint32_t)text[length - 1 - at] << 8 * (at % 4);
    state->length = (uint32_t)(length + 3) / 4;
    return SATSWEEP_OK;
}

int satsweep_play(void *memory, const satsweep_board *board, const char *seed, int64_t game, int level, int first,
                  int32_t start, satsweep_game *result, int32_t (*moves)[4], int32_t room) {
    State *state = memory;
    int code = take_board(state, board);
    if (!code) code = write_key(state, seed, "/", game);
    if (!code && level) code = prepare(state, board, level);
    if (code) return code;
    const Word cells = (Word)board->rows * board->cols;
    if (!result || first < SATSWEEP_ANY || first > SATSWEEP_ZERO || start < -1 || start >= cells || room < 0 ||
        (room && !moves))
        return SATSWEEP_INVALID;
    Word count = 0, length = state->length, begin = start;
    struct { int32_t measures[MEASURES]; } *row = (void *)result;
    int32_t(*none)[4] = (void *)state->order;
    double(*estimates)[2] = (void *)state->ways;
    int8_t *layouts = (void *)state->order;
    void *error = 0;
    for (int at = 0; at < MEASURES; at++) row->measures[at] = 0;
    *(Word *)(record_of(state) + AT_LEVEL) = level > 0;
    satsweep_kernels_games_player_play_block(&count, &error, NEIGHBOURS_OF(state, cells), WORK(state),
                                             table(state->key, 1, length), line(&length, 1),
                                             table(layouts, 0, cells), line(&begin, 1), board->mines, first, 1, 1,
                                             line(row, 1), 0, 0, (Word)room * 4, 4, (Word)(intptr_t)(room ? moves : none),
                                             room, 4, 16, 4, 0, 0, 0, 8, (Word)(intptr_t)estimates, 0, 2, 16, 8);
    result->moves = (int32_t)count;
    return result->outcome == OUTCOME_BEYOND ? SATSWEEP_TOO_LARGE : result->outcome == OUTCOME_NO_ROOM ? SATSWEEP_NONE
                                                                                                      : SATSWEEP_OK;
}

int satsweep_no_guess(void *memory, const satsweep_board *board, const char *seed, int32_t start, int first,
                      int32_t changes, int64_t most, int8_t *layout, int64_t *tried) {
    State *state = memory;
    int code = take_board(state, board);
    if (code) return code;
    const Word cells = (Word)board->rows * board->cols;
    if (!layout || start < 0 || start >= cells || changes < 0 || (first != SATSWEEP_SAFE && first != SATSWEEP_ZERO))
        return SATSWEEP_INVALID;
    for (int64_t candidate = 0; candidate < most; candidate++) {
        if ((code = write_key(state, seed, "/0/", candidate))) return code;
        Word found[2] = {0, 0}, length = state->length;
        void *error = 0;
        if (changes)
            satsweep_kernels_games_no_guess_repair(found, &error, NEIGHBOURS_OF(state, cells), WORK(state),
                                                   line(state->key, length), length, board->mines, start,
                                                   first == SATSWEEP_ZERO, 1, 0, changes,
                                                   line(state->generator, GENERATOR), line(layout, cells));
        else
            satsweep_kernels_games_no_guess_search(found, &error, NEIGHBOURS_OF(state, cells), WORK(state),
                                                   table(state->key, 1, length), line(&length, 1),
                                                   table(layout, 0, cells), board->mines, start,
                                                   first == SATSWEEP_ZERO, 1, line(layout, cells));
        const Word outcome = found[changes ? 0 : 1];
        if (tried) *tried = candidate + 1;
        if (outcome == OUTCOME_CLEARED) return SATSWEEP_OK;
        if (outcome == OUTCOME_BEYOND) return SATSWEEP_TOO_LARGE;
        if (outcome == OUTCOME_NO_ROOM) break;
    }
    return SATSWEEP_NONE;
}

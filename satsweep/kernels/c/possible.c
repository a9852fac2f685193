/* Whether some numbers, and perhaps the mine total, have a layout.

   What single numbers decide is decided first. Then come the groups of cells that the same numbers touch, one after the
   other: a state is what each open number still needs. Without the mine total one way to each state is kept, so that
   there is a layout at the end; with it, the sums of mines that lead to the state (a dynamic program). */

#include "reasons.h"

#define MOST_STEPS (1LL << 24) /* transitions between states, for one reason */

static void add_constraint(reasons *r, int32_t con, int32_t number, int32_t need) {
    r->number[con] = number;
    r->need[con] = need;
    r->size[con] = r->con_groups[con] = 0;
    r->chosen[con] = r->kept[con] = r->best[con] = 0;
}

/* The group of a cell that these constraints touch, perhaps a new one. */
static int32_t group_for(reasons *r, const int32_t *cons, int32_t count) {
    for (int32_t place = 0; place < r->con_groups[cons[0]]; place++) {
        const int32_t group = r->con_group[cons[0]][place];
        int32_t same = 0;
        while (r->group_cons[group] == count && same < count && r->group_con[group][same] == cons[same]) same++;
        if (same == count) return group;
    }
    const int32_t group = r->groups++;
    r->group_size[group] = 0;
    r->group_cons[group] = count;
    for (int32_t place = 0; place < count; place++) {
        r->group_con[group][place] = cons[place];
        r->con_group[cons[place]][r->con_groups[cons[place]]++] = group;
    }
    return group;
}

/* Order groups: the next are those of the open constraint with the fewest left. */
static void order_groups(reasons *r) {
    const int32_t cons = r->cons + (r->assumed >= 0);
    int32_t placed = 0, waiting = 0;
    for (int32_t group = 0; group < r->groups; group++) r->known[group] = 0;
    for (int32_t con = 0; con < cons; con++) r->room[con] = r->con_groups[con], r->seen[con] = 0;
    for (int32_t first = cons - 1; first >= 0; first--) {
        if (!r->seen[first]) r->seen[first] = 1, r->waiting[waiting++] = first;
        while (waiting) {
            int32_t least = 0;
            for (int32_t at = 1; at < waiting; at++)
                if (r->room[r->waiting[at]] < r->room[r->waiting[least]]) least = at;
            const int32_t con = r->waiting[least];
            r->waiting[least] = r->waiting[--waiting];
            for (int32_t place = 0; place < r->con_groups[con]; place++) {
                const int32_t group = r->con_group[con][place];
                if (r->known[group]) continue;
                r->known[group] = 1;
                r->order[placed++] = group;
                for (int32_t turn = 0; turn < r->group_cons[group]; turn++) {
                    const int32_t other = r->group_con[group][turn];
                    r->room[other]--;
                    if (!r->seen[other]) r->seen[other] = 1, r->waiting[waiting++] = other;
                }
            }
        }
    }
}

void read_reasons(
    reasons *r, const int32_t *neighbours, int32_t cells, int32_t degree, const int8_t *symbols, int32_t mines,
    int32_t cell, int mine) {
    r->neighbours = neighbours;
    r->cells = cells, r->degree = degree, r->left = mines;
    r->covered = r->cons = r->groups = r->corrections = r->tests = 0;
    r->steps = 0;
    if (r->stamp > UINT32_MAX / 2) {
        for (int32_t at = 0; at < 2 * STATES; at++) r->table[at] = 0;
        r->stamp = 0;
    }
    for (int32_t at = 0; at < cells; at++) {
        r->con_of[at] = r->group_of[at] = -1;
        r->covered += symbols[at] == -1;
        r->left -= symbols[at] == -2;
        if (symbols[at] < 0) continue;
        int32_t known = 0, open = 0;
        for (int32_t place = 0; place < degree; place++) {
            const int32_t other = neighbours[(int64_t)at * degree + place];
            known += other >= 0 && symbols[other] == -2;
            open += other >= 0 && symbols[other] == -1;
        }
        if (!open && symbols[at] == known) continue;
        r->con_of[at] = r->cons;
        add_constraint(r, r->cons++, at, symbols[at] - known);
    }
    r->assumed = cell < 0 ? -1 : r->cons;
    if (cell >= 0) add_constraint(r, r->assumed, cell, mine), r->chosen[r->assumed] = 1;
    for (int32_t at = 0; at < cells; at++) {
        int32_t cons[DEGREE + 1], count = 0;
        if (symbols[at] != -1) continue;
        for (int32_t place = 0; place < degree; place++) {
            const int32_t other = neighbours[(int64_t)at * degree + place];
            if (other >= 0 && r->con_of[other] >= 0) cons[count++] = r->con_of[other];
        }
        if (at == cell) cons[count++] = r->assumed;
        if (!count) continue;
        r->group_of[at] = group_for(r, cons, count);
        r->group_size[r->group_of[at]]++;
        while (count) r->size[cons[--count]]++;
    }
    order_groups(r);
}

/* The state of a layer, from `first` to `*last`, with these needs, perhaps a new one; -1 if there is no room. */
static int32_t state_for(reasons *r, const reason_state *wanted, int32_t *last) {
    uint64_t hash = 0;
    for (int word = 0; word < LANES / 8; word++)
        hash = (hash ^ wanted->word[word]) * 0x9e3779b97f4a7c15ULL, hash ^= hash >> 29;
    for (uint64_t at = hash % (2 * STATES);; at = (at + 1) % (2 * STATES)) {
        if (r->table[at] >> 32 != r->stamp) {
            if (*last == STATES) return -1;
            r->table[at] = r->stamp << 32 | (uint32_t)*last;
            r->states[*last] = *wanted;
            return (*last)++;
        }
        const int32_t state = (int32_t)(r->table[at] & 0xffffffff);
        int same = 1;
        for (int word = 0; word < LANES / 8; word++) same &= r->states[state].word[word] == wanted->word[word];
        if (same) return state;
    }
}

static void add_sums(uint64_t *sums, const uint64_t *from, int32_t words, int32_t mines, int is_new) {
    const int32_t whole = mines / 64, part = mines % 64;
    for (int32_t word = 0; is_new && word < words; word++) sums[word] = 0;
    for (int32_t word = words - 1; word >= whole; word--) {
        sums[word] |= from[word - whole] << part;
        if (part && word > whole) sums[word] |= from[word - whole - 1] >> (64 - part);
    }
}

/* Return whether some sum of mines leaves as many as the other covered cells can hold. */
static int holds_total(const reasons *r, const uint64_t *sums, int32_t sea) {
    for (int32_t sum = r->left > sea ? r->left - sea : 0; sum <= r->left && sum <= r->covered; sum++)
        if (sums[sum / 64] >> (sum % 64) & 1) return 1;
    return 0;
}

void undecide(reasons *r) {
    for (int32_t group = 0; group < r->groups; group++) r->known[group] = -1;
    for (int32_t con = 0; con < r->cons + (r->assumed >= 0); con++) {
        r->rest[con] = r->need[con];
        r->room[con] = r->size[con];
    }
}

int includes(const reasons *r, int32_t con, int32_t group) {
    for (int32_t turn = 0; turn < r->group_cons[group]; turn++)
        if (r->group_con[group][turn] == con) return 1;
    return 0;
}

int decide(reasons *r, int32_t con, int32_t but, int mine) {
    int found = 0;
    for (int32_t place = 0; place < r->con_groups[con]; place++) {
        const int32_t group = r->con_group[con][place];
        if (r->known[group] >= 0 || includes(r, but, group)) continue;
        r->known[group] = (int8_t)mine;
        found = 1;
        for (int32_t turn = 0; turn < r->group_cons[group]; turn++) {
            const int32_t other = r->group_con[group][turn];
            r->room[other] -= r->group_size[group];
            r->rest[other] -= mine * r->group_size[group];
        }
    }
    return found;
}

int settle(reasons *r) {
    const int32_t cons = r->cons + (r->assumed >= 0);
    for (int found = 1; found;) {
        found = 0;
        for (int32_t con = 0; con < cons; con++) {
            if (!r->chosen[con]) continue;
            if (r->rest[con] < 0 || r->rest[con] > r->room[con]) return 0;
            if (r->room[con] && (!r->rest[con] || r->rest[con] == r->room[con]))
                found |= decide(r, con, -1, r->rest[con] > 0);
        }
    }
    return 1;
}

int is_possible(reasons *r, int total) {
    const int32_t words = total ? r->covered / 64 + 1 : 0;
    int32_t first = 0, last = 1, layers = 0, sea = r->covered, found = 0, half = 0;
    uint32_t spare = ~0U;
    if (words > SUM_WORDS || (r->steps += (r->cons + r->groups) / 4) > MOST_STEPS) return -1;
    undecide(r);
    if (!settle(r)) return 0;
    for (int32_t con = 0; con < r->cons; con++) r->lane[con] = -1;
    for (int32_t group = 0; group < r->groups; group++) {
        r->value[group] = r->known[group] > 0 ? r->group_size[group] : 0;
        for (int32_t turn = 0; turn < r->group_cons[group]; turn++) {
            if (!r->chosen[r->group_con[group][turn]]) continue;
            found += r->value[group];
            sea -= r->group_size[group];
            break;
        }
    }
    if (total && found > r->left) return 0;
    r->states[0] = (reason_state){.parent = -1};
    for (int32_t word = 0; word < words; word++) r->sums[0][word] = word == found / 64 ? 1ULL << (found % 64) : 0;
    for (int32_t at = 0; at < r->groups; at++) {
        const int32_t group = r->order[at], size = r->group_size[group], begin = last;
        int32_t cons[DEGREE + 1], count = 0;
        uint8_t opened[LANES] = {0};
        for (int32_t place = 0; r->known[group] < 0 && place < r->group_cons[group]; place++) {
            const int32_t con = r->group_con[group][place];
            if (!r->chosen[con]) continue;
            cons[count++] = con;
            r->room[con] -= size;
            if (r->lane[con] >= 0) continue;
            if (!spare) return -1;
            r->lane[con] = (int8_t)__builtin_ctz(spare);
            spare &= spare - 1;
            opened[r->lane[con]] = (uint8_t)r->rest[con];
        }
        if (!count) continue;
        r->stamp++;
        r->layer[layers++] = group;
        for (int32_t from = first; from < begin; from++) {
            reason_state next = r->states[from];
            int32_t least = 0, most = size;
            for (int lane = 0; lane < LANES; lane++) next.need[lane] += opened[lane];
            for (int32_t place = 0; place < count; place++) {
                const int32_t need = next.need[r->lane[cons[place]]], room = r->room[cons[place]];
                if (need < most) most = need;
                if (need - room > least) least = need - room;
            }
            for (int32_t place = 0; place < count; place++) next.need[r->lane[cons[place]]] -= (uint8_t)least;
            next.parent = from;
            for (int32_t mines = least; mines <= most; mines++) {
                const int32_t before = last;
                if (++r->steps > MOST_STEPS) return -1;
                next.mines = mines;
                const int32_t to = state_for(r, &next, &last);
                if (to < 0 || (int64_t)(last - begin) * words > SUM_WORDS) return -1;
                if (words)
                    add_sums(r->sums[!half] + (int64_t)(to - begin) * words,
                             r->sums[half] + (int64_t)(from - first) * words, words, mines, to == before);
                for (int32_t place = 0; place < count; place++) next.need[r->lane[cons[place]]]--;
            }
            if (most >= least) r->steps += (int64_t)words * (most - least + 1) / 4;
        }
        if (last == begin) return 0;
        for (int32_t place = 0; place < count; place++)
            if (!r->room[cons[place]]) spare |= 1U << r->lane[cons[place]];
        first = begin, half = !half;
    }
    for (int32_t state = first; layers; state = r->states[state].parent)
        r->value[r->layer[--layers]] = r->states[state].mines;
    return !total || holds_total(r, r->sums[half], sea);
}

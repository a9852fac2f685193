/* Smallest sets of numbers that force a cell, or contradict each other, as in satsweep/why/minimal.

   The smallest of the first numbers (breadth first, from the cell) that are impossible together is found by bisection,
   and superfluous ones are deleted. A smaller set is a hitting set (Reiter 1987): every layout that satisfies some
   numbers violates others, one of which has to be in the set. Few violated numbers make few branches, so each layout is
   changed until it cannot satisfy one more. Where the mine total is needed, connected numbers are left out together
   first, then one by one. */

#include "reasons.h"

#define MOST_TESTS 5000 /* of the search for a smaller set */

/* List in `near` all constraints that hang together with one, breadth first. */
static void list_near(reasons *r, int32_t from) {
    for (int32_t con = 0; con <= r->cons; con++) r->seen[con] = 0;
    r->near[0] = from;
    r->depth[from] = 0;
    r->seen[from] = r->near_count = 1;
    for (int32_t at = 0; at < r->near_count; at++)
        for (int32_t place = 0; place < r->con_groups[r->near[at]]; place++) {
            const int32_t group = r->con_group[r->near[at]][place];
            for (int32_t turn = 0; turn < r->group_cons[group]; turn++) {
                const int32_t other = r->group_con[group][turn];
                if (r->seen[other]) continue;
                r->seen[other] = 1;
                r->depth[other] = r->depth[r->near[at]] + 1;
                r->near[r->near_count++] = other;
            }
        }
}

static void choose_near(reasons *r, int32_t count) {
    for (int32_t con = 0; con < r->cons; con++) r->chosen[con] = 0;
    for (int32_t at = 0; at < count; at++) r->chosen[r->near[at]] = 1;
}

/* The fewest of the first that are impossible together; 0 if all are possible, -1 beyond limits. */
static int32_t impossible_prefix(reasons *r) {
    int32_t fine = 0, most = 1;
    for (;; most *= 2) {
        if (most > r->near_count) most = r->near_count;
        choose_near(r, most);
        const int possible = is_possible(r, 0);
        if (possible < 0) return -1;
        if (!possible) break;
        if (most == r->near_count) return 0;
        fine = most;
    }
    while (most - fine > 1) {
        const int32_t middle = (fine + most) / 2;
        choose_near(r, middle);
        const int possible = is_possible(r, 0);
        if (possible < 0) return -1;
        if (possible) fine = middle;
        else most = middle;
    }
    return most;
}

/* Leave out what is superfluous of the first, the last of which is not. Returns how many are left, -1 beyond limits. */
static int32_t delete_superfluous(reasons *r, int32_t count) {
    int32_t left = 0;
    choose_near(r, count);
    for (int32_t at = count - 2; at >= 0; at--) {
        if (r->near[at] == r->assumed) continue;
        r->chosen[r->near[at]] = 0;
        const int possible = is_possible(r, 0);
        if (possible < 0) return -1;
        r->chosen[r->near[at]] = (uint8_t)possible;
    }
    for (int32_t con = 0; con < r->cons; con++) left += r->chosen[con];
    return left;
}

static void keep_chosen(reasons *r) {
    for (int32_t con = 0; con < r->cons; con++) r->best[con] = r->chosen[con];
}

static int has_bit(const uint64_t *set, int32_t at) { return set[at / 64] >> (at % 64) & 1; }

static void choose_picked(reasons *r) {
    for (int32_t con = 0; con < r->cons; con++) r->chosen[con] = 0;
    for (int32_t at = 0; at < r->near_count; at++)
        if (has_bit(r->picked, at)) r->chosen[r->near[at]] = 1;
}

/* Add the candidates that the layout satisfies to those chosen. */
static void choose_satisfied(reasons *r) {
    for (int32_t at = 0; at < r->near_count; at++) {
        const int32_t con = r->near[at];
        int32_t mines = 0;
        for (int32_t place = 0; place < r->con_groups[con]; place++) mines += r->value[r->con_group[con][place]];
        if (mines == r->need[con]) r->chosen[con] = 1;
    }
}

/* Test what is picked. If it is possible (1), a minimal set of candidates that are violated together is kept. */
static int test_picked(reasons *r) {
    choose_picked(r);
    r->tests++;
    int possible = is_possible(r, 0);
    if (possible <= 0) return possible;
    if (r->corrections == CORRECTIONS) return -1;
    uint64_t *own = r->correction[r->corrections];
    for (int word = 0; word < NEAR_WORDS; word++) own[word] = 0;
    choose_satisfied(r);
    for (int32_t at = 0; at < r->near_count; at++) {
        const int32_t con = r->near[at];
        if (r->chosen[con]) continue;
        r->chosen[con] = 1;
        if (++r->tests > MOST_TESTS) return -1;
        possible = is_possible(r, 0);
        if (possible < 0) return -1;
        if (possible) {
            choose_satisfied(r);
        } else {
            r->chosen[con] = 0;
            own[at / 64] |= 1ULL << (at % 64);
        }
    }
    r->corrections++;
    return 1;
}

/* The smallest set that nothing picked hits: -1 if there is none, -2 if so few more cannot hit all. */
static int32_t set_to_hit(const reasons *r, const uint64_t *excluded, int32_t few) {
    uint64_t apart[NEAR_WORDS] = {0};
    int32_t found = -1, least = 64 * NEAR_WORDS + 1;
    for (int32_t at = 0; at < r->corrections; at++) {
        int32_t members = 0, shared = 0, hit = 0;
        for (int word = 0; word < NEAR_WORDS; word++) {
            const uint64_t own = r->correction[at][word] & ~excluded[word];
            hit |= (r->correction[at][word] & r->picked[word]) != 0;
            shared |= (own & apart[word]) != 0;
            members += __builtin_popcountll(own);
        }
        if (hit) continue;
        if (!members) return -2;
        if (members < least) least = members, found = at;
        if (shared) continue;
        if (--few < 0) return -2;
        for (int word = 0; word < NEAR_WORDS; word++) apart[word] |= r->correction[at][word] & ~excluded[word];
    }
    return found;
}

/* Pick at most so `few` more candidates that are impossible together: 1, 0 if there are none, -1 beyond limits. */
static int pick(reasons *r, int32_t few, const uint64_t *excluded) {
    int32_t set;
    while ((set = set_to_hit(r, excluded, few)) == -1) {
        if (r->tests > MOST_TESTS) return -1;
        const int possible = test_picked(r);
        if (possible <= 0) return possible ? -1 : 1;
    }
    if (set == -2) return 0;
    uint64_t without[NEAR_WORDS];
    for (int word = 0; word < NEAR_WORDS; word++) without[word] = excluded[word];
    for (int32_t at = 0; at < r->near_count; at++) {
        const uint64_t bit = 1ULL << (at % 64);
        if (!has_bit(r->correction[set], at) || has_bit(without, at)) continue;
        r->picked[at / 64] |= bit;
        const int code = pick(r, few - 1, without);
        if (code) return code;
        r->picked[at / 64] &= ~bit;
        without[at / 64] |= bit;
    }
    return 0;
}

/* Look for a set of fewer than `count` of the candidates in `near`; return whether the best is known to be smallest. */
static int find_smaller(reasons *r, int32_t count) {
    const uint64_t none[NEAR_WORDS] = {0};
    if (r->near_count > 64 * NEAR_WORDS) return 0;
    r->corrections = 0;
    for (int32_t few = 1; few < count; few++) {
        for (int word = 0; word < NEAR_WORDS; word++) r->picked[word] = 0;
        const int code = pick(r, few, none);
        if (code < 0) return 0;
        if (!code) continue;
        choose_picked(r);
        keep_chosen(r);
        return 1;
    }
    return 1;
}

/* The first number around the supposed cell that settles it alone; -1 for none. */
static int32_t single_number(const reasons *r) {
    for (int32_t con = 0; con < r->cons; con++) {
        if (r->need[con] < 0 || r->need[con] > r->size[con]) return con;
        if (r->assumed < 0 || r->need[con] != (r->need[r->assumed] ? 0 : r->size[con])) continue;
        for (int32_t place = 0; place < r->con_groups[con]; place++) {
            const int32_t group = r->con_group[con][place];
            if (r->group_con[group][r->group_cons[group] - 1] == r->assumed) return con;
        }
    }
    return -1;
}

/* Find a smallest set of what hangs together with a constraint: its length, 0 for none, -1 beyond limits. */
static int32_t smallest_near(reasons *r, int32_t from, int32_t *smallest) {
    list_near(r, from);
    int32_t prefix = impossible_prefix(r);
    if (prefix <= 0) return prefix;
    if (from != r->assumed) {
        list_near(r, r->near[prefix - 1]);
        prefix = impossible_prefix(r);
        if (prefix < 0) return -1;
    }
    const int32_t count = delete_superfluous(r, prefix);
    if (count < 0) return -1;
    keep_chosen(r);
    *smallest = count < 3;
    if (*smallest) return count;
    if (from == r->assumed) {
        /* A smaller set is connected, and one of its numbers touches the cell. */
        int32_t near = 0;
        for (int32_t at = 1; at < r->near_count; at++)
            if (r->depth[r->near[at]] < count) r->near[near++] = r->near[at];
        r->near_count = near;
    }
    r->tests = 0;
    *smallest = find_smaller(r, count);
    int32_t found = 0;
    for (int32_t con = 0; con < r->cons; con++) found += r->best[con];
    return found;
}

/* The same with the mine total: 1, 0 for none, -1 beyond limits. */
static int smallest_with_total(reasons *r, int32_t *smallest) {
    int32_t count = 0, alone = 0;
    for (int32_t con = 0; con < r->cons; con++) r->chosen[con] = 1, r->kept[con] = 0;
    int possible = is_possible(r, 1);
    if (possible) return possible < 0 ? -1 : 0;
    for (int32_t from = 0; from < r->cons; from++) {
        if (r->kept[from]) continue;
        const int32_t cell = r->assumed;
        list_near(r, from);
        for (int32_t at = 0; at < r->near_count; at++)
            if (r->near[at] != cell) r->kept[r->near[at]] = 1, r->chosen[r->near[at]] = 0;
        possible = is_possible(r, 1);
        if (possible < 0) return -1;
        for (int32_t at = 0; possible && at < r->near_count; at++) r->chosen[r->near[at]] = 1;
    }
    for (int32_t con = r->cons - 1; con >= 0; con--) {
        if (!r->chosen[con]) continue;
        r->chosen[con] = 0;
        possible = is_possible(r, 1);
        if (possible < 0) return -1;
        r->chosen[con] = (uint8_t)possible;
        count += possible;
    }
    keep_chosen(r);
    for (int32_t con = 0; count == 2 && con < r->cons; con++) {
        choose_near(r, 0);
        r->chosen[con] = 1;
        possible = is_possible(r, 1);
        if (possible < 0) return -1;
        alone += !possible;
    }
    *smallest = count < 2 || (count == 2 && !alone);
    return 1;
}

/* Two numbers: cells that only the greater touches are mines if it needs so many more, then those of the other safe. */
static int settle_pair(reasons *r) {
    for (int32_t less = 0; less < r->cons; less++)
        for (int32_t more = 0; r->chosen[less] && more < r->cons; more++) {
            int32_t own = r->room[more];
            if (!r->chosen[more] || less == more) continue;
            for (int32_t place = 0; place < r->con_groups[more]; place++) {
                const int32_t group = r->con_group[more][place];
                if (r->known[group] < 0 && includes(r, less, group)) own -= r->group_size[group];
            }
            if (own == r->room[more] || r->rest[more] - r->rest[less] != own) continue;
            if (decide(r, more, less, 1) | decide(r, less, more, 0)) return 1;
        }
    return 0;
}

/* The easiest technique by which the best set settles the supposed cell. */
static int32_t technique_of(reasons *r) {
    int32_t technique = REASON_SINGLE;
    const int32_t goal = r->con_group[r->assumed][0];
    for (int32_t con = 0; con < r->cons; con++) r->chosen[con] = r->best[con];
    r->chosen[r->assumed] = 0;
    undecide(r);
    for (;;) {
        settle(r);
        if (r->known[goal] >= 0) return technique;
        if (!settle_pair(r)) return REASON_SEVERAL;
        technique = REASON_PAIR;
    }
}

int find_reason(reasons *r, reason_set *found) {
    *found = (reason_set){.smallest = 1};
    const int32_t single = single_number(r);
    int32_t least = single >= 0;
    if (least) {
        r->best[single] = 1;
        return 1;
    }
    if (r->assumed >= 0) {
        least = smallest_near(r, r->assumed, &found->smallest);
    } else {
        for (int32_t con = 0; con < r->cons; con++) r->kept[con] = 0;
        for (int32_t from = 0; from < r->cons; from++) {
            int32_t smallest = 1;
            if (r->kept[from]) continue;
            list_near(r, from);
            for (int32_t at = 0; at < r->near_count; at++) r->kept[r->near[at]] = 1;
            /* The best set of this part comes after that of the parts before. */
            for (int32_t con = 0; con < r->cons; con++) r->waiting[con] = r->best[con];
            const int32_t count = smallest_near(r, from, &smallest);
            if (count < 0) return -1;
            found->smallest &= smallest;
            if (count && (!least || count < least)) least = count;
            else
                for (int32_t con = 0; con < r->cons; con++) r->best[con] = (uint8_t)r->waiting[con];
        }
    }
    if (least < 0) return -1;
    if (!least) {
        const int code = smallest_with_total(r, &found->smallest);
        found->total = 1;
        found->technique = REASON_TOTAL;
        return code;
    }
    found->technique = r->assumed < 0 ? REASON_SEVERAL : technique_of(r);
    return 1;
}

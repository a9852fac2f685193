// MineSweeperProb over UMI: the program of Tu et al. (2017), asked as it asks itself in a game of its own.
//
//     python examples/umi/foreign/build.py MineSweeperProb
//
// A game of its own that is read from a stream, all covered, gets the numbers as the arena opens cells; then its Solve
// says which cells it would open. PSEQ breaks ties by its four measures; with `option exhaust 256` (PSEQ-D256) it plays
// positions of at most 256 layouts by exhaustive search. What ties remain it draws, and so does this.
#include <exception>
#include <optional>
#include <random>
#include <sstream>
#include <string>

#include "BinomialHelper.h"
#include "GameMgr.h"
#include "facade.hpp"
#include "random.h"
#include "umi.h"

static std::optional<GameMgr> game;
static std::string shown;
static int exhaust = 0;
static std::mt19937_64 random_numbers;

static const char *handshake() {
    return "name MineSweeperProb\nversion 8f5a804\nauthor b1f6c1c4\n"
           "option exhaust integer default 0 min 0 max 256\ncan sound risks\n";
}

static const char *set_option(const char *name, int value) {
    if (std::string(name) != "exhaust" || value < 0) return "the only option is exhaust, from 0";
    exhaust = value;
    return nullptr;
}

static Strategy strategy() {
    using enum HeuristicMethod;
    return {false, -1, LogicMethod::Full, true, {MinMineProb, MaxZerosProb, MaxZerosExp, MaxQuantityExp},
            exhaust > 0, false, exhaust, 0, {}};
}

template <typename T> static void put(std::ostream &to, T value) {
    to.write(reinterpret_cast<const char *>(&value), sizeof value);
}

// What GameMgr::Save writes of a game with these mines of which no cell is open.
static const char *begin() {
    CacheBinomials(rows * cols, mines);
    std::stringstream saved;
    for (bool flag : {false, false}) put(saved, flag);
    for (int number : {cols, rows, mines}) put(saved, number);
    for (bool flag : {false, true, true}) put(saved, flag);
    for (int number : {rows * cols - mines, 0, -1}) put(saved, number);
    for (int cell = 0; cell < rows * cols; cell++) put(saved, 0), put(saved, false), put(saved, false);
    game.emplace(saved, strategy());
    shown.assign(static_cast<size_t>(rows * cols), '#');
    return nullptr;
}

static int index_of(int cell) { return cell % cols * rows + cell / cols; }

// The cells that are new on the board: first all their numbers, since it opens the neighbours of a zero itself.
static void open_new_cells() {
    auto *blocks = const_cast<BlockProperty *>(game->GetBlockProperties());
    auto is_open = [](char symbol) { return symbol != '#' && symbol != 'F'; };
    for (int cell = 0; cell < rows * cols; cell++)
        if (is_open(board[cell])) blocks[index_of(cell)].Degree = board[cell] == '.' ? 0 : board[cell] - '0';
        else if (is_open(shown[cell])) return begin(), open_new_cells(); // another position, not a later one
    for (int cell = 0; cell < rows * cols; cell++)
        if (is_open(board[cell]) && !is_open(shown[cell])) game->OpenBlock(cell % cols, cell / cols);
    shown.assign(board, static_cast<size_t>(rows * cols));
}

static const char *think(int all) try {
    constexpr auto by_logic = SolvingState::Reduce | SolvingState::Overlap | SolvingState::Probability;
    if (!mines) return nullptr; // it would search for a mine for ever
    open_new_cells();
    random_numbers.seed(seed);
    game->Solve(all ? by_logic : by_logic | SolvingState::Heuristic | SolvingState::Drained, !all);
    return nullptr;
} catch (const std::exception &error) {
    game.reset(), shown.clear();
    return "MineSweeperProb fails";
}

static int is_safe(int cell) { return !mines || game->GetInferredStatus(cell % cols, cell / cols) == BlockStatus::Blank; }

static void answer() {
    if (claim_safe(is_safe)) return;
    const auto &best = game->GetPreferredBlockList();
    if (best.empty()) return;
    const int found = best[std::uniform_int_distribution<size_t>(0, best.size() - 1)(random_numbers)];
    printf("guess %d,%d\n", found % rows, found / rows);
}

static double risk_of(int cell) {
    if (!mines) return 0;
    switch (game->GetInferredStatus(cell % cols, cell / cols)) {
        case BlockStatus::Blank: return 0;
        case BlockStatus::Mine: return 1;
        default: return game->GetBlockProbability(cell % cols, cell / cols);
    }
}

// Its own loop: games that it deals itself, by the name that it has for a strategy with a board.
static int simulate(const char *name, int games) {
    const auto asked = parse(name);
    SeedEngine();
    cache(asked);
    int won = 0;
    for (int at = 0; at < games; at++) won += run(asked);
    printf("%d\n", won);
    return 0;
}

int main(int count, char **words) { return count == 3 ? simulate(words[1], atoi(words[2])) : umi_main(); }

// Stand-in of the header of this name: all covered cells are alike, and a zero opens its neighbours.
#pragma once
#include <istream>
#include <stdexcept>
#include <vector>

enum class BlockStatus { Unknown = -127, Mine = -1, Blank = -2 };
enum class SolvingState { Reduce = 1, Overlap = 2, Probability = 4, Heuristic = 8, Drained = 0x8000 };
constexpr SolvingState operator|(SolvingState one, SolvingState other) {
    return static_cast<SolvingState>(static_cast<int>(one) | static_cast<int>(other));
}
enum class LogicMethod { Full = 5 };
enum class HeuristicMethod { MinMineProb = 1, MaxZerosProb = 3, MaxZerosExp = 4, MaxQuantityExp = 5 };
struct Strategy {
    bool InitialPositionSpecified;
    int Index;
    LogicMethod Logic;
    bool HeuristicEnabled;
    std::vector<HeuristicMethod> DecisionTree;
    bool ExhaustEnabled, PruningEnabled;
    int ExhaustCriterion, PruningCriterion;
    std::vector<HeuristicMethod> PruningDecisionTree;
};
struct BlockProperty { int Degree; bool IsOpen, IsMine; };

class GameMgr {
public:
    GameMgr(std::istream &saved, Strategy) {
        bool flag;
        int number;
        auto read = [&saved](auto &value) { saved.read(reinterpret_cast<char *>(&value), sizeof value); };
        read(flag), read(flag), read(width), read(height), read(mines), read(flag), read(flag), read(flag);
        read(number), read(number), read(number);
        blocks.resize(static_cast<size_t>(width * height));
        for (auto &block : blocks) read(block.Degree), read(block.IsOpen), read(block.IsMine);
        if (!saved || saved.peek() != EOF) throw std::runtime_error("another length");
    }
    const BlockProperty *GetBlockProperties() const { return blocks.data(); }
    bool OpenBlock(int x, int y) {
        if (x < 0 || y < 0 || x >= width || y >= height) return false;
        auto &block = blocks[static_cast<size_t>(x * height + y)];
        if (block.IsOpen) return false;
        block.IsOpen = true;
        for (int at = 0; at < 9 && !block.Degree; at++) OpenBlock(x + at / 3 - 1, y + at % 3 - 1);
        return true;
    }
    void Solve(SolvingState, bool) {
        preferred.clear();
        for (int at = 0; at < width * height; at++)
            if (!blocks[static_cast<size_t>(at)].IsOpen) preferred.push_back(at);
    }
    BlockStatus GetInferredStatus(int x, int y) const {
        return blocks[static_cast<size_t>(x * height + y)].IsOpen ? BlockStatus::Blank : BlockStatus::Unknown;
    }
    const std::vector<int> &GetPreferredBlockList() const { return preferred; }
    double GetBlockProbability(int, int) const { return static_cast<double>(mines) / preferred.size(); }

private:
    int width, height, mines;
    std::vector<BlockProperty> blocks;
    std::vector<int> preferred;
};

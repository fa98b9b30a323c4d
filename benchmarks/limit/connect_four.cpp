// Alpha-beta on Connect Four (7 x 6): the algorithm of src/prunus/algorithms/alphabeta.py on the game of src/prunus/games/connect_four,
// written by hand. Usage: connect_four MINE MASK DEPTH TIMES; searches TIMES times, prints one JSON object.
//
//   (no flag)  everything Prunus keeps: counters, principal variation, values of the root's actions
//   -DPOLL     also a check at every node of a stop limit, which another thread may lower
//   -DBARE     only the value and the number of nodes: the speed limit
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using u64 = std::uint64_t;
using i64 = std::int64_t;

constexpr int WIDTH = 7, HEIGHT = 6;
constexpr int COLUMNS[WIDTH] = {3, 2, 4, 1, 5, 0, 6};
constexpr i64 INFINITE = i64(1) << 62;

struct State {
    u64 mine, mask;
};

constexpr u64 full() {
    u64 cells = 0;
    for (int column = 0; column < WIDTH; ++column) cells |= ((u64(1) << HEIGHT) - 1) << column * (HEIGHT + 1);
    return cells;
}

inline bool has_four(u64 stones) {
    constexpr int steps[4] = {1, HEIGHT + 1, HEIGHT, HEIGHT + 2};
    for (int step : steps) {
        const u64 pairs = stones & (stones >> step);
        if (pairs & (pairs >> 2 * step)) return true;
    }
    return false;
}

inline bool is_terminal(State s) { return s.mask == full() || has_four(s.mine ^ s.mask); }

inline i64 utility(State s) {
    if (has_four(s.mine ^ s.mask)) return -((WIDTH * HEIGHT + 2 - std::popcount(s.mask)) / 2);
    return 0;
}

inline bool is_free(State s, int column) { return ((s.mask >> (column * (HEIGHT + 1) + HEIGHT - 1)) & 1) == 0; }

inline State result(State s, int column) {
    return {s.mine ^ s.mask, s.mask | (s.mask + (u64(1) << column * (HEIGHT + 1)))};
}

i64 nodes, interior, evaluated, cutoffs, first_cutoffs;

#ifdef BARE

i64 alphabeta(State state, int depth, i64 alpha, i64 beta) {
    ++nodes;
    if (is_terminal(state)) return utility(state);
    if (depth == 0) return 0;
    i64 best = -INFINITE;
    for (int column : COLUMNS) {
        if (!is_free(state, column)) continue;
        const i64 value = -alphabeta(result(state, column), depth - 1, -beta, -std::max(alpha, best));
        best = std::max(best, value);
        if (value >= beta) break;
    }
    return best;
}

void make_room(int) {}
void begin() {}

#else

std::vector<std::int32_t> line_length;
std::vector<i64> line;
int root_depth, root_count;
i64 root_action[WIDTH], root_value[WIDTH];
std::atomic<i64> stop_limit{INFINITE};
struct Stopped {};

inline void extend_line(int depth, int action) {
    const i64 row = i64(depth) * (depth - 1) / 2, below = row - depth + 1;
    const std::int32_t length = line_length[depth - 1];
    line[row] = action;
    for (std::int32_t i = 0; i < length; ++i) line[row + 1 + i] = line[below + i];
    line_length[depth - 1] = 0;
    line_length[depth] = length + 1;
}

i64 alphabeta(State state, int depth, i64 alpha, i64 beta) {
    ++nodes;
#ifdef POLL
    if (nodes > stop_limit.load(std::memory_order_relaxed)) [[unlikely]] throw Stopped{};
#endif
    if (is_terminal(state)) {
        return utility(state);
    }
    if (depth == 0) {
        ++evaluated;
        return 0;
    }
    ++interior;
    i64 best = -INFINITE;
    int first = 1;
    for (int column : COLUMNS) {
        if (!is_free(state, column)) continue;
        const i64 value = -alphabeta(result(state, column), depth - 1, -beta, -std::max(alpha, best));
        if (value > best) {
            best = value;
            if (value > alpha) {
                extend_line(depth, column);
                if (depth == root_depth) {
                    root_action[root_count] = column;
                    root_value[root_count++] = value;
                }
            }
        }
        if (value >= beta) {
            line_length[depth] = 0;
            ++cutoffs;
            first_cutoffs += first;
            break;
        }
        first = 0;
    }
    return best;
}

void make_room(int depth) {
    root_depth = depth;
    line_length.assign(depth + 1, 0);
    line.resize(i64(depth) * (depth + 1) / 2);
}

void begin() { root_count = 0; }

#endif

double processor_seconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

int main(int count, char** words) {
    if (count != 5) return 2;
    const State root{std::strtoull(words[1], nullptr, 10), std::strtoull(words[2], nullptr, 10)};
    const int depth = std::atoi(words[3]), times = std::atoi(words[4]);
    make_room(depth);
    i64 value = 0;
    const double began = processor_seconds();
    for (int i = 0; i < times; ++i) {
        begin();
        value = alphabeta(root, depth, -INFINITE, INFINITE);
    }
    const double seconds = (processor_seconds() - began) / times;
    std::printf("{\"value\": %lld, \"nodes\": %lld, \"leaves\": %lld, \"evaluated\": %lld, \"cutoffs\": %lld, \"first_cutoffs\": %lld, "
                "\"seconds\": %.9f}\n",
                (long long)value, (long long)nodes / times, (long long)(nodes - interior) / times, (long long)evaluated / times,
                (long long)cutoffs / times, (long long)first_cutoffs / times, seconds);
}

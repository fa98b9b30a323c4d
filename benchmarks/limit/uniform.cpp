// Alpha-beta (or minimax, -DMINIMAX) on a uniform random tree: the algorithms of src/prunus/algorithms on the game of
// src/prunus/games/uniform.py with order "random", written by hand. -DDEGREE=d -DHEIGHT=h, which Prunus compiles in too.
// Usage: uniform SEED VALUES TIMES; searches TIMES times, prints one JSON object. -DPOLL and -DBARE as in connect_four.cpp. With -DTREES it
// searches the first TIMES trees of the seed once each and prints sums over them; with -DNOLINE neither lines nor root values are kept.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using u64 = std::uint64_t;
using i64 = std::int64_t;

constexpr i64 INFINITE = i64(1) << 62;
constexpr u64 GOLDEN = 0x9E3779B97F4A7C15;

struct State {
    std::uint8_t level;
    u64 node;
};

inline u64 mix(u64 x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

u64 seed;
i64 leaf_values;

inline bool is_terminal(State s) { return s.level >= HEIGHT; }
inline i64 utility(State s) { return i64(((s.node >> 32) * u64(leaf_values)) >> 32) - leaf_values / 2; }
inline State result(State s, int action) { return {std::uint8_t(s.level + 1), mix(s.node + u64(action + 1) * GOLDEN)}; }

i64 nodes, interior, evaluated, cutoffs, first_cutoffs;

#ifdef BARE

i64 search(State state, int depth, [[maybe_unused]] i64 alpha, [[maybe_unused]] i64 beta) {
    ++nodes;
    if (is_terminal(state)) return utility(state);
    if (depth == 0) return 0;
    i64 best = -INFINITE;
    for (int action = 0; action < DEGREE; ++action) {
        const i64 value = -search(result(state, action), depth - 1, -beta, -std::max(alpha, best));
        best = std::max(best, value);
#ifndef MINIMAX
        if (value >= beta) break;
#endif
    }
    return best;
}

void make_room(int) {}
void begin() {}

#else

std::vector<std::int32_t> line_length;
std::vector<i64> line;
int root_depth, root_count;
i64 root_action[DEGREE], root_value[DEGREE];
std::atomic<i64> stop_limit{INFINITE};
struct Stopped {};

#ifdef NOLINE
inline void extend_line(int, int) {}
inline void note_root(int, int, i64) {}
inline void drop_line(int) {}
#else
inline void drop_line(int depth) { line_length[depth] = 0; }
inline void extend_line(int depth, int action) {
    const i64 row = i64(depth) * (depth - 1) / 2, below = row - depth + 1;
    const std::int32_t length = line_length[depth - 1];
    line[row] = action;
    for (std::int32_t i = 0; i < length; ++i) line[row + 1 + i] = line[below + i];
    line_length[depth - 1] = 0;
    line_length[depth] = length + 1;
}

inline void note_root(int depth, int action, i64 value) {
    if (depth == root_depth) {
        root_action[root_count] = action;
        root_value[root_count++] = value;
    }
}
#endif

inline void enter([[maybe_unused]] int depth) {
    ++nodes;
#ifdef POLL
    if (nodes > stop_limit.load(std::memory_order_relaxed)) [[unlikely]] throw Stopped{};
#endif
#ifdef MINIMAX
    drop_line(depth);
#endif
}

i64 search(State state, int depth, [[maybe_unused]] i64 alpha, [[maybe_unused]] i64 beta) {
    enter(depth);
    if (is_terminal(state)) {
        return utility(state);
    }
    if (depth == 0) {
        ++evaluated;
        return 0;
    }
    ++interior;
    i64 best = -INFINITE;
#ifdef MINIMAX
    for (int action = 0; action < DEGREE; ++action) {
        const i64 value = -search(result(state, action), depth - 1, 0, 0);
        if (value > best) {
            best = value;
            extend_line(depth, action);
        }
        note_root(depth, action, value);
    }
#else
    int first = 1;
    for (int action = 0; action < DEGREE; ++action) {
        const i64 value = -search(result(state, action), depth - 1, -beta, -std::max(alpha, best));
        if (value > best) {
            best = value;
            if (value > alpha) {
                extend_line(depth, action);
                note_root(depth, action, value);
            }
        }
        if (value >= beta) {
            drop_line(depth);
            ++cutoffs;
            first_cutoffs += first;
            break;
        }
        first = 0;
    }
#endif
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
    if (count != 4) return 2;
    seed = std::strtoull(words[1], nullptr, 10);
    leaf_values = std::atoll(words[2]);
    const int depth = HEIGHT, times = std::atoi(words[3]);
    [[maybe_unused]] State root{0, mix(seed + GOLDEN)};
    make_room(depth);
    i64 value = 0;
    const double began = processor_seconds();
    for (int i = 0; i < times; ++i) {
        begin();
#ifdef TREES
        value += search({0, mix(seed + u64(i + 1) * GOLDEN)}, depth, -INFINITE, INFINITE);
#else
        value = search(root, depth, -INFINITE, INFINITE);
#endif
    }
    const double spent = processor_seconds() - began;
#ifdef TREES
    const double seconds = spent;
    const int parts = 1;
#else
    const double seconds = spent / times;
    const int parts = times;
#endif
    std::printf("{\"value\": %lld, \"nodes\": %lld, \"leaves\": %lld, \"evaluated\": %lld, \"cutoffs\": %lld, \"first_cutoffs\": %lld, "
                "\"seconds\": %.9f}\n",
                (long long)value, (long long)nodes / parts, (long long)(nodes - interior) / parts, (long long)evaluated / parts,
                (long long)cutoffs / parts, (long long)first_cutoffs / parts, seconds);
}

// Connect Four (7 x 6) solved by null windows to the end of the game: the algorithm of src/prunus/solving/prove.py with the table of
// src/prunus/tables/proofs.py on the game of src/prunus/games/connect_four, written by hand for one thread.
// Usage: connect_four_solver MINE MASK BUCKETS ALPHA...; asks for each ALPHA in turn whether the value is more than it, with one
// table of BUCKETS buckets, and prints one JSON object.
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

using u64 = std::uint64_t;
using i64 = std::int64_t;

// ---- The board. A column is seven bits from the bottom up, the highest of them always empty.

constexpr int WIDTH = 7, HEIGHT = 6, CELLS = WIDTH * HEIGHT, COLUMN = HEIGHT + 1;
constexpr int FROM_CENTRE[WIDTH] = {3, 2, 4, 1, 5, 0, 6};

constexpr u64 row(int height) {
    u64 cells = 0;
    for (int column = 0; column < WIDTH; ++column) cells |= u64(1) << (column * COLUMN + height);
    return cells;
}

constexpr u64 column_of(int column) { return ((u64(1) << COLUMN) - 1) << column * COLUMN; }

constexpr u64 FOOT = row(0), ROOF = row(HEIGHT), FULL = ROOF - FOOT;
// The cells from which an even number of cells, this one included, lead to the top; and the others.
constexpr u64 EVEN = row(0) | row(2) | row(4), ODD = row(1) | row(3) | row(5);

// `mine` are the stones of the player to move. `wins` and `threats` are the empty cells that complete a four of his, and of his opponent;
// where the opponent has a four, `threats` is the roof.
struct Position {
    u64 mine, mask, wins, threats;
};

struct Limits {
    int low, high;
};

inline int stones_on(const Position& p) { return std::popcount(p.mask); }

inline u64 playable(u64 mask) { return (mask + FOOT) & FULL; }

inline bool has_four(u64 stones) {
    u64 found = 0;
    for (int step : {1, HEIGHT, HEIGHT + 1, HEIGHT + 2}) {
        const u64 pairs = stones & (stones >> step);
        found |= pairs & (pairs >> 2 * step);
    }
    return found != 0;
}

inline u64 completing(u64 stones, u64 mask) {
    u64 cells = (stones << 1) & (stones << 2) & (stones << 3);
    for (int step : {HEIGHT, HEIGHT + 1, HEIGHT + 2}) {
        const u64 below = (stones << step) & (stones << 2 * step), above = (stones >> step) & (stones >> 2 * step);
        cells |= (below & ((stones << 3 * step) | (stones >> step))) | (above & ((stones >> 3 * step) | (stones << step)));
    }
    return cells & (FULL ^ mask);
}

inline Position played(const Position& p, u64 stone) {
    const u64 mask = p.mask | stone;
    return {p.mine ^ p.mask, mask, p.threats & ~stone, stone & p.wins ? ROOF : completing(p.mine | stone, mask)};
}

// The cells that do not lose to the opponent's next stone.
inline u64 safe_cells(const Position& p) {
    u64 cells = playable(p.mask);
    if (const u64 forced = p.threats & cells) cells = std::has_single_bit(forced) ? forced : 0;
    return cells & ~(p.threats >> 1);
}

inline u64 mirrored(u64 stones) {
    u64 turned = stones & column_of(WIDTH / 2);
    for (int i = 0; i < WIDTH / 2; ++i) {
        const int distance = (WIDTH - 1 - 2 * i) * COLUMN;
        turned |= ((stones >> distance) & column_of(i)) | ((stones & column_of(i)) << distance);
    }
    return turned;
}

inline Position canonical(const Position& p) {
    const u64 mine = mirrored(p.mine);
    if (mine > p.mine) return p;
    const u64 mask = mirrored(p.mask);
    if (mine == p.mine && mask >= p.mask) return p;
    return {mine, mask, mirrored(p.wins), mirrored(p.threats)};
}

// ---- What the rules can tell about a position without searching.

// The most that the player to move gets from an opponent who only follows up (claimeven); CELLS if that denies him nothing.
inline int most_against_follower(u64 mine, u64 opponent, u64 threats) {
    const u64 mask = mine | opponent, empty = FULL ^ mask;
    u64 heads = (mask + FOOT) & ODD;  // the lowest empty cells of columns with an odd number of them
    const u64 uneven = (heads + FULL) & ROOF;
    const u64 goals = (threats & EVEN) | ROOF;
    const u64 upto = goals ^ (goals - FOOT);  // each column up to the lowest goal
    u64 cut = uneven & ~upto, single = uneven & upto;
    if (std::popcount(single) % 2 == 1) {
        if (cut == 0) return CELLS;
        single |= cut & -cut;
        cut &= cut - 1;
    }
    const u64 closed = cut - (cut >> HEIGHT), below = upto & ~goals;
    heads &= single - (single >> HEIGHT);
    const u64 his = (empty & EVEN & ~closed) | (empty & ODD & below & closed) | heads;
    if (has_four(mine | his)) return CELLS;
    if (cut) return -((std::popcount(empty & closed & ~below) + 1) / 2);
    return has_four(opponent | (empty & ODD & ~heads)) ? -1 : 0;
}

// Not inlined, because it is called in several unrolled loops.
[[gnu::noinline]] Limits limits(const Position& p) {
    const int stones = stones_on(p);
    if (p.threats == ROOF) {
        const int lost = -((CELLS + 2 - stones) / 2);
        return {lost, lost};
    }
    if (p.mask == FULL) return {0, 0};
    if (p.wins & playable(p.mask)) {
        const int won = (CELLS + 1 - stones) / 2;
        return {won, won};
    }
    if (safe_cells(p) == 0) {
        const int lost = -((CELLS - stones) / 2);
        return {lost, lost};
    }
    const u64 opponent = p.mine ^ p.mask, empty = FULL ^ p.mask;
    // Nobody has a four before the fourth stone of his own.
    const int lost_at = std::max(stones + 4, 8 - stones % 2), won_at = std::max(stones + 3, 8 - (stones + 1) % 2);
    const int low = has_four(opponent | empty) ? -std::max(0, (CELLS + 2 - lost_at) / 2) : 0;
    const int high = has_four(p.mine | empty) ? std::max(0, (CELLS + 2 - won_at) / 2) : 0;
    return {low, std::min(high, most_against_follower(p.mine, opponent, p.threats))};
}

inline Limits seen_by(int sign, Limits found) { return sign > 0 ? found : Limits{-found.high, -found.low}; }

// ---- The order of actions.

constexpr int BLOCK = 1 << 14, GIFT = 1 << 13;

inline int prospects(u64 mine, u64 opponent, u64 empty) {
    const u64 free = mine | empty, open_to_him = opponent | empty;
    int count = 0;
    for (int step : {1, HEIGHT, HEIGHT + 1, HEIGHT + 2}) {
        const u64 second = mine >> step, third = mine >> 2 * step, fourth = mine >> 3 * step;
        const u64 half = (mine & second) | (third & fourth) | ((mine | second) & (third | fourth));
        const u64 pairs = free & (free >> step), his = open_to_him & (open_to_him >> step);
        count += 10 * std::popcount(pairs & (pairs >> 2 * step) & half) - 4 * std::popcount(his & (his >> 2 * step));
    }
    return count;
}

// How promising a stone looks if it does not win at once. Not inlined either.
[[gnu::noinline]] int promise(const Position& p, u64 stone) {
    const u64 mine = p.mine | stone, mask = p.mask | stone, made = completing(mine, mask);
    const int column = std::countr_zero(stone) / COLUMN;
    int score = 64 * std::popcount(made) + 144 * std::popcount(made & ((mask + FOOT) << 1));
    score += prospects(mine, p.mine ^ p.mask, FULL ^ mask) - 4 * std::abs(2 * column - WIDTH + 1);
    if (stone & p.threats) score += BLOCK;
    if (stone << 1 & p.threats) score -= GIFT;
    return score;
}

// ---- The table of proofs.

constexpr int LOWEST = -(1 << 15), HIGHEST = (1 << 15) - 1;
constexpr int WAYS = 4;

struct Entry {
    u64 key;
    std::int16_t low, high;
    std::int32_t effort;  // 0 if nothing is stored
};

struct alignas(64) Bucket {
    Entry entries[WAYS];
};

Bucket* table;
u64 buckets;

// All pages are touched before the clock starts, and large pages are requested, as NumPy does.
void make_table() {
    constexpr std::size_t page = 2 << 20;
    const std::size_t bytes = (buckets * sizeof(Bucket) + page - 1) / page * page;
    table = static_cast<Bucket*>(std::aligned_alloc(page, bytes));
    if (!table) std::abort();
    madvise(table, bytes, MADV_HUGEPAGE);
    std::memset(static_cast<void*>(table), 0, bytes);
}

inline u64 mix(u64 x) {  // the finaliser of SplitMix64
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

inline Bucket& bucket_of(u64 key) { return table[((mix(key) >> 32) * buckets) >> 32]; }

inline u64 key_of(const Position& p) { return p.mine + p.mask; }

inline Limits recall(const Bucket& bucket, u64 key) {
    for (const Entry& entry : bucket.entries)
        if (entry.key == key && entry.effort != 0) return {entry.low, entry.high};
    return {LOWEST, HIGHEST};
}

// In a full bucket the last entry of least effort gives way.
inline void keep(u64 key, int low, int high, int effort) {
    Bucket& bucket = bucket_of(key);
    Entry* chosen = bucket.entries;
    int least = 1 << 30;
    for (Entry& entry : bucket.entries) {
        if (entry.key == key && entry.effort != 0) {
            low = std::max<int>(low, entry.low);
            high = std::min<int>(high, entry.high);
            effort = std::max(effort, entry.effort);
            chosen = &entry;
            break;
        }
        if (entry.effort <= least) {
            least = entry.effort;
            chosen = &entry;
        }
    }
    *chosen = {key, std::int16_t(low), std::int16_t(high), effort};
}

// ---- The search.

constexpr int LAST_PLIES = 8;
constexpr int PLACES = 1 << 10;
constexpr int NONE = -(1 << 30);

i64 nodes, cutoffs, first_cutoffs, table_hits;

struct Child {
    Position position;
    u64 key;
    Bucket* bucket;
    u64 stone;
    int sign, score;
};

// Calls `visit` with each of these cells (at most one per column), from the centre outwards, until it returns that this is enough.
template <class Visit>
inline bool any_from_centre(u64 cells, Visit visit) {
    for (int column : FROM_CENTRE)
        if (const u64 stone = cells & column_of(column))
            if (visit(stone)) return true;
    return false;
}

// The last plies, where a table and an order cost more than they save. Here nobody wins with the next stone, and some cell is safe.
int finish(const Position& p, int alpha) {
    ++nodes;
    int best = NONE;
    any_from_centre(safe_cells(p), [&](u64 stone) {
        const Position child = played(p, stone);
        const Limits found = seen_by(-1, limits(child));
        if (found.low > alpha) {
            best = found.low;
            return true;
        }
        int value = found.high;
        if (value > alpha) value = -finish(child, -alpha - 1);
        best = std::max(best, value);
        return value > alpha;
    });
    return best;
}

// Plays a stone and all forced replies after it; returns the limits of the resulting value for the player who began.
inline Limits follow(Position& p, u64 stone, int& sign, int alpha) {
    for (sign = -1;; sign = -sign) {
        p = played(p, stone);
        const Limits found = seen_by(sign, limits(p));
        if (found.low > alpha || found.high <= alpha) return found;
        stone = safe_cells(p);
        if (!std::has_single_bit(stone)) return found;
    }
}

// Whether a canonical position is worth more than `alpha`, when neither `limits` nor the table can tell.
int prove(const Position& p, u64 key, int alpha) {
    if (CELLS - stones_on(p) <= LAST_PLIES) return finish(p, alpha);
    const i64 before = nodes++;
    Child children[WIDTH];
    int count = 0, best = NONE;
    any_from_centre(safe_cells(p), [&](u64 stone) {
        Child& child = children[count];
        Position after = p;
        const Limits found = follow(after, stone, child.sign, alpha);
        if (found.low > alpha || found.high <= alpha) {
            best = std::max(best, found.low > alpha ? found.low : found.high);
            return found.low > alpha;
        }
        child.position = canonical(after);
        child.key = key_of(child.position);
        child.bucket = &bucket_of(child.key);
        __builtin_prefetch(child.bucket);
        child.stone = stone;
        ++count;
        return false;
    });
    for (int i = 0; best <= alpha && i < count;) {
        Child& child = children[i];
        const Limits found = seen_by(child.sign, recall(*child.bucket, child.key));
        if (found.low > alpha) {
            ++nodes;
            ++table_hits;
            best = found.low;
        } else if (found.high <= alpha) {
            best = std::max(best, found.high);
            child = children[--count];
        } else {
            if (count > 1) child.score = promise(p, child.stone) * PLACES - i;
            ++i;
        }
    }
    for (bool first = true; best <= alpha && count > 0; first = false) {
        Child* chosen = std::max_element(children, children + count, [](const Child& a, const Child& b) { return a.score < b.score; });
        std::swap(*chosen, children[--count]);
        const Child& child = children[count];
        const int value = child.sign > 0 ? prove(child.position, child.key, alpha) : -prove(child.position, child.key, -alpha - 1);
        if (value > alpha) {
            ++cutoffs;
            first_cutoffs += first;
        }
        best = std::max(best, value);
    }
    const int effort = std::bit_width(u64(nodes - before));
    if (best > alpha)
        keep(key, best, HIGHEST, effort);
    else
        keep(key, LOWEST, best, effort);
    return best;
}

int ask(const Position& root, int alpha) {
    const Limits given = limits(root);
    if (given.low > alpha) return given.low;
    if (given.high <= alpha) return given.high;
    const Position home = canonical(root);
    const u64 key = key_of(home);
    const Limits known = recall(bucket_of(key), key);
    if (known.low > alpha) return known.low;
    if (known.high <= alpha) return known.high;
    return prove(home, key, alpha);
}

double processor_seconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

int main(int count, char** words) {
    if (count < 5) return 2;
    const u64 mine = std::strtoull(words[1], nullptr, 10), mask = std::strtoull(words[2], nullptr, 10);
    buckets = std::strtoull(words[3], nullptr, 10);
    make_table();
    const Position root{mine, mask, completing(mine, mask), has_four(mine ^ mask) ? ROOF : completing(mine ^ mask, mask)};
    std::vector<int> answers;
    const double began = processor_seconds();
    for (int i = 4; i < count; ++i) answers.push_back(ask(root, std::atoi(words[i])));
    const double seconds = processor_seconds() - began;
    std::printf("{\"nodes\": %lld, \"cutoffs\": %lld, \"first_cutoffs\": %lld, \"table_hits\": %lld, \"seconds\": %.9f, \"answers\": [",
                (long long)nodes, (long long)cutoffs, (long long)first_cutoffs, (long long)table_hits, seconds);
    for (std::size_t i = 0; i < answers.size(); ++i) std::printf("%s%d", i ? ", " : "", answers[i]);
    std::printf("]}\n");
}

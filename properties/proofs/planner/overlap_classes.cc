#include "properties/proofs/planner/overlap_classes.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

#include "planner/placement/time_index.h"

namespace pteproof::proofs {
namespace {

using placement::Span;
using OneLife = std::vector<Span>;
using OverlapPair = std::pair<OverlapMatrix, OverlapMatrix>;  // the code's, the true one

// The points whose bits are set, as spans.
OneLife LifeOfPoints(uint64_t points) {
  OneLife life;
  for (int64_t at = 0; points >> at != 0; ++at) {
    if ((points >> at & 1) == 0) continue;
    if (!life.empty() && life.back().upper == at) {
      ++life.back().upper;
    } else {
      life.push_back({at, at + 1});
    }
  }
  return life;
}

std::vector<OneLife> OneSpanLives(size_t points) {
  std::vector<OneLife> lives;
  const auto end = static_cast<int64_t>(points);
  for (int64_t lower = 0; lower < end; ++lower) {
    for (int64_t upper = lower + 1; upper <= end; ++upper) lives.push_back({{lower, upper}});
  }
  return lives;
}

std::vector<OneLife> AnyLives(size_t points) {
  std::vector<OneLife> lives;
  for (uint64_t set = 1; set < uint64_t{1} << points; ++set) lives.push_back(LifeOfPoints(set));
  return lives;
}

// Visits all choices of `count` lives in which no choice is before the previous one.
void VisitChoices(const std::vector<OneLife>& choices, size_t count, size_t first, Lives& lives,
                  const std::function<void(const Lives&)>& visit) {
  if (lives.size() == count) return visit(lives);
  for (size_t c = first; c < choices.size(); ++c) {
    lives.push_back(choices[c]);
    VisitChoices(choices, count, c, lives, visit);
    lives.pop_back();
  }
}

// A point for each storage, and behind them one for each edge.
void VisitGraphs(size_t count, const std::function<void(const Lives&)>& visit) {
  const size_t edges = count * (count - 1) / 2;
  for (uint64_t graph = 0; graph < uint64_t{1} << edges; ++graph) {
    std::vector<uint64_t> points(count);
    size_t edge = 0;
    for (size_t i = 0; i < count; ++i) {
      points[i] |= uint64_t{1} << i;
      for (size_t j = i + 1; j < count; ++j, ++edge) {
        const uint64_t point = (graph >> edge & 1) << (count + edge);
        points[i] |= point;
        points[j] |= point;
      }
    }
    Lives lives;
    for (const uint64_t set : points) lives.push_back(LifeOfPoints(set));
    visit(lives);
  }
}

Lives Reordered(const Lives& lives, const std::vector<size_t>& order) {
  Lives result;
  for (const size_t i : order) result.push_back(lives[i]);
  return result;
}

OverlapMatrix Reordered(const OverlapMatrix& overlap, const std::vector<size_t>& order) {
  OverlapMatrix result;
  for (const size_t i : order) {
    for (const size_t j : order) result.push_back(overlap[i * order.size() + j]);
  }
  return result;
}

OverlapPair SmallestPair(const OverlapPair& pair, const std::vector<std::vector<size_t>>& orders) {
  OverlapPair smallest = pair;
  for (const std::vector<size_t>& order : orders) {
    smallest = std::min(smallest, {Reordered(pair.first, order), Reordered(pair.second, order)});
  }
  return smallest;
}

bool IsPartOf(const OverlapMatrix& part, const OverlapMatrix& whole) {
  for (size_t k = 0; k < part.size(); ++k) {
    if (part[k] && !whole[k]) return false;
  }
  return true;
}

// Per pair the first lives that came to it.
using Classes = std::map<OverlapPair, Lives>;

std::vector<Lives> LargestOf(const Classes& classes) {
  std::vector<Lives> largest;
  for (const auto& [pair, lives] : classes) {
    const bool is_part = std::ranges::any_of(classes, [&](const auto& other) {
      return other.first.first == pair.first && other.first.second != pair.second &&
             IsPartOf(pair.second, other.first.second);
    });
    if (!is_part) largest.push_back(lives);
  }
  return largest;
}

}  // namespace

OverlapMatrix TrueOverlap(const Lives& lives) {
  int64_t end = 0;
  for (const OneLife& life : lives) {
    for (const Span& span : life) end = std::max(end, span.upper);
  }
  const auto lives_at = [](const OneLife& life, int64_t point) {
    return std::ranges::any_of(
        life, [&](const Span& span) { return span.lower <= point && point < span.upper; });
  };
  OverlapMatrix overlap(lives.size() * lives.size());
  for (int64_t point = 0; point < end; ++point) {
    for (size_t i = 0; i < lives.size(); ++i) {
      for (size_t j = 0; j < lives.size(); ++j) {
        if (lives_at(lives[i], point) && lives_at(lives[j], point)) {
          overlap[i * lives.size() + j] = true;
        }
      }
    }
  }
  return overlap;
}

OverlapMatrix IndexOverlap(const Lives& lives) {
  placement::TimeIndex index(lives);
  OverlapMatrix overlap(lives.size() * lives.size());
  for (size_t i = 0; i < lives.size(); ++i) index.Add(static_cast<int32_t>(i));
  std::vector<int32_t> found;
  for (size_t i = 0; i < lives.size(); ++i) {
    index.Conflicts(static_cast<int32_t>(i), found);
    for (const int32_t j : found) overlap[i * lives.size() + static_cast<size_t>(j)] = true;
    overlap[i * lives.size() + i] = true;
  }
  return overlap;
}

OverlapMatrix HullOverlap(const Lives& lives) {
  Lives hulls;
  for (const OneLife& life : lives) hulls.push_back(placement::HullOf(life));
  return IndexOverlap(hulls);
}

std::vector<std::vector<size_t>> AllOrders(size_t count) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::vector<std::vector<size_t>> orders;
  do {
    orders.push_back(order);
  } while (std::ranges::next_permutation(order).found);
  return orders;
}

std::vector<Lives> OverlapClasses(size_t storages, const OverlapOfCode& code, bool labelled) {
  constexpr size_t kMostPoints = 4;
  const std::vector<std::vector<size_t>> orders = AllOrders(storages);
  Classes classes;
  const auto add = [&](const Lives& lives) {
    classes.try_emplace(SmallestPair({code(lives), TrueOverlap(lives)}, orders), lives);
  };
  Lives chosen;
  VisitChoices(OneSpanLives(storages), storages, 0, chosen, add);
  VisitChoices(AnyLives(std::min(storages, kMostPoints)), storages, 0, chosen, add);
  VisitGraphs(storages, add);
  if (!labelled) return LargestOf(classes);
  Classes all;
  for (const auto& [pair, lives] : classes) {
    for (const std::vector<size_t>& order : orders) {
      const Lives reordered = Reordered(lives, order);
      all.try_emplace({code(reordered), TrueOverlap(reordered)}, reordered);
    }
  }
  return LargestOf(all);
}

std::vector<std::vector<size_t>> MaximalCliques(size_t storages, const OverlapMatrix& overlap) {
  std::vector<uint64_t> cliques;
  for (uint64_t set = (uint64_t{1} << storages) - 1; set > 0; --set) {
    bool is_clique = true;
    for (size_t i = 0; i < storages; ++i) {
      for (size_t j = 0; j < storages; ++j) {
        if ((set >> i & 1) == 0 || (set >> j & 1) == 0) continue;
        is_clique = is_clique && overlap[i * storages + j];
      }
    }
    if (is_clique) cliques.push_back(set);
  }
  std::vector<std::vector<size_t>> maximal;
  for (const uint64_t set : cliques) {
    const bool is_part = std::ranges::any_of(
        cliques, [&](uint64_t other) { return other != set && (set & ~other) == 0; });
    if (is_part) continue;
    std::vector<size_t>& members = maximal.emplace_back();
    for (size_t i = 0; i < storages; ++i) {
      if ((set >> i & 1) != 0) members.push_back(i);
    }
  }
  return maximal;
}

}  // namespace pteproof::proofs

// Idea. A web's bytes are cut where its values begin and end. Each piece is walked backward from
// its readers to the instructions that fill it (backward_walk.h), and the web is in use wherever a
// piece is. Before the first instruction that touches the web, nothing is in it yet, even if only a
// part of a piece is written then.
//
//        piece 0          piece 1
//   0:   fills v3                           [1, ...
//   1:                    fills v4
//   2:   reads v5         reads v5          ..., 6)       the web {v3, v4, v5} lives in [1, 6)
//
// Cost: O(accesses of each piece x log), and a step for each block that a piece lives through. Webs
// of which the pieces have more accesses than kMostAccesses are taken to live always.
#include <algorithm>
#include <map>
#include <utility>

#include "planner/lift/webs.h"
#include "planner/planted.h"

namespace pteproof::planner {
namespace {

constexpr size_t kMostAccesses = 10'000'000;  // of one method

struct WebMember {
  int32_t value = 0;
  BankBytes bytes;
};

// Of one value, instructions.
struct Events {
  std::vector<int32_t> reads;
  std::vector<int32_t> fills;
  std::vector<int32_t> updates;
  bool filled_at_entry = false;
  bool read_at_exit = false;
};

class Lives {
 public:
  Lives(const Method& method, const MethodWebs& webs)
      : method_(method),
        webs_(webs),
        count_(static_cast<int32_t>(method.instructions.size())),
        blocks_(BlocksOf(
            count_, Planted(Defect::kJumpsNotTaken) ? std::vector<Jump>() : webs.touches.jumps)),
        events_(method.values.size()) {}

  std::vector<LiveSet> Go() {
    Gather();
    std::map<int32_t, std::vector<WebMember>> members;
    for (size_t v = 0; v < webs_.web.size(); ++v) {
      if (webs_.web[v] < 0) continue;
      const auto value = static_cast<int32_t>(v);
      members[webs_.web[v]].push_back({value, BytesOf(method_, value)});
    }
    std::vector<LiveSet> lives(webs_.web.size());
    for (const auto& [web, all] : members) lives[static_cast<size_t>(web)] = LifeOf(all);
    return lives;
  }

 private:
  void Gather() {
    const auto& touches = webs_.touches;
    for (int32_t i = 0; i < count_; ++i) {
      const Touch& touch = touches.of_instruction[static_cast<size_t>(i)];
      for (const int32_t v : touch.reads) At(v).reads.push_back(i);
      for (const int32_t v : touch.may_read) At(v).reads.push_back(i);
      for (const int32_t v : touch.moves) At(v).reads.push_back(i);
      for (const int32_t v : touch.fills) At(v).fills.push_back(i);
      for (const int32_t v : touch.updates) At(v).updates.push_back(i);
    }
    for (const int32_t v : touches.inputs) At(v).filled_at_entry = true;
    for (const int32_t v : touches.outputs) At(v).read_at_exit = true;
    for (const int32_t v : touches.may_be_outputs) At(v).read_at_exit = true;
  }

  Events& At(int32_t v) { return events_[static_cast<size_t>(v)]; }

  [[nodiscard]] LiveSet Always() const { return {{-1, 2 * int64_t{count_} + 1}}; }

  LiveSet LifeOf(const std::vector<WebMember>& members) {
    std::vector<uint64_t> cuts;
    for (const WebMember& m : members) cuts.insert(cuts.end(), {m.bytes.lo, m.bytes.hi});
    std::ranges::sort(cuts);
    cuts.erase(std::ranges::unique(cuts).begin(), cuts.end());
    LiveSet life;
    for (size_t c = 0; c + 1 < cuts.size(); ++c) {
      AddPiece(members, cuts[c], cuts[c + 1], life);
      if (accesses_ > kMostAccesses) return Always();
    }
    return FromFirstTouch(members, Normal(std::move(life)));
  }

  void AddPiece(const std::vector<WebMember>& members, uint64_t lo, uint64_t hi, LiveSet& life) {
    std::vector<int32_t> fills;
    std::vector<const Events*> all;
    for (const WebMember& m : members) {
      if (m.bytes.lo > lo || m.bytes.hi < hi) continue;
      all.push_back(&At(m.value));
      fills.insert(fills.end(), all.back()->fills.begin(), all.back()->fills.end());
    }
    std::ranges::sort(fills);
    BackwardWalk walk(blocks_, fills);
    for (const Events* events : all) {
      accesses_ += events->reads.size() + events->fills.size() + events->updates.size() + 1;
      for (const int32_t i : events->reads) {
        if (Planted(Defect::kFirstReadCounts) && i != events->reads.front()) continue;
        walk.Use(i, 2 * int64_t{i} + 2);
      }
      for (const int32_t i : events->fills) walk.Add({2 * int64_t{i} + 1, 2 * int64_t{i} + 2});
      for (const int32_t i : events->updates) walk.Add({2 * int64_t{i} + 1, 2 * int64_t{i} + 2});
      if (events->filled_at_entry && !Planted(Defect::kEntryNotFilled)) walk.Add({-1, 0});
      if (events->read_at_exit && !Planted(Defect::kExitNotRead)) {
        walk.Use(count_, 2 * int64_t{count_} + 1);
      }
    }
    const LiveSet piece = walk.Take();
    life.insert(life.end(), piece.begin(), piece.end());
  }

  // Without what lies before the first write, unless a jump leads back there.
  LiveSet FromFirstTouch(const std::vector<WebMember>& members, LiveSet life) {
    int32_t first = count_;
    for (const WebMember& m : members) {
      const Events& events = At(m.value);
      if (events.filled_at_entry) return life;
      for (const auto* touches : {&events.reads, &events.fills, &events.updates}) {
        if (!touches->empty()) first = std::min(first, touches->front());
      }
    }
    bool moved = true;
    while (moved) {
      moved = false;
      for (const Jump& jump : webs_.touches.jumps) {
        if (jump.at < first || jump.target >= first) continue;
        first = jump.target;
        moved = true;
      }
    }
    const int64_t begin = 2 * int64_t{first};
    std::erase_if(life, [&](const Span& span) { return span.upper <= begin; });
    if (!life.empty()) life.front().lower = std::max(life.front().lower, begin);
    return life;
  }

  const Method& method_;
  const MethodWebs& webs_;
  int32_t count_;
  std::vector<Block> blocks_;
  std::vector<Events> events_;
  size_t accesses_ = 0;
};

}  // namespace

std::vector<LiveSet> LivesOf(const Method& method, const MethodWebs& webs) {
  return Lives(method, webs).Go();
}

}  // namespace pteproof::planner

// Idea: follow each use upwards to the making of the name. Within a block that gives a span of
// points in which the name is wanted. A name that the block does not make is wanted at the end of
// each block before it, and a name that was taken from others wants these at that point.
//
//   block 0:  0: v3 = ..                     [0.write, end)   v3
//   block 1:  1: ..   2: reads v3            [begin, 2.read)  v3, made before
//
// Invariant: one span per block, name and making; a later use only moves its end. So loops end, and
// a write within a span, by anybody but the name itself, destroys a wanted value.
//
// Cost: O(spans log spans); beyond kMostSpans `complete` is false.
#include "properties/proofs/facts/needs.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace pteproof::proofs {
namespace {

// A name that something wants at a point.
struct Use {
  int32_t name = 0;
  Point at;
  int32_t reader = 0;
};

class NeedSearch {
 public:
  explicit NeedSearch(const MethodFlow& flow) : flow_(flow), events_(flow) {}

  void Want(Use use, int32_t block) {
    open_.push_back({use, block, 0});
    while (!open_.empty()) {
      const Wanted next = open_.back();
      open_.pop_back();
      Follow(next);
    }
  }

  void WantAtEnd(const LiveName& n, int32_t block) {
    leaving_.insert({block, n.name});
    Want({n.name, EndOf(block), n.reader}, block);
  }

  Needs Finish() && {
    const auto made = MadeBefore();
    Needs needs;
    for (const auto& [key, span] : spans_) {
      needs.spans.push_back(span);
      needs.spans.back().made_before = made.contains({span.block, span.name});
    }
    std::ranges::sort(needs.spans, {},
                      [](const Need& n) { return std::tuple(n.block, n.from, n.name, n.until); });
    needs.complete = spans_.size() <= kMostSpans;
    return needs;
  }

 private:
  struct Wanted {
    Use use;
    int32_t block = 0;
    int32_t before_transfer = 0;  // of transfers at that very point only those before it count
  };
  using Key = std::tuple<int32_t, int32_t, Point, int32_t>;  // block, name, making, its transfer

  static constexpr Make kNowhere = {{-2, Step::kBefore}};

  [[nodiscard]] const Block& BlockAt(int32_t b) const {
    return flow_.graph.blocks[static_cast<size_t>(b)];
  }
  [[nodiscard]] Point EndOf(int32_t block) const { return {BlockAt(block).end, Step::kBefore}; }

  void Follow(const Wanted& wanted) {
    if (spans_.size() > kMostSpans) return;
    const Use& use = wanted.use;
    const int32_t begin = BlockAt(wanted.block).begin;
    const Make* make = events_.LastBefore(use.name, use.at, begin, wanted.before_transfer);
    const bool here = make != nullptr;
    const Make& making = here ? *make : kNowhere;
    const Point from = here ? making.at : Point{begin, Step::kBefore};
    const auto [known, fresh] =
        spans_.try_emplace({wanted.block, use.name, making.at, making.transfer},
                           Need{use.name, wanted.block, from, use.at, here, false, use.reader});
    if (!fresh) {
      if (known->second.until < use.at) {
        known->second.until = use.at;
        known->second.reader = use.reader;
      }
      return;
    }
    if (!here) WantBefore(wanted);
    if (making.transfer < 0) return;
    const Transfer& transfer = flow_.aliases.transfers[static_cast<size_t>(making.transfer)];
    for (const int32_t source : flow_.aliases.SourcesOf(transfer)) {
      open_.push_back({{source, making.at, use.reader}, wanted.block, making.transfer});
    }
  }

  void WantBefore(const Wanted& wanted) {
    for (const int32_t p : BlockAt(wanted.block).predecessors) {
      if (!BlockAt(p).reachable) continue;
      leaving_.insert({p, wanted.use.name});
      open_.push_back({{wanted.use.name, EndOf(p), wanted.use.reader}, p, 0});
    }
  }

  // Blocks and names that are wanted there and that some block before it touched, the name being
  // wanted all the way. A name that is filled in part is touched, and its rest is still wanted.
  [[nodiscard]] std::set<std::pair<int32_t, int32_t>> MadeBefore() const {
    std::set<std::pair<int32_t, int32_t>> made;
    if (flow_.graph.straight()) return made;
    std::vector<std::pair<int32_t, int32_t>> open;
    const auto touch = [&](int32_t i, int32_t name) {
      open.emplace_back(flow_.graph.block_of[static_cast<size_t>(i)], name);
    };
    for (int32_t n = 0; n < flow_.value_count(); ++n) {
      for (const Make& make : events_.Of(n)) touch(make.at.instruction, n);
    }
    for (const auto& fill : events_.fills()) touch(fill.instruction, fill.name);
    while (!open.empty()) {
      const auto [block, name] = open.back();
      open.pop_back();
      if (!leaving_.contains({block, name})) continue;
      for (const int32_t next : BlockAt(block).successors) {
        if (made.insert({next, name}).second) open.emplace_back(next, name);
      }
    }
    return made;
  }

  const MethodFlow& flow_;
  const NameEvents events_;
  std::map<Key, Need> spans_;
  std::set<std::pair<int32_t, int32_t>> leaving_;  // blocks at whose end a name is wanted
  std::vector<Wanted> open_;
};

}  // namespace

Needs NeedsOf(const MethodFlow& flow, const std::function<bool(int32_t)>& counts) {
  NeedSearch search(flow);
  // The last use first: most spans are then found whole.
  for (int32_t i = flow.instruction_count(); i-- > 0;) {
    const int32_t block = flow.graph.block_of[static_cast<size_t>(i)];
    if (!flow.graph.blocks[static_cast<size_t>(block)].reachable || !counts(i)) continue;
    for (const Read& r : flow.effects.ReadsOf(static_cast<size_t>(i))) {
      search.Want({r.value, {i, Step::kRead}, i}, block);
    }
    for (const meaning::Write& w : flow.effects.WritesOf(static_cast<size_t>(i))) {
      if (w.is_scratch) search.Want({w.value, {i, Step::kAfter}, i}, block);
    }
  }
  const std::vector<LiveName> ends = meaning::NamesAtEnd(flow);
  for (int32_t b = 0; b < static_cast<int32_t>(flow.graph.blocks.size()); ++b) {
    const Block& block = flow.graph.blocks[static_cast<size_t>(b)];
    if (!block.exits || !block.reachable) continue;
    for (const LiveName& n : ends) search.WantAtEnd(n, b);
  }
  return std::move(search).Finish();
}

}  // namespace pteproof::proofs

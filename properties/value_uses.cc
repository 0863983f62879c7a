#include "properties/value_uses.h"

#include <algorithm>
#include <map>
#include <utility>

#include "properties/vocabulary.h"
#include "reference/op_schema.h"

namespace pteproof::checks {
namespace {

int64_t ReadPoint(int32_t instruction) {
  return 2 * int64_t{instruction};
}
int64_t WritePoint(int32_t instruction) {
  return 2 * int64_t{instruction} + 1;
}
int64_t EndPoint(int32_t instruction) {
  return 2 * int64_t{instruction} + 2;
}

int64_t PointAt(const Transfer& transfer) {
  switch (transfer.phase) {
    case Phase::kBefore:
      return ReadPoint(transfer.instruction);
    case Phase::kAt:
      return WritePoint(transfer.instruction);
    case Phase::kAfter:
      return EndPoint(transfer.instruction);
  }
  return EndPoint(transfer.instruction);
}

// Finds when each value's own bytes are in use, walking each block backwards.
class UseFinder {
 public:
  UseFinder(const MethodFlow& flow, const Liveness& liveness)
      : flow_(flow), liveness_(liveness), handles_(flow) {
    uses_.of.resize(flow.method.values.size());
  }

  ValueUses Run() && {
    for (size_t b = 0; b < flow_.graph.blocks.size(); ++b) {
      if (flow_.graph.blocks[b].reachable) WalkBlock(b);
    }
    const PointSpan entry = {PointSpan::kEntry, PointSpan::kEntry + 1};
    const PointSpan always = {PointSpan::kEntry,
                              std::max<int64_t>(ReadPoint(flow_.instruction_count()), 0)};
    for (const int32_t v : flow_.method.inputs) uses_.of[static_cast<size_t>(v)].push_back(entry);
    for (const auto& state : flow_.roles.states) {
      uses_.of[static_cast<size_t>(state.value)].push_back(always);
    }
    for (auto& spans : uses_.of) spans = Merged(std::move(spans));
    std::ranges::sort(uses_.together);
    uses_.together.erase(std::ranges::unique(uses_.together).begin(), uses_.together.end());
    return std::move(uses_);
  }

 private:
  // A name that is wanted later, and where it lies.
  struct Wanted {
    int64_t until = 0;
    std::vector<int32_t> holders;
  };

  void WalkBlock(size_t b) {
    const Block& block = flow_.graph.blocks[b];
    const auto& transfers = flow_.aliases.transfers;
    next_transfer_ = static_cast<size_t>(
        std::ranges::upper_bound(transfers, block.end - 1, {}, &Transfer::instruction) -
        transfers.begin());
    for (const auto& n : liveness_.out[b]) {
      Want(n.name, ReadPoint(block.end), {block.end - 1, Step::kEnd});
    }
    for (int32_t i = block.end; i-- > block.begin;) WalkInstruction(i);
    const int64_t begin = b == 0 ? PointSpan::kEntry : ReadPoint(block.begin);
    while (!wanted_.empty()) Make(wanted_.begin()->first, begin);
  }

  void WalkInstruction(int32_t i) {
    Take(i, Phase::kAfter);
    for (const auto& w : flow_.effects.WritesOf(static_cast<size_t>(i))) {
      Want(w.value, EndPoint(i), {i, Step::kWrite});
    }
    for (const auto& w : flow_.effects.WritesOf(static_cast<size_t>(i))) {
      if (w.access != Access::kFill) Make(w.value, WritePoint(i));
    }
    for (const auto& r : flow_.effects.ReadsOf(static_cast<size_t>(i))) {
      Want(r.value, EndPoint(i), {i, Step::kRead});
    }
    Take(i, Phase::kAt);
    Take(i, Phase::kBefore);
  }

  // Names that take over others: further back, the others are wanted.
  void Take(int32_t i, Phase phase) {
    const auto& transfers = flow_.aliases.transfers;
    for (; next_transfer_ > 0; --next_transfer_) {
      const Transfer& t = transfers[next_transfer_ - 1];
      if (t.instruction != i || t.phase != phase) return;
      if (!wanted_.contains(t.to)) continue;
      Make(t.to, PointAt(t));
      for (const int32_t source : flow_.aliases.SourcesOf(t)) {
        Want(source, PointAt(t), checks::PointOf(t));
      }
    }
  }

  void Want(int32_t name, int64_t until, Point at) {
    if (name >= flow_.value_count()) return;  // the end of a state, which always lives
    const auto [wanted, is_new] = wanted_.try_emplace(name);
    if (!is_new) return;
    wanted->second.until = until;
    if (handles_.IsHandle(name)) {
      handles_.HoldersAt(name, at, wanted->second.holders);
    } else {
      wanted->second.holders = {name};
    }
  }

  void Make(int32_t name, int64_t point) {
    const auto wanted = wanted_.find(name);
    if (wanted == wanted_.end()) return;
    for (const int32_t holder : wanted->second.holders) {
      if (point >= wanted->second.until) continue;
      uses_.of[static_cast<size_t>(holder)].push_back({point, wanted->second.until});
      const int32_t first = wanted->second.holders.front();
      if (holder != first) uses_.together.emplace_back(first, holder);
    }
    wanted_.erase(wanted);
  }

  const MethodFlow& flow_;
  const Liveness& liveness_;
  Handles handles_;
  size_t next_transfer_ = 0;
  std::map<int32_t, Wanted> wanted_;
  ValueUses uses_;
};

}  // namespace

ValueUses UsesOf(const MethodFlow& flow, const Liveness& liveness) {
  return UseFinder(flow, liveness).Run();
}

}  // namespace pteproof::checks

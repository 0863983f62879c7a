#include "properties/lifetimes.h"

#include <algorithm>
#include <utility>

#include "base/disjoint_sets.h"
#include "properties/vocabulary.h"

namespace pteproof {
namespace {

using checks::Block;
using checks::Handles;
using checks::LiveName;
using checks::Liveness;
using checks::Make;
using checks::MakeKind;
using checks::MethodFlow;
using checks::NameEvents;
using checks::Point;
using checks::Role;
using checks::Step;

void Extend(Lifetime& life, int32_t first, int32_t last) {
  if (life.empty()) {
    life.first = first;
    life.last = last;
    return;
  }
  life.first = std::min(life.first, first);
  life.last = std::max(life.last, last);
}

class LifetimeFinder {
 public:
  LifetimeFinder(const MethodFlow& flow, const Liveness& liveness)
      : flow_(flow),
        liveness_(liveness),
        events_(flow),
        handles_(flow),
        followed_(flow.aliases.transfers.size()),
        lifetimes_(flow.method.values.size()) {}

  std::vector<Lifetime> Run() && {
    for (size_t b = 0; b < flow_.graph.blocks.size(); ++b) {
      if (flow_.graph.blocks[b].reachable) FindIn(b);
    }
    const int32_t end = flow_.instruction_count();
    for (const int32_t v : flow_.method.inputs) Hold(v, Lifetime::kEntry, Lifetime::kEntry);
    for (const int32_t v : flow_.method.outputs) Hold(v, end, end);
    ShareStorages();
    return std::move(lifetimes_);
  }

 private:
  // Backwards, so that the first want of a name is the one that lasts longest.
  void FindIn(size_t b) {
    const Block& block = flow_.graph.blocks[b];
    for (const LiveName& n : liveness_.out[b]) {
      const bool to_end = block.exits && n.reader >= flow_.instruction_count();
      Want(n.name, {block.end, Step::kBefore}, to_end ? n.reader : block.end - 1, b);
    }
    for (int32_t i = block.end; i-- > block.begin;) {
      for (const auto& write : flow_.effects.WritesOf(static_cast<size_t>(i))) {
        HoldBytes(write.value, i, i, {i, Step::kWrite});
      }
      for (const auto& read : flow_.effects.ReadsOf(static_cast<size_t>(i))) {
        Hold(read.value, i, i);
        Want(read.value, {i, Step::kRead}, i, b);
      }
    }
  }

  // An instruction needs the bytes of a name, from its making before `at` until instruction
  // `until`, and so the bytes of the names that it took over.
  void Want(int32_t name, Point at, int32_t until, size_t b) {
    if (name >= flow_.value_count()) return;  // the end of a state, which always lives
    struct Wanted {
      int32_t name = 0;
      Point at;
      int32_t transfer = 0;  // that wants it, of those at that point
    };
    std::vector<Wanted> wanted = {{name, at}};
    while (!wanted.empty()) {
      const auto [n, point, by] = wanted.back();
      wanted.pop_back();
      const int32_t begin = flow_.graph.blocks[b].begin;
      const Make* make = events_.LastBefore(n, point, begin, by);
      if (make != nullptr || IsMadeBefore(n, b)) {
        HoldBytes(n, make == nullptr ? begin : make->at.instruction, until, point);
      }
      if (make == nullptr || make->kind != MakeKind::kTaken) continue;
      const auto transfer = static_cast<size_t>(make->transfer);
      if (followed_[transfer]) continue;
      followed_[transfer] = true;
      for (const int32_t source : flow_.aliases.SourcesOf(flow_.aliases.transfers[transfer])) {
        wanted.push_back({source, make->at, make->transfer});
      }
    }
  }

  // Whether a name can hold something at a block's begin.
  [[nodiscard]] bool IsMadeBefore(int32_t name, size_t b) const {
    return flow_.IsThereAtEntry(name) || liveness_.Reaches(name, b);
  }

  void Hold(int32_t value, int32_t first, int32_t last) {
    if (flow_.method.TensorOf(value) == nullptr) return;
    Extend(lifetimes_[static_cast<size_t>(value)], first,
           std::min(last, flow_.instruction_count()));
  }

  // A moved name needs the bytes in which it lies.
  void HoldBytes(int32_t name, int32_t first, int32_t last, Point at) {
    Hold(name, first, last);
    if (!handles_.IsHandle(name)) return;
    std::vector<int32_t> holders;
    handles_.HoldersAt(name, at, holders);
    for (const int32_t holder : holders) Hold(holder, first, last);
  }

  void ShareStorages() {
    DisjointSets storages(lifetimes_.size());
    for (int32_t v = 0; v < flow_.value_count(); ++v) {
      storages.Join(v, flow_.aliases.root[static_cast<size_t>(v)]);
    }
    const auto storage_of = [&](size_t v) {
      return static_cast<size_t>(storages.Of(static_cast<int32_t>(v)));
    };
    for (size_t v = 0; v < lifetimes_.size(); ++v) {
      const Lifetime& own = lifetimes_[v];
      if (!own.empty()) Extend(lifetimes_[storage_of(v)], own.first, own.last);
    }
    for (size_t v = 0; v < lifetimes_.size(); ++v) {
      const bool always =
          flow_.roles.of[v] == Role::kConstant || flow_.StateOf(static_cast<int32_t>(v)) >= 0;
      lifetimes_[v] = always ? Lifetime{.always = true} : lifetimes_[storage_of(v)];
    }
  }

  const MethodFlow& flow_;
  const Liveness& liveness_;
  NameEvents events_;
  Handles handles_;
  std::vector<bool> followed_;  // per transfer: its sources are held as long as anybody wants them
  std::vector<Lifetime> lifetimes_;
};

}  // namespace

std::vector<Lifetime> LifetimesOf(const Method& method) {
  const meaning::MethodMeaning meant = meaning::MeaningOf(method, nullptr);
  if (!meant.live.complete) return {};
  const MethodFlow flow = meant.flow();
  return LifetimeFinder(flow, meant.live).Run();
}

}  // namespace pteproof

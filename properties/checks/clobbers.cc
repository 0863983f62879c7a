// Idea: walk each block from its last instruction to its first, with the live names in a map of
// bytes (byte_map.h). In this direction each step is local:
//
//   2: v5 = add(v3, v4)    reads v3 and v4: both become live      map: v3 [0,32), v4 [16,48)
//   1: v4 = mul(v1, v1)    writes [16,48) and meets v3: a clobber of v3, whose reader is 2
//   0: v3 = neg(v1)        writes v3: it is no longer live above
//
// A write first looks for other live names in its bytes, then ends the life of its own name. A read
// starts a life. A transfer (aliases.h) hands the life on to its sources. At the start of the
// method the caller sets the inputs, which counts as a write.
//
// Three kinds of meeting are not a clobber. The name is the written value itself. No instruction
// has made the name yet, so there is nothing to lose. Or the write is a store to the buffer whose
// value at the end of the call the name stands for.
//
// Memory that a call works in is live while the call writes, so that no other result of the call
// lies there.
//
// Invariant: before instruction i is processed, the map holds the names that some path from its end
// reads before it makes them, each in the bytes in which it lies there. A name whose loss was
// reported leaves the map until a read further up wants it again, so one loss gives one clobber.
//
// Cost: O((accesses + live pairs) log n). Visits of segments are counted, and the walk gives up
// beyond kWorkPerAccess per access.
#include "properties/checks/clobbers.h"

#include <algorithm>
#include <map>
#include <optional>

#include "properties/checks/live_set.h"
#include "properties/vocabulary.h"
#include "reference/op_schema.h"

namespace pteproof::checks {
namespace {

// More segment visits than this many per access mean bytes shared by thousands of names.
constexpr uint64_t kWorkPerAccess = 400;
constexpr uint64_t kFreeWork = 4'000'000;

class Walker {
 public:
  Walker(const MethodFlow& flow, const Handles* handles, const Liveness& liveness,
         uint64_t alignment)
      : flow_(flow), liveness_(liveness), live_(flow, handles, alignment) {
    first_make_.resize(flow.method.values.size() + flow.roles.states.size());
    work_limit_ =
        kFreeWork + kWorkPerAccess * (flow.effects.reads.size() + flow.effects.writes.size());
  }

  Walk Run() && {
    walk_.complete = liveness_.complete;
    for (size_t b = flow_.graph.blocks.size(); b-- > 0 && walk_.complete;) {
      if (flow_.graph.blocks[b].reachable) WalkBlock(b);
    }
    walk_.load = live_.Load();
    walk_.load_of_wanted = live_.LoadOfWanted();
    return std::move(walk_);
  }

 private:
  // The first point of a block that makes a name.
  struct FirstMake {
    size_t block = SIZE_MAX;
    int32_t at = 0;
  };

  void WalkBlock(size_t b) {
    const Block& block = flow_.graph.blocks[b];
    StartBlock(b, block);
    for (int32_t i = block.end; i-- > block.begin;) {
      if (OutOfWork()) return;
      Transfers(i, Phase::kAfter);
      live_.MeasureDuring(i);
      Writes(i);
      for (const Read& r : flow_.effects.ReadsOf(static_cast<size_t>(i))) {
        live_.Enliven({r.value, i}, {i, Step::kRead});
      }
      Transfers(i, Phase::kAt);
      Transfers(i, Phase::kBefore);
    }
    if (!OutOfWork() && b == 0) AtEntry();
  }

  bool OutOfWork() {
    walk_.complete = live_.work() <= work_limit_;
    return !walk_.complete;
  }

  void StartBlock(size_t b, const Block& block) {
    block_ = b;
    live_.Clear();
    const auto& transfers = flow_.aliases.transfers;
    next_transfer_ = static_cast<size_t>(
        std::ranges::upper_bound(transfers, block.end - 1, {}, &Transfer::instruction) -
        transfers.begin());
    NoteFirstMakes(block);
    for (const LiveName& n : liveness_.out[b]) {
      if (OutOfWork()) return;
      live_.Enliven(n, {block.end - 1, Step::kEnd});
    }
  }

  // Points at which names are made: an instruction's writes stand between what it takes over before
  // and after.
  static int32_t WritePoint(int32_t instruction) { return 3 * instruction + 1; }

  void NoteMake(int32_t name, int32_t at) {
    FirstMake& first = first_make_[static_cast<size_t>(name)];
    first = {block_, first.block == block_ ? std::min(first.at, at) : at};
  }

  void NoteFirstMakes(const Block& block) {
    for (int32_t i = block.begin; i < block.end; ++i) {
      for (const Write& w : flow_.effects.WritesOf(static_cast<size_t>(i)))
        NoteMake(w.value, WritePoint(i));
    }
    for (size_t t = next_transfer_;
         t-- > 0 && flow_.aliases.transfers[t].instruction >= block.begin;) {
      const Transfer& transfer = flow_.aliases.transfers[t];
      const int32_t writes = WritePoint(transfer.instruction);
      NoteMake(transfer.to, transfer.phase == Phase::kAfter ? writes + 1 : writes - 1);
    }
  }

  void Transfers(int32_t i, Phase phase) {
    const auto& transfers = flow_.aliases.transfers;
    while (next_transfer_ > 0) {
      const Transfer& t = transfers[next_transfer_ - 1];
      if (t.instruction != i || t.phase != phase) return;
      --next_transfer_;
      if (!live_.IsLive(t.to)) continue;
      const int32_t reader = live_.ReaderOf(t.to);
      const bool evicted = live_.IsEvicted(t.to);
      live_.Kill(t.to);
      for (const int32_t source : flow_.aliases.SourcesOf(t)) {
        if (evicted && live_.IsLive(source)) continue;
        live_.Enliven({source, reader}, PointOf(t));
        if (evicted) live_.Evict(source);
      }
    }
  }

  void Writes(int32_t i) {
    const auto writes = flow_.effects.WritesOf(static_cast<size_t>(i));
    for (const Write& w : writes) {
      if (w.is_scratch) live_.Enliven({w.value, i}, {i, Step::kWrite});
    }
    for (const Write& w : writes) {
      if (!live_.IsHandle(w.value)) {
        LookFor(w, w.value, i, writes);
        continue;
      }
      for (const int32_t holder : live_.HoldersAt(w.value, {i, Step::kWrite})) {
        LookFor(w, holder, i, writes);
      }
    }
    for (const Write& w : writes) {
      if (w.access != Access::kFill) live_.Kill(w.value);
      const int32_t state = flow_.StoredState(w);
      if (state < 0 || w.access != Access::kWrite) continue;
      const int32_t end = flow_.value_count() + state;
      if (flow_.PlaceOf(w.value).Holds(flow_.PlaceOf(end))) live_.Kill(end);
    }
  }

  // `holder`: the value in whose bytes the written one lies.
  void LookFor(const Write& write, int32_t holder, int32_t i, std::span<const Write> writes) {
    const Place& place = flow_.PlaceOf(holder);
    const auto met = place.bank == 0 ? live_.MeetUnplanned(holder) : live_.Meet(place);
    for (const int32_t name : met) {
      if (name == write.value || live_.IsEvicted(name) || IsStoreToItsState(name, write)) continue;
      // When the caller sets the inputs nothing has been moved yet.
      if (i < 0 && live_.IsHandle(name) && !flow_.PlaceOf(name).Meets(place)) continue;
      const bool sibling =
          std::ranges::any_of(writes, [&](const Write& w) { return w.value == name; });
      if (sibling || WasMade(name, i)) Report(name, write.value, holder, i);
    }
  }

  bool IsStoreToItsState(int32_t name, const Write& write) const {
    const int32_t state = flow_.EndOfState(name);
    return state >= 0 && flow_.StoredState(write) == state;
  }

  // Whether something made the name before instruction i: else there is nothing to lose yet.
  bool WasMade(int32_t name, int32_t i) const {
    if (flow_.IsThereAtEntry(name)) return true;
    if (i < 0) return false;
    const FirstMake& first = first_make_[static_cast<size_t>(name)];
    if (first.block == block_ && first.at < WritePoint(i)) return true;
    return liveness_.Reaches(name, block_);
  }

  void Report(int32_t victim, int32_t writer, int32_t written_in, int32_t i) {
    const Place& place = flow_.PlaceOf(written_in);
    const bool planned = place.bank != 0;
    const int32_t holder = planned ? live_.HolderIn(victim, place) : written_in;
    if (planned && !flow_.PlaceOf(holder).Meets(place)) return;
    if (walk_.clobbers.size() < kMaxClobbers) {
      const Place bytes = planned ? Common(flow_.PlaceOf(holder), place) : Place{};
      walk_.clobbers.push_back({victim, holder, live_.ReaderOf(victim), writer, i, bytes});
    }
    live_.Evict(victim);
  }

  void AtEntry() {
    live_.MeasureInputs();
    for (const int32_t v : flow_.method.inputs) {
      LookFor({v, Access::kWrite, true}, v, -1, {});
    }
  }

  const MethodFlow& flow_;
  const Liveness& liveness_;
  LiveSet live_;
  std::vector<FirstMake> first_make_;  // per name
  size_t block_ = 0;                   // the one being walked
  size_t next_transfer_ = 0;
  uint64_t work_limit_ = 0;
  Walk walk_;
};

}  // namespace

uint64_t PlanAlignment(const Method& method) {
  constexpr uint64_t kDefaultAlignment = 16;  // the exporter's
  uint64_t bits = kDefaultAlignment;
  for (const Tensor& tensor : method.tensors) {
    if (tensor.planned) bits |= tensor.offset;
  }
  return bits & (~bits + 1);
}

Walk WalkBackwards(const MethodFlow& flow, const Liveness& live) {
  if (!flow.aliases.complete) {
    Walk given_up;
    given_up.complete = false;
    given_up.load.resize(flow.method.bank_sizes.size());
    given_up.load_of_wanted.resize(flow.method.bank_sizes.size());
    return given_up;
  }
  const uint64_t alignment = PlanAlignment(flow.method);
  const bool has_handles = std::ranges::any_of(flow.aliases.transfers, &Transfer::dynamic);
  if (!has_handles) return Walker(flow, nullptr, live, alignment).Run();
  const Handles handles(flow);
  return Walker(flow, &handles, live, alignment).Run();
}

}  // namespace pteproof::checks

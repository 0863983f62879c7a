#include "properties/checks/clobbers.h"

#include <algorithm>
#include <optional>

#include "properties/checks/handles.h"
#include "properties/checks/name_events.h"

namespace pteproof::checks {
namespace {

// More segment visits than this many per access mean bytes shared by thousands of names.
constexpr uint64_t kWorkPerAccess = 400;
constexpr uint64_t kFreeWork = 4'000'000;

Place Common(const Place& a, const Place& b) { return {a.bank, std::max(a.lo, b.lo), std::min(a.hi, b.hi)}; }

class Walker {
 public:
  Walker(const MethodFlow& flow, uint64_t alignment) : flow_(flow), alignment_(alignment) {
    const size_t names = flow.method.values.size() + flow.roles.states.size();
    live_.resize(names);
    first_make_.resize(names, kNever);
    walk_.load.resize(flow.method.bank_sizes.size());
    extra_.resize(flow.method.bank_sizes.size());
    work_limit_ = kFreeWork + kWorkPerAccess * (flow.effects.reads.size() + flow.effects.writes.size());
  }

  Walk Run() && {
    const std::vector<LiveName> ends = NamesAtEnd(flow_);
    const Liveness liveness = LivenessOf(flow_, ends);
    walk_.complete = liveness.complete;
    if (NeedsHandles()) {
      events_.emplace(flow_);
      handles_.emplace(flow_, *events_, liveness);
    }
    liveness_ = &liveness;
    for (size_t b = flow_.graph.blocks.size(); b-- > 0 && walk_.complete;) {
      if (flow_.graph.blocks[b].reachable) WalkBlock(b);
    }
    return std::move(walk_);
  }

 private:
  static constexpr int32_t kNever = INT32_MAX;

  struct Live {
    bool live = false;
    bool evicted = false;  // clobbered already: said once per block
    int32_t reader = 0;
    std::vector<int32_t> holders;  // of handles only
  };

  bool NeedsHandles() const {
    return std::ranges::any_of(flow_.aliases.transfers, [](const Transfer& t) { return t.dynamic; });
  }

  Live& LiveAt(int32_t name) { return live_[static_cast<size_t>(name)]; }

  // Bytes as the plan reserves them, rounded up to its alignment, so that the load is what a plan needs.
  Place Reserved(int32_t name) const {
    Place place = flow_.PlaceOf(name);
    if (place.empty()) return place;
    const uint64_t over = place.hi % alignment_;
    if (over != 0 && place.hi <= UINT64_MAX - alignment_) place.hi += alignment_ - over;
    return place;
  }

  bool IsHandle(int32_t name) const { return handles_.has_value() && handles_->IsHandle(name); }

  void Enliven(LiveName n, Point at) {
    Live& live = LiveAt(n.name);
    if (live.live) {
      live.reader = n.reader;
      return;
    }
    live.live = true;
    live.evicted = false;
    live.reader = n.reader;
    named_.push_back(n.name);
    if (!IsHandle(n.name)) {
      Map(n.name, n.name);
      return;
    }
    live.holders.clear();
    handles_->HoldersAt(n.name, at, live.holders);
    for (const int32_t holder : live.holders) Map(n.name, holder);
  }

  void Map(int32_t name, int32_t holder) {
    const Place place = Reserved(holder);
    map_.Insert(name, place);
    if (!place.empty()) walk_.load[place.bank] = std::max(walk_.load[place.bank], map_.LiveBytes(place.bank));
  }

  void Kill(int32_t name) {
    Live& live = LiveAt(name);
    if (!live.live) return;
    live.live = false;
    if (live.evicted) return;
    Unmap(name, live);
  }

  void Unmap(int32_t name, const Live& live) {
    if (!IsHandle(name)) {
      map_.Remove(name, Reserved(name));
      return;
    }
    for (const int32_t holder : live.holders) map_.Remove(name, Reserved(holder));
  }

  void WalkBlock(size_t b) {
    const Block& block = flow_.graph.blocks[b];
    StartBlock(b, block);
    for (int32_t i = block.end; i-- > block.begin;) {
      Transfers(i, Phase::kAfter);
      NoteLoad(i);
      Writes(i, b);
      for (const Read& r : flow_.effects.ReadsOf(static_cast<size_t>(i))) {
        Enliven({r.value, i}, {i, Step::kRead});
      }
      Transfers(i, Phase::kAt);
      Transfers(i, Phase::kBefore);
      if (map_.work() > work_limit_) {
        walk_.complete = false;
        return;
      }
    }
    if (b == 0) AtEntry();
  }

  void StartBlock(size_t b, const Block& block) {
    for (const int32_t name : named_) LiveAt(name).live = false;
    for (const int32_t name : made_) first_make_[static_cast<size_t>(name)] = kNever;
    named_.clear();
    made_.clear();
    map_.Clear();
    const auto& transfers = flow_.aliases.transfers;
    next_transfer_ = static_cast<size_t>(
        std::ranges::upper_bound(transfers, block.end - 1, {}, &Transfer::instruction) - transfers.begin());
    NoteFirstMakes(block);
    for (const LiveName& n : liveness_->out[b]) Enliven(n, {block.end, Step::kBefore});
  }

  // Points at which names are made: an instruction's writes stand between what it takes over before and after.
  static int32_t WritePoint(int32_t instruction) { return 3 * instruction + 1; }

  void NoteMake(int32_t name, int32_t at) {
    int32_t& first = first_make_[static_cast<size_t>(name)];
    if (first == kNever) made_.push_back(name);
    first = std::min(first, at);
  }

  void NoteFirstMakes(const Block& block) {
    for (int32_t i = block.begin; i < block.end; ++i) {
      for (const Write& w : flow_.effects.WritesOf(static_cast<size_t>(i))) NoteMake(w.value, WritePoint(i));
    }
    for (size_t t = next_transfer_; t-- > 0 && flow_.aliases.transfers[t].instruction >= block.begin;) {
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
      if (!LiveAt(t.to).live) continue;
      const int32_t reader = LiveAt(t.to).reader;
      const bool evicted = LiveAt(t.to).evicted;
      Kill(t.to);
      for (const int32_t source : flow_.aliases.SourcesOf(t)) {
        if (evicted && LiveAt(source).live) continue;
        Enliven({source, reader}, PointOf(t));
        if (evicted) Evict(source);
      }
    }
  }

  // Its loss is told: what was written over it before that is not told again.
  void Evict(int32_t name) {
    Live& live = LiveAt(name);
    if (!live.live || live.evicted) return;
    Unmap(name, live);
    live.evicted = true;
  }

  void Writes(int32_t i, size_t b) {
    const auto writes = flow_.effects.WritesOf(static_cast<size_t>(i));
    for (const Write& w : writes) {
      holders_.clear();
      if (IsHandle(w.value)) {
        handles_->HoldersAt(w.value, {i, Step::kWrite}, holders_);
      } else {
        holders_.push_back(w.value);
      }
      for (const int32_t holder : holders_) LookFor(w.value, flow_.PlaceOf(holder), i, b, writes);
    }
    for (const Write& w : writes) {
      if (w.access != Access::kFill) Kill(w.value);
      const int32_t state = flow_.StateOf(w.value);
      if (state < 0 || w.access != Access::kWrite) continue;
      const int32_t end = flow_.value_count() + state;
      if (flow_.PlaceOf(w.value).Holds(flow_.PlaceOf(end))) Kill(end);
    }
  }

  void LookFor(int32_t writer, const Place& place, int32_t i, size_t b, std::span<const Write> writes) {
    met_.clear();
    map_.Meet(place, met_);
    for (const int32_t name : met_) {
      if (name == writer || LiveAt(name).evicted || IsStoreToItsState(name, writer)) continue;
      const bool sibling = std::ranges::any_of(writes, [&](const Write& w) { return w.value == name; });
      if (sibling || WasMade(name, i, b)) Report(name, writer, place, i);
    }
  }

  bool IsStoreToItsState(int32_t name, int32_t writer) const {
    const int32_t state = flow_.EndOfState(name);
    return state >= 0 && flow_.StateOf(writer) == state;
  }

  // Whether something made the name before instruction i: else there is nothing to lose yet.
  bool WasMade(int32_t name, int32_t i, size_t b) const {
    if (name >= flow_.value_count()) return true;
    const Role role = flow_.roles.of[static_cast<size_t>(name)];
    if (role != Role::kLocal && role != Role::kCaller) return true;
    if (first_make_[static_cast<size_t>(name)] < WritePoint(i)) return true;
    const auto& reached = liveness_->reached[b];
    return std::ranges::binary_search(reached, name);
  }

  void Report(int32_t victim, int32_t writer, const Place& place, int32_t i) {
    const Live& live = LiveAt(victim);
    int32_t holder = victim;
    if (IsHandle(victim)) {
      for (const int32_t h : live.holders) {
        if (flow_.PlaceOf(h).Meets(place)) holder = h;
      }
    }
    if (!flow_.PlaceOf(holder).Meets(place)) return;
    if (walk_.clobbers.size() < kMaxClobbers) {
      walk_.clobbers.push_back({victim, holder, live.reader, writer, i, Common(flow_.PlaceOf(holder), place)});
    }
    Evict(victim);
  }

  // Live bytes while instruction i writes: what lives on, its results, and its operands, which live through
  // the write point unless a result takes their bytes.
  void NoteLoad(int32_t i) {
    const auto writes = flow_.effects.WritesOf(static_cast<size_t>(i));
    const auto reads = flow_.effects.ReadsOf(static_cast<size_t>(i));
    for (const Write& w : writes) CountExtra(w.value);
    for (size_t r = 0; r < reads.size(); ++r) {
      const int32_t v = reads[r].value;
      const bool under = !writes.empty() && flow_.PlaceOf(writes.front().value) == flow_.PlaceOf(v);
      if (!under && (r == 0 || reads[r - 1].value != v)) CountExtra(v);
    }
    for (const uint32_t bank : extra_banks_) {
      walk_.load[bank] = std::max(walk_.load[bank], map_.LiveBytes(bank) + extra_[bank]);
      extra_[bank] = 0;
    }
    extra_banks_.clear();
  }

  void CountExtra(int32_t v) {
    if (LiveAt(v).live || IsHandle(v)) return;
    const Place place = Reserved(v);
    if (place.empty()) return;
    if (extra_[place.bank] == 0) extra_banks_.push_back(place.bank);
    extra_[place.bank] += place.hi - place.lo;
  }

  void AtEntry() {
    for (const int32_t v : flow_.method.inputs) {
      LookFor(v, flow_.PlaceOf(v), -1, 0, {});
    }
    for (const int32_t name : named_) {
      if (name >= flow_.value_count() || !LiveAt(name).live) continue;
      const Role role = flow_.roles.of[static_cast<size_t>(name)];
      const bool filled = flow_.roles.usage[static_cast<size_t>(name)].filled;
      if (role == Role::kLocal && !filled && !flow_.PlaceOf(name).empty()) {
        walk_.unmade.push_back({name, LiveAt(name).reader});
      }
      if (role == Role::kState) {
        walk_.entry_reads.push_back({flow_.roles.state_of[static_cast<size_t>(name)], LiveAt(name).reader});
        LiveAt(name).live = false;  // named_ may hold it twice
      }
    }
  }

  const MethodFlow& flow_;
  uint64_t alignment_;
  std::optional<NameEvents> events_;
  std::optional<Handles> handles_;
  const Liveness* liveness_ = nullptr;
  ByteMap map_;
  std::vector<Live> live_;
  std::vector<int32_t> named_;       // names that became live in this block
  std::vector<int32_t> first_make_;  // per name: first point of the block that makes it
  std::vector<int32_t> made_;
  std::vector<int32_t> met_;
  std::vector<int32_t> holders_;
  std::vector<uint64_t> extra_;         // per bank: bytes of results and operands that do not live on
  std::vector<uint32_t> extra_banks_;
  size_t next_transfer_ = 0;
  uint64_t work_limit_ = 0;
  Walk walk_;
};

}  // namespace

std::vector<LiveName> NamesAtEnd(const MethodFlow& flow) {
  const int32_t count = flow.instruction_count();
  std::vector<LiveName> ends;
  for (const int32_t v : flow.method.outputs) {
    if (flow.method.TensorOf(v) != nullptr) ends.push_back({v, count});
  }
  for (auto it = flow.aliases.transfers.rbegin(); it != flow.aliases.transfers.rend(); ++it) {
    if (it->instruction != count) break;
    const size_t known = ends.size();
    for (size_t e = 0; e < known; ++e) {
      if (ends[e].name != it->to) continue;
      const auto sources = flow.aliases.SourcesOf(*it);
      ends[e].name = sources.front();
      for (const int32_t source : sources.subspan(1)) ends.push_back({source, count});
    }
  }
  for (size_t s = 0; s < flow.roles.states.size(); ++s) {
    if (!flow.roles.states[s].place.empty()) {
      ends.push_back({flow.value_count() + static_cast<int32_t>(s), count + 1});
    }
  }
  return ends;
}

Walk WalkBackwards(const MethodFlow& flow, uint64_t alignment) { return Walker(flow, alignment).Run(); }

}  // namespace pteproof::checks

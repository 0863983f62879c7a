// Idea: an exporter elides a view or a concatenation by giving the value the bytes of older values
// and emitting no instruction for it. Such a value is used before any instruction makes it. The
// rest of the file tells which older values it stands for.
//
//   values   v1 input   v3 = mul(v1)   v4 (no instruction)   v5 = add(v4, v1)
//   bank 1   [32,64)    [0,32)         [0,32)                [64,96)
//
// Here v4 is a view of v3, the last earlier value of the same place and type that holds something.
// These rules are tried in this order:
//
//   1. In the exporter's numbering (exporter_order.h), the base is that last earlier value. The
//      view was made before the first instruction that uses a higher number. If the last earlier
//      value is itself a view, and its own base was stored to in between, it is that base.
//   2. Otherwise, the base is the value that was made last at this place before a block first uses
//      the view. If the place was made more than once by then, the view is `uncertain`; if a use
//      comes before that, it is no view.
//   3. Otherwise, the value is a concatenation if older values of its type fill its bytes exactly.
//      In the exporter's numbering it is one of what they held when it was made; without it,
//      `uncertain` if the place of a part was made more than once.
//   4. Otherwise, it is a slice of the older value, made last before it, of which its bytes can be
//      a contiguous slice. The literals that an elided slice leaves behind say so (slice_form.h).
//      Without them the slice is `unsure_slices`, if the older value is wanted later; else nothing
//      is known. With them, and if the older value was made after all values of its own place, the
//      slice goes before 1.
//   5. Otherwise, a value with the name of a buffer, in its bytes, is the buffer as another type.
//   6. Without the numbering, what is left is state, and 3 is tried once more with it.
//
// "Made" is meant on paths that never jump back (paths_forward.h): what only another branch makes,
// or a loop's round before, is none of these older values.
//
// If another value of these bytes became a name of bytes elsewhere after the base was made, the
// view or the concatenation is of that one: it is `stray`, as nothing writes the bytes that it
// reads, or `uncertain` if the numbering does not tell. A value that none of them explains is
// `unexplained`, and becomes state (roles.h).
//
// Invariant: a transfer speaks of one moment (births.h). From there on `to` has the content that
// its sources hold at that moment, and a later store to a source is not a store to `to`. Names that
// share bytes without a transfer share them by accident.
//
// Cost: O(n log n) in values and accesses. The candidates of rules 1 and 3 are counted, and the
// search gives up beyond a limit on work.
#include "meaning/aliases.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <tuple>

#include "base/without.h"
#include "meaning/births.h"
#include "meaning/last_writes.h"
#include "meaning/place_classes.h"
#include "meaning/place_makes.h"
#include "meaning/slice_bases.h"
#include "meaning/touches.h"
#include "runtime/slice_form.h"

namespace pteproof::meaning {
namespace {

class AliasFinder {
 public:
  AliasFinder(const Method& method, const Effects& effects, const FlowGraph& graph,
              const ExporterOrder& order, const Roles& roles)
      : method_(method), effects_(effects), graph_(graph), order_(order), roles_(roles) {}

  Aliases Run() && {
    StartRoots();
    aliases_.unsure_slices = effects_.varying;
    TakeRenames();
    TakeViews();
    std::ranges::stable_sort(aliases_.transfers, {}, &Transfer::when);
    std::ranges::stable_sort(aliases_.lost, {}, &Transfer::when);
    aliases_.complete = work_.within_limit();
    return std::move(aliases_);
  }

 private:
  // An elided view, made before that instruction.
  struct ElidedView {
    int32_t view = 0;
    int32_t base = 0;
    int32_t made = 0;
  };

  const Usage& UsageOf(int32_t v) const { return roles_.usage[static_cast<size_t>(v)]; }
  const Place& PlaceOf(int32_t v) const { return roles_.place[static_cast<size_t>(v)]; }
  static size_t Index(int32_t index) { return static_cast<size_t>(index); }
  int32_t& RootOf(int32_t v) { return aliases_.root[static_cast<size_t>(v)]; }

  void StartRoots() {
    aliases_.root.resize(method_.values.size());
    for (size_t v = 0; v < aliases_.root.size(); ++v) {
      const int32_t state = Without(kRecoveredName, "state") ? -1 : roles_.state_of[v];
      aliases_.root[v] =
          state >= 0 ? roles_.states[static_cast<size_t>(state)].value : static_cast<int32_t>(v);
    }
  }

  void Add(int32_t instruction, Phase phase, bool dynamic, int32_t to,
           std::span<const int32_t> sources) {
    for (const int32_t source : sources) {
      if (phase == Phase::kBefore) taken_[source].push_back(instruction);
    }
    aliases_.transfers.push_back({instruction, phase, dynamic, to, Keep(sources)});
  }

  Range Keep(std::span<const int32_t> sources) {
    const Range range = {static_cast<uint32_t>(aliases_.sources.size()),
                         static_cast<uint32_t>(sources.size())};
    aliases_.sources.insert(aliases_.sources.end(), sources.begin(), sources.end());
    return range;
  }

  void TakeRenames() {
    TakePlaced();
    for (const Rename& r : effects_.renames) {
      if (r.placed) continue;
      if (Without(kRecoveredName, r.after_write ? "returned" : "moved")) continue;
      const bool same_place =
          r.after_write && PlaceOf(r.to).bank != 0 && PlaceOf(r.to) == PlaceOf(r.from);
      Add(r.instruction, r.after_write ? Phase::kAfter : Phase::kAt, !same_place, r.to,
          {&r.from, 1});
      if (same_place && roles_.state_of[static_cast<size_t>(r.to)] < 0)
        RootOf(r.to) = RootOf(r.from);
    }
  }

  // A name that keeps its place takes over from all of its sources at once. Their renames stand
  // side by side.
  void TakePlaced() {
    if (Without(kRecoveredName, "placed")) return;
    const auto& all = effects_.renames;
    for (auto first = all.begin(); first != all.end();) {
      std::vector<int32_t> sources;
      auto r = first;
      for (; r != all.end() && r->placed && r->instruction == first->instruction &&
             r->to == first->to;
           ++r) {
        sources.push_back(r->from);
      }
      if (!sources.empty()) Add(first->instruction, Phase::kBefore, false, first->to, sources);
      first = sources.empty() ? std::next(first) : r;
    }
  }

  // Planned values that are used before any instruction made them are names of something older.
  void TakeViews() {
    std::vector<int32_t> exposed;
    for (int32_t v = 0; v < static_cast<int32_t>(method_.values.size()); ++v) {
      if (UsageOf(v).leaves_place_unmade()) {
        moved_[{PlaceOf(v).bank, PlaceOf(v).lo}].push_back(v);
      }
      if (roles_.of[static_cast<size_t>(v)] == Role::kLocal && UsageOf(v).exposed() &&
          !PlaceOf(v).empty()) {
        exposed.push_back(v);
      }
    }
    if (exposed.empty()) return;
    const PlaceClasses classes(method_, roles_);
    writes_.emplace(method_, effects_, graph_, roles_, work_);
    PlaceMakes makes(classes, roles_, *writes_);
    SliceBases slices(method_, order_, roles_, classes, *writes_, work_);
    const Touches touches = UsesOf(method_, effects_);
    std::vector<int32_t> misplaced = effects_.misplaced;
    std::ranges::sort(misplaced);
    const auto first_view = static_cast<ptrdiff_t>(aliases_.transfers.size());
    for (const int32_t v : exposed) {
      if (std::ranges::binary_search(misplaced, v)) {
        aliases_.stray.push_back(v);
        continue;
      }
      const bool taken = TakeYoungerSlice(classes, slices, touches, v) ||
                         (order_.holds ? TakeOrderedView(classes, makes, touches, v)
                                       : TakeViewAtFirstUse(classes, makes, touches, v));
      const bool explained = taken || TakeConcat(classes, makes, touches, v) ||
                             TakeSlice(slices, touches, v) || TakeOfBuffer(touches, v);
      if (!work_.within_limit()) return;
      if (explained) continue;
      if (const auto moved = StrayOf(classes, v)) {
        AddStray(touches, v, {&*moved, 1});
      } else {
        aliases_.unexplained.push_back(v);
      }
    }
    if (!order_.holds) TakeConcatsOfState(classes, makes, touches);
    for (auto view = ordered_.rbegin(); view != ordered_.rend(); ++view) {
      TakeFromBase(*view, touches);
    }
    // At one moment, a base is taken before its views.
    std::ranges::stable_sort(aliases_.transfers.begin() + first_view, aliases_.transfers.end(), {},
                             &Transfer::to);
  }

  // What nothing explains is state, and may be a part of a concatenation. Smaller ones come first:
  // what is itself one is no state.
  void TakeConcatsOfState(const PlaceClasses& classes, PlaceMakes& makes, const Touches& touches) {
    std::vector<int32_t> left = std::exchange(aliases_.unexplained, {});
    if (left.empty()) return;
    std::ranges::stable_sort(left, {}, [&](int32_t v) { return PlaceOf(v).hi - PlaceOf(v).lo; });
    for (const int32_t v : left) writes_->SetAtEntry(v, true);
    for (const int32_t v : left) {
      writes_->SetAtEntry(v, false);
      if (TakeConcat(classes, makes, touches, v)) continue;
      writes_->SetAtEntry(v, true);
      aliases_.unexplained.push_back(v);
    }
    std::ranges::sort(aliases_.unexplained);
  }

  // The exporter numbers buffers before the inputs.
  bool IsNoBuffer(int32_t v) const {
    return order_.holds && !method_.inputs.empty() &&
           v >= *std::ranges::min_element(method_.inputs);
  }

  // The value that is a name of bytes elsewhere, of which this one is a view; nothing: it may be a
  // buffer, or there is none.
  std::optional<int32_t> StrayOf(const PlaceClasses& classes, int32_t v) {
    if (!IsNoBuffer(v)) return std::nullopt;
    const auto members = classes.Of(v);
    if (!work_.Spend(members.size())) return std::nullopt;
    std::optional<int32_t> last;
    for (const int32_t u : members) {
      if (u < v && UsageOf(u).leaves_place_unmade()) last = u;
    }
    return last;
  }

  void AddStray(const Touches& touches, int32_t v, std::span<const int32_t> sources) {
    aliases_.stray.push_back(v);
    const std::vector<BlockUse> first = FirstUsesIn(graph_, touches.Of(v));
    if (first.empty() || sources.empty() || !work_.Spend(sources.size() + first.size())) return;
    const auto count = static_cast<int32_t>(method_.instructions.size());
    const int32_t made = order_.MadeBefore(v);
    const int32_t birth = made < count ? births_.MomentOf(made, first) : first.front().use;
    aliases_.lost.push_back({birth, Phase::kBefore, false, v, Keep(sources)});
  }

  // The base of an elided view is the last earlier value of the same place (the exporter's order),
  // but for those that only other branches make.
  std::optional<int32_t> LastEarlierValue(const PlaceClasses& classes, int32_t view, int32_t use) {
    const auto members = classes.Of(view);
    auto at = std::ranges::lower_bound(members, view);
    while (at != members.begin() && work_.Spend(1)) {
      --at;
      if (roles_.HoldsSomething(*at) && !writes_->IsMadeInOtherBranches(*at, use)) return *at;
    }
    return std::nullopt;
  }

  // The last value in the place of `base` that became a name of bytes elsewhere after it, and
  // before `v` was made: then `v` is a name of that one, and nothing wrote the bytes that it reads.
  std::optional<int32_t> MovedAfter(int32_t v, int32_t base, int32_t before) {
    const auto there = moved_.find({PlaceOf(base).bank, PlaceOf(base).lo});
    if (there == moved_.end() || !work_.Spend(there->second.size())) return std::nullopt;
    const int32_t made = writes_->Before(base, before);
    const auto follows = [&](int32_t u) {
      const bool fits = PlaceOf(base) == PlaceOf(v)
                            ? PlaceOf(u) == PlaceOf(v) && HaveOneType(u, v)
                            : PlaceOf(u).hi <= PlaceOf(v).hi && MayBeTile(u, v);
      if (u == v || !fits) return false;
      const bool between = order_.holds
                               ? base < u && u < v
                               : made < UsageOf(u).last_write && UsageOf(u).last_write < before;
      return between && !writes_->IsMadeInOtherBranches(u, before);
    };
    const auto last = std::ranges::find_if(there->second.rbegin(), there->second.rend(), follows);
    return last == there->second.rend() ? std::nullopt : std::optional(*last);
  }

  bool HaveOneType(int32_t a, int32_t b) const {
    return method_.TensorOf(a)->dtype == method_.TensorOf(b)->dtype;
  }

  // Such a name, of these. Without the exporter's numbering it may be one of the older bytes.
  bool TakeMoved(const Touches& touches, int32_t v, std::span<const int32_t> sources) {
    if (!IsNoBuffer(v)) {
      aliases_.uncertain.push_back(v);
      return false;
    }
    AddStray(touches, v, sources);
    return true;
  }

  bool TakeOrderedView(const PlaceClasses& classes, PlaceMakes& makes, const Touches& touches,
                       int32_t view) {
    if (Without(kRecoveredName, "view-in-order")) return false;
    const auto uses = touches.Of(view);
    const std::optional<int32_t> base =
        LastEarlierValue(classes, view, uses.empty() ? -1 : uses.front());
    if (!base.has_value()) {
      return !IsFirst(classes, view) && TakeViewAtFirstUse(classes, makes, touches, view);
    }
    const int32_t made = order_.MadeBefore(view);
    const Usage& of_base = UsageOf(*base);
    if (of_base.first_write >= MomentOf(made, uses) && !of_base.exposed() &&
        roles_.of[static_cast<size_t>(*base)] == Role::kLocal) {
      return TakeViewAtFirstUse(classes, makes, touches, view);
    }
    const auto moved = MovedAfter(view, *base, made);
    if (moved && TakeMoved(touches, view, {&*moved, 1})) return true;
    ordered_.push_back({view, StoredSince(*base, made), made});
    if (roles_.state_of[static_cast<size_t>(view)] < 0) RootOf(view) = RootOf(*base);
    return true;
  }

  // The moment that TakeAtBirth takes.
  int32_t MomentOf(int32_t made, std::span<const int32_t> uses) const {
    const std::vector<BlockUse> first = FirstUsesIn(graph_, uses);
    const auto end = static_cast<int32_t>(method_.instructions.size());
    if (first.empty() || made >= end) return uses.empty() ? made : std::min(made, uses.front());
    return births_.MomentOf(made, first);
  }

  // In a method without inputs, buffers are numbered before what instructions make. No known buffer
  // has its place.
  bool IsFirst(const PlaceClasses& classes, int32_t v) {
    const auto members = classes.Of(v);
    if (!method_.inputs.empty() || !work_.Spend(members.size())) return false;
    for (int32_t u = 0; u < v && work_.Spend(1); ++u) {
      if (UsageOf(u).written_as_out) return false;
    }
    return std::ranges::none_of(
        members, [&](int32_t u) { return roles_.of[static_cast<size_t>(u)] == Role::kState; });
  }

  // The base itself; or if that is a view, and an older name of its bytes was stored to after it
  // was made, that one: a younger view shows what was stored.
  int32_t StoredSince(int32_t base, int32_t before) {
    int32_t stored = base;
    int32_t last = std::max(writes_->Before(base, before), order_.MadeBefore(base) - 1);
    for (auto view = std::ranges::lower_bound(ordered_, base, {}, &ElidedView::view);
         view != ordered_.end() && view->view == base && work_.Spend(1);
         view = std::ranges::lower_bound(ordered_, base, {}, &ElidedView::view)) {
      base = view->base;
      const int32_t write = writes_->Before(base, before);
      if (write <= last) continue;
      stored = base;
      last = write;
    }
    return stored;
  }

  // A base is a lower value. So the highest view comes first: what is taken from a view uses it.
  void TakeFromBase(const ElidedView& v, const Touches& touches) {
    const auto direct = touches.Of(v.view);
    std::vector<int32_t> instructions(direct.begin(), direct.end());
    const auto taken = taken_.find(v.view);
    if (taken != taken_.end()) {
      instructions.insert(instructions.end(), taken->second.begin(), taken->second.end());
    }
    TakeAtBirth(v.made, instructions, v.view, {&v.base, 1});
  }

  // Without an order, a view stands for the value that was made last at its place when a block
  // first uses the view. If the place was made more than once by then, it may be a view of an
  // earlier value. What is used before something was made there is no view.
  bool TakeViewAtFirstUse(const PlaceClasses& classes, PlaceMakes& makes, const Touches& touches,
                          int32_t view) {
    if (Without(kRecoveredName, "view-at-use")) return false;
    bool certain = true;
    std::vector<ElidedView> found;  // one in each block
    int32_t taken = -1;             // in this block
    const std::vector<bool> loop = OwnContentReaches(view);
    const std::vector<BlockUse> first = FirstUsesIn(graph_, touches.Of(view));
    for (const auto& [block, use] : UsesIn(graph_, touches.Of(view))) {
      if (UsageOf(view).first_write >= 0 && UsageOf(view).first_write < use) break;
      if (block == taken) continue;
      if (loop[Index(block)] && !found.empty()) continue;
      const int32_t at = loop[Index(block)] ? BeforeLoop(loop, block).value_or(use) : use;
      // None is the view's own: it is not written yet.
      const auto before = LastMakes(makes.Before(view, at), at);
      if (before.empty() && graph_.blocks[Index(block)].reachable) return false;
      if (before.empty()) continue;
      const int32_t base = before.front();
      taken = block;
      certain = certain && before.size() == 1 && !MovedAfter(view, base, at) &&
                !MayBeYoungerSlice(classes, makes, view, base, at);
      // If it can have been taken once for all uses, it was, and stays what it is.
      const int32_t once = at == use ? births_.MomentOf(at, first) : at;
      const auto then = LastMakes(makes.Before(view, once), once);
      const bool is_once = at == use && !then.empty() && then.front() == base;
      found.push_back({view, base, is_once ? once : at});
      if (is_once) break;
    }
    if (found.empty()) return false;
    if (roles_.state_of[static_cast<size_t>(view)] < 0) RootOf(view) = RootOf(found.front().base);
    for (const ElidedView& v : found) Add(v.made, Phase::kBefore, false, view, {&v.base, 1});
    if (!certain) aliases_.uncertain.push_back(view);
    return true;
  }

  // Whether a value around its place was made after the base, of which it can be a slice.
  bool MayBeYoungerSlice(const PlaceClasses& classes, PlaceMakes& makes, int32_t view, int32_t base,
                         int32_t before) {
    if (order_.holds) return false;
    const int32_t made = writes_->Before(base, before);
    const auto go_on = [&] { return work_.Spend(1); };
    return classes.AnyAround(view, go_on, [&](int32_t around) {
      for (const PlaceMake& make : std::views::reverse(makes.Before(around, before))) {
        if (!work_.Spend(1) || make.instruction <= made) return false;
        if (writes_->IsOnOtherPath(make.instruction, before)) continue;
        return SliceFormOf(method_, view, make.value).has_value();
      }
      return false;
    });
  }

  // What the last makes that are not in other branches made, the last one first; at most two.
  std::vector<int32_t> LastMakes(std::span<const PlaceMake> makes, int32_t before) {
    std::vector<int32_t> last;
    for (const PlaceMake& make : std::views::reverse(makes)) {
      if (last.size() == 2) break;
      if (!writes_->IsOnOtherPath(make.instruction, before)) last.push_back(make.value);
    }
    return last;
  }

  // By block: whether some path leads there from the block that first writes the value.
  std::vector<bool> OwnContentReaches(int32_t v) {
    std::vector<bool> reached(graph_.blocks.size());
    if (UsageOf(v).first_write < 0) return reached;
    std::vector<int32_t> open = {graph_.BlockOf(UsageOf(v).first_write)};
    while (!open.empty() && work_.Spend(1)) {
      const Block& at = graph_.blocks[Index(open.back())];
      open.pop_back();
      for (const int32_t next : at.successors) {
        if (reached[Index(next)]) continue;
        reached[Index(next)] = true;
        open.push_back(next);
      }
    }
    return reached;
  }

  // A loop writes the value in place: it is a view in the first round alone, and was taken before.
  // The last instruction before the loop; nothing: it has none.
  std::optional<int32_t> BeforeLoop(const std::vector<bool>& loop, int32_t block) const {
    for (int32_t b = block - 1; b >= 0; --b) {
      const Block& at = graph_.blocks[Index(b)];
      if (!loop[Index(b)] && at.reachable && at.begin < at.end) return at.end - 1;
    }
    return std::nullopt;
  }

  // A value whose bytes are tiled exactly by values that were each written last, or stood there at
  // entry, before it was made.
  bool TakeConcat(const PlaceClasses& classes, PlaceMakes& makes, const Touches& touches,
                  int32_t whole) {
    const auto uses = touches.Of(whole);
    if (uses.empty() || Without(kRecoveredName, "concatenation")) return false;
    const Place& place = PlaceOf(whole);
    const int32_t made = MadeBefore(whole, uses);
    const int32_t before = MomentOf(made, uses);
    std::vector<int32_t> tiles;
    std::vector<int32_t> meant;  // the same, where a later value in a tile's place lies elsewhere
    bool certain = true;
    for (uint64_t at = place.lo; at < place.hi;) {
      const int32_t tile = LatestTile(classes.StartingAt(place.bank, at, place.hi), whole, before);
      if (tile < 0) return false;
      certain = certain && (order_.holds || IsMadeOnce(makes, tile, before));
      tiles.push_back(tile);
      meant.push_back(MovedAfter(whole, tile, before).value_or(tile));
      at = PlaceOf(tile).hi;
    }
    const bool follows_moved = meant != tiles;
    const bool fits = std::ranges::equal(
        meant, tiles, {}, [&](int32_t v) { return PlaceOf(v); },
        [&](int32_t v) { return PlaceOf(v); });
    if (!fits) meant.clear();
    if (follows_moved && TakeMoved(touches, whole, meant)) return true;
    if (!TakeAtBirth(made, uses, whole, tiles)) return false;
    if (!certain && !follows_moved) aliases_.uncertain.push_back(whole);
    return true;
  }

  // Whether the value's place has been made once by then, or holds what stands there at entry.
  bool IsMadeOnce(PlaceMakes& makes, int32_t v, int32_t before) {
    const size_t count = LastMakes(makes.Before(v, before), before).size();
    return count == 1 || (count == 0 && writes_->Before(v, before) == -1);
  }

  // Takes the name before the uses that its own content does not reach. Whether there are some.
  bool TakeAtBirth(int32_t made, std::span<const int32_t> uses, int32_t to,
                   std::span<const int32_t> sources) {
    std::vector<BlockUse> first = FirstUsesIn(graph_, uses);
    if (first.empty() || !work_.Spend(sources.size() + first.size())) return false;
    if (UsageOf(to).first_write >= 0) first.resize(1);  // later uses see its own content
    const bool at_end = made >= static_cast<int32_t>(method_.instructions.size());
    if (!at_end) {
      Add(births_.MomentOf(made, first), Phase::kBefore, false, to, sources);
      return true;
    }
    // The end of the method is in no block: the name is made wherever the method may end.
    for (const BlockUse& use : first) Add(use.use, Phase::kBefore, false, to, sources);
    return true;
  }

  // Literals tell of a slice of a value that was made after all values of the part's own place.
  bool TakeYoungerSlice(const PlaceClasses& classes, SliceBases& slices, const Touches& touches,
                        int32_t part) {
    const auto uses = touches.Of(part);
    if (uses.empty() || !MayHaveLiterals(method_, part)) return false;
    if (Without(kRecoveredName, "slice")) return false;
    const int32_t before = std::min(MadeBefore(part, uses), uses.front());
    const int32_t base = slices.BaseOf(part, before);
    if (base < 0 || !slices.IsTold(part, base)) return false;
    const auto members = classes.Of(part);
    const int32_t made = writes_->Before(base, before);
    const bool is_younger =
        work_.Spend(members.size()) && std::ranges::all_of(members, [&](int32_t u) {
          return u == part || writes_->Before(u, before) < made;
        });
    return is_younger && TakeSlice(slices, touches, part);
  }

  // A value with the name of a buffer, in its bytes, is the buffer as another type.
  bool TakeOfBuffer(const Touches& touches, int32_t v) {
    const int32_t state = roles_.state_of[static_cast<size_t>(v)];
    const auto uses = touches.Of(v);
    if (state < 0 || uses.empty() || Without(kRecoveredName, "of-buffer")) return false;
    const int32_t buffer = roles_.states[static_cast<size_t>(state)].value;
    if (!PlaceOf(buffer).Holds(PlaceOf(v))) return false;
    return TakeAtBirth(MadeBefore(v, uses), uses, v, {&buffer, 1});
  }

  int32_t MadeBefore(int32_t part, std::span<const int32_t> uses) const {
    return order_.holds ? order_.MadeBefore(part) : uses.front();
  }

  bool TakeSlice(SliceBases& slices, const Touches& touches, int32_t part) {
    const auto uses = touches.Of(part);
    if (uses.empty() || Without(kRecoveredName, "slice")) return false;
    const int32_t made = MadeBefore(part, uses);
    const int32_t base = slices.BaseOf(part, std::min(made, uses.front()));
    if (base < 0) return false;
    const bool told = slices.IsTold(part, base);
    const auto wanted = touches.Of(base);
    const bool is_kept = !wanted.empty() && wanted.back() >= made;
    if (!told && !is_kept && order_.holds) return false;
    const bool placed_in_time =
        order_.holds || UsageOf(base).first_write == UsageOf(base).last_write;
    if (!TakeAtBirth(made, uses, part, {&base, 1})) return false;
    if (!told || !placed_in_time) aliases_.unsure_slices.push_back(part);
    return true;
  }

  // A part of a concatenation in place has one size and is older than the whole.
  bool MayBeTile(int32_t v, int32_t whole) const {
    const Tensor& part = *method_.TensorOf(v);
    return v != whole && HaveOneType(v, whole) && part.dynamism == Dynamism::kStatic &&
           (v < whole || !order_.holds);
  }

  int32_t LatestTile(std::span<const int32_t> candidates, int32_t whole, int32_t use) {
    if (!work_.Spend(candidates.size())) return -1;
    int32_t best = -1;
    int32_t best_write = LastWrites::kNever;
    for (const int32_t v : candidates) {
      const int32_t write = writes_->Before(v, use);
      const bool is_longer = write == best_write && best >= 0 && PlaceOf(v).hi > PlaceOf(best).hi;
      if (!MayBeTile(v, whole) || (write <= best_write && !is_longer)) continue;
      best = v;
      best_write = write;
    }
    return best;
  }

  const Method& method_;
  const Effects& effects_;
  const FlowGraph& graph_;
  const ExporterOrder& order_;
  const Roles& roles_;
  Aliases aliases_;
  std::vector<ElidedView> ordered_;                // ascending
  std::map<int32_t, std::vector<int32_t>> taken_;  // per value: when others are taken from it
  // By bank and first byte: values that are names of bytes elsewhere, ascending.
  std::map<std::pair<uint32_t, uint64_t>, std::vector<int32_t>> moved_;
  SearchWork work_;
  std::optional<LastWrites> writes_;  // once they are asked for
  Births births_{graph_};
};

}  // namespace

Aliases AliasesOf(const Method& method, const Effects& effects, const FlowGraph& graph,
                  const ExporterOrder& order, const Roles& roles) {
  return AliasFinder(method, effects, graph, order, roles).Run();
}

}  // namespace pteproof::meaning

// Idea: a planned value that is wanted before an instruction makes it stands for bytes of other
// values. With the numbering in order it is a view of the last lower value of its place and type
// that holds something. Otherwise it is a view of the value that was made last at its place before
// the use, or a concatenation of values that fill its bytes.
//
//   v3 = mul(..) [0,32)        v4 [0,32)     no instruction    view: v4 is taken from {v3}
//   v5 [64,96), v6 [96,128)    v7 [64,128)   no instruction    concatenation: v7 from {v5, v6}
//   v8 = add(..) [0,64)        v9 [16,32)    no instruction    slice: v9 from {v8}
//
// It may also be a slice of the value that was made last before it, of those around its bytes.
// Elided slices leave their literals behind. One without them is `guessed`, and taken only if the
// value around it is used later. One with them is no view of what was in its place before.
//
// Invariant: a take speaks of one moment: from there on the name holds the content that its sources
// hold then. There is one take per run that uses the name. A view whose base was made more than
// once before the use is `unsure`.
//
// Cost: O(n log n) in values and accesses.
#include "properties/proofs/facts/names.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "base/without.h"
#include "properties/proofs/facts/place.h"
#include "runtime/slice_form.h"

namespace pteproof::proofs {
namespace {

constexpr int32_t kAtEntry = -1;
constexpr int32_t kNever = -2;

// Per value the instructions that use its content, ascending; the instruction count: an output.
std::vector<std::vector<int32_t>> UsesOf(const Method& method, const Listing& listing) {
  std::vector<std::vector<int32_t>> uses(method.values.size());
  const auto of = [&](int32_t v) -> auto& { return uses[static_cast<size_t>(v)]; };
  for (const ReadEvent& r : listing.reads) of(r.value).push_back(r.instruction);
  for (const Take& t : listing.takes) {
    if (t.at.step == Step::kReturn) continue;
    for (const int32_t from : t.from) of(from).push_back(t.at.instruction);
  }
  const auto count = static_cast<int32_t>(method.instructions.size());
  for (const int32_t v : method.outputs) {
    if (method.TensorOf(v) != nullptr) of(v).push_back(count);
  }
  for (auto& each : uses) std::ranges::sort(each);
  return uses;
}

class ViewSearch {
 public:
  ViewSearch(const Method& method, const Listing& listing, const Paths& paths,
             const Numbering& numbering, const Parts& parts)
      : method_(method),
        paths_(paths),
        numbering_(numbering),
        parts_(parts),
        elsewhere_(listing.elsewhere) {
    names_.guessed = listing.varying;
    for (int32_t v = 0; v < static_cast<int32_t>(method.values.size()); ++v) {
      const int32_t b = Without(kProvedAlias, "state") ? -1 : parts.BufferOf(v);
      names_.root.push_back(b >= 0 ? parts.buffers[static_cast<size_t>(b)].value : v);
      if (IsUnmade(v)) names_.unmade.push_back(v);
    }
    for (const Take& take : listing.takes) Keep(take);
    if (names_.unmade.empty()) return;
    uses_ = UsesOf(method, listing);
    for (int32_t v = 0; v < static_cast<int32_t>(method.values.size()); ++v) {
      const Extent place = ExtentOf(method, v);
      if (place.empty()) continue;
      at_place_[{place, method.TensorOf(v)->dtype}].push_back(v);
      if (parts.TouchedOf(v).OnlyBorrows()) borrowers_[{place.bank, place.lo}].push_back(v);
    }
  }

  Names Run() && {
    std::ranges::sort(elsewhere_);
    const auto is_elsewhere = [&](int32_t v) { return std::ranges::binary_search(elsewhere_, v); };
    const auto listed = static_cast<ptrdiff_t>(names_.takes.size());
    std::erase_if(names_.unmade, [&](int32_t v) { return !is_elsewhere(v) && NameAfterOthers(v); });
    for (auto view = views_.rbegin(); view != views_.rend(); ++view) TakeView(*view);
    std::ranges::stable_sort(names_.takes.begin() + listed, names_.takes.end(), {}, &Take::to);
    std::ranges::copy_if(names_.unmade, std::back_inserter(names_.lost), [&](int32_t v) {
      return is_elsewhere(v) || borrowed_.contains(v) || IsViewOfBorrower(v);
    });
    std::erase_if(names_.unmade,
                  [&](int32_t v) { return std::ranges::binary_search(names_.lost, v); });
    std::ranges::stable_sort(names_.takes, {}, &Take::at);
    return std::move(names_);
  }

 private:
  using Form = std::pair<Extent, ScalarType>;

  // A view in the exporter's order, made before that instruction.
  struct NumberedView {
    int32_t name = 0;
    int32_t base = 0;
    int32_t made = 0;
  };

  [[nodiscard]] bool IsUnmade(int32_t v) const {
    return parts_.Of(v) == Part::kLocal && parts_.TouchedOf(v).WantedUnmade() &&
           !ExtentOf(method_, v).empty();
  }

  void Keep(Take take) {
    if (take.at.step == Step::kBefore) {
      if (!Without(kProvedAlias, "placed")) names_.takes.push_back(std::move(take));
      return;
    }
    const bool returned = take.at.step == Step::kReturn;
    if (Without(kProvedAlias, returned ? "returned" : "moved")) return;
    const int32_t from = take.from.front();
    const Extent place = ExtentOf(method_, take.to);
    const bool same = returned && place.bank != 0 && place == ExtentOf(method_, from);
    take.handle = !same;
    if (same) TakeRoot(take.to, from);
    names_.takes.push_back(std::move(take));
  }

  void TakeRoot(int32_t v, int32_t from) {
    if (parts_.BufferOf(v) < 0) names_.root[static_cast<size_t>(v)] = names_.RootOf(from);
  }

  bool NameAfterOthers(int32_t v) {
    const auto& same = at_place_.at({ExtentOf(method_, v), method_.TensorOf(v)->dtype});
    if (IsSliceOfYounger(v, same) && Slice(v)) return true;
    if (numbering_.ordered && ViewByNumber(v, same)) return true;
    if (borrowed_.contains(v)) return false;
    return ViewByUse(v, same) || Concat(v) || (!borrowed_.contains(v) && Slice(v));
  }

  // Whether a value in the place of a base came between it and the name, and names bytes elsewhere:
  // the name is one of that value, and nobody writes the bytes that it has.
  [[nodiscard]] bool IsAfterBorrower(int32_t v, int32_t base, int32_t moment) const {
    const Extent place = ExtentOf(method_, v);
    const bool whole = ExtentOf(method_, base) == place;
    const auto there = borrowers_.find({place.bank, ExtentOf(method_, base).lo});
    return there != borrowers_.end() && std::ranges::any_of(there->second, [&](int32_t u) {
             const Extent own = ExtentOf(method_, u);
             const bool fits =
                 method_.TensorOf(u)->dtype == method_.TensorOf(v)->dtype &&
                 (whole ? own == place : own.hi <= place.hi && MayBeConcatenated(u, v));
             if (u == v || !fits || IsOfOtherBranches(u, moment)) return false;
             if (numbering_.ordered) return u > base && u < v;
             const int32_t named = parts_.TouchedOf(u).last_made;
             return named < moment && named > MadeBefore(base, moment);
           });
  }

  // Numbered after the inputs, and so not a buffer.
  [[nodiscard]] bool StandsAfterInputs(int32_t v) const {
    return numbering_.ordered && !method_.inputs.empty() && v >= std::ranges::min(method_.inputs);
  }

  // True: nothing more is to be said of the name. Else it may still be one of the older bytes.
  bool TakeFromBorrower(int32_t v) {
    const bool sure = StandsAfterInputs(v);
    if (sure) {
      borrowed_.insert(v);
    } else {
      names_.unsure.push_back(v);
    }
    return sure;
  }

  // Made after the inputs, so it is not a buffer; and an older value of its place is only a name of
  // bytes elsewhere.
  [[nodiscard]] bool IsViewOfBorrower(int32_t v) const {
    if (!StandsAfterInputs(v)) return false;
    const auto& same = at_place_.at({ExtentOf(method_, v), method_.TensorOf(v)->dtype});
    return std::ranges::any_of(
        same, [&](int32_t u) { return u < v && parts_.TouchedOf(u).OnlyBorrows(); });
  }

  // One take per run that uses the name, each at the moment that `when` gives for the use, or none.
  template <class When>
  bool TakeOncePerRun(int32_t v, When when) {
    std::set<int32_t> taken;  // runs
    for (const int32_t use : UsesInRuns(v)) {
      const int32_t run = paths_.RunAt(use);
      if (taken.contains(run)) continue;
      std::optional<Take> take = when(use);
      if (!take.has_value()) continue;
      taken.insert(run);
      for (const int32_t from : take->from) {
        taken_[from].push_back(take->at.instruction);
      }
      names_.takes.push_back(std::move(*take));
    }
    return !taken.empty();
  }

  // An output is wanted after each run with which the method may end: there, its last instruction
  // stands for the end of the method.
  [[nodiscard]] std::vector<int32_t> UsesInRuns(int32_t v) const {
    std::vector<int32_t> uses = uses_[static_cast<size_t>(v)];
    if (const auto taken = taken_.find(v); taken != taken_.end()) {
      uses.insert(uses.end(), taken->second.begin(), taken->second.end());
    }
    const auto count = static_cast<int32_t>(method_.instructions.size());
    const bool at_end = std::erase(uses, count) > 0;
    for (const auto& run : paths_.runs) {
      if (!at_end || !run.leaves || !run.reached) continue;
      uses.push_back(run.end < count ? run.end - 1 : count);
    }
    std::ranges::sort(uses);
    return uses;
  }

  // The exporter's order: a view of the last earlier value at its place that holds something.
  bool ViewByNumber(int32_t v, std::span<const int32_t> same) {
    if (Without(kProvedAlias, "view-in-order")) return false;
    const auto& uses = uses_[static_cast<size_t>(v)];
    const int32_t use = uses.empty() ? kNever : uses.front();
    const auto own = std::ranges::lower_bound(same, v);
    const auto earlier =
        std::find_if(std::reverse_iterator(own), std::reverse_iterator(same.begin()),
                     [&](int32_t u) { return HoldsSomething(u) && !IsOfOtherBranches(u, use); });
    if (earlier == std::reverse_iterator(same.begin())) return false;
    const int32_t base = *earlier;
    const int32_t made = numbering_.MadeBefore(v);
    const Touched& touched = parts_.TouchedOf(base);
    if (parts_.Of(base) == Part::kLocal && touched.first_made >= made && !touched.WantedUnmade()) {
      return false;
    }
    if (IsAfterBorrower(v, base, made) && TakeFromBorrower(v)) return false;
    views_.push_back({v, base, made});
    TakeRoot(v, base);
    return true;
  }

  // Whether all that makes the value before a use is in branches that the use is not in.
  [[nodiscard]] bool IsOfOtherBranches(int32_t u, int32_t use) const {
    const Touched& touched = parts_.TouchedOf(u);
    const bool made = parts_.Of(u) == Part::kLocal && !touched.WantedUnmade() &&
                      touched.first_made >= 0 && touched.first_made < use;
    if (!made) return false;
    return !LeadsTo(touched.first_made, use) &&
           (touched.last_made >= use || !LeadsTo(touched.last_made, use));
  }

  // Bases are lower, so the highest view comes first: its takes are uses of its base.
  void TakeView(const NumberedView& view) {
    const int32_t own_content = parts_.TouchedOf(view.name).first_made;
    bool own_seen = false;
    TakeOncePerRun(view.name, [&](int32_t use) -> std::optional<Take> {
      if (std::exchange(own_seen, own_content >= 0)) return std::nullopt;
      return Take{{InRun(view.made, use), Step::kBefore}, view.name, {view.base}, false};
    });
  }

  [[nodiscard]] bool HoldsSomething(int32_t v) const {
    if (parts_.Of(v) == Part::kInput || parts_.Of(v) == Part::kBuffer) return true;
    const Touched& touched = parts_.TouchedOf(v);
    return touched.as_result || touched.stored_to || (touched.WantedUnmade() && !touched.named);
  }

  // Without an order: a view of the value that was made last at its place when a run first uses it.
  bool ViewByUse(int32_t v, std::span<const int32_t> same) {
    if (Without(kProvedAlias, "view-at-use")) return false;
    const int32_t own_content = parts_.TouchedOf(v).first_made;
    const std::vector<bool> after =
        own_content < 0 ? std::vector<bool>(paths_.runs.size()) : RunsAfter(own_content);
    bool sure = true;
    bool first = true;
    const bool found = TakeOncePerRun(v, [&](int32_t use) -> std::optional<Take> {
      if (own_content >= 0 && own_content < use) return std::nullopt;
      // A loop that writes the name brings its own content back: it is a view when the loop begins.
      const bool returns = after[static_cast<size_t>(paths_.RunAt(use))];
      if (returns && !first) return std::nullopt;
      const int32_t at = returns ? LastOutside(after, use) : use;
      const int32_t base = LatestOf(same, v, at);
      if (base < 0) return std::nullopt;
      sure = sure && MakesBefore(same, v, at) <= 1 && !IsAfterBorrower(v, base, at);
      if (std::exchange(first, false)) TakeRoot(v, base);
      return Take{{at, Step::kBefore}, v, {base}, false};
    });
    if (found && !sure) names_.unsure.push_back(v);
    return found;
  }

  // By run: whether some path leads there from the end of the instruction's run. O(runs).
  [[nodiscard]] std::vector<bool> RunsAfter(int32_t instruction) const {
    std::vector<bool> met(paths_.runs.size());
    std::vector<int32_t> ahead = paths_[paths_.RunAt(instruction)].next;
    while (!ahead.empty()) {
      const auto run = static_cast<size_t>(ahead.back());
      ahead.pop_back();
      if (met[run]) continue;
      met[run] = true;
      const auto& next = paths_.runs[run].next;
      ahead.insert(ahead.end(), next.begin(), next.end());
    }
    return met;
  }

  // Whether an earlier instruction comes before a use in one round of all loops: a jump back begins
  // another one, whose values are others. All that is listed before it leads to a use that no path
  // reaches. O(runs) for the first question about a run.
  [[nodiscard]] bool LeadsTo(int32_t maker, int32_t use) const {
    if (paths_.straight() || !paths_.IsReached(use)) return true;
    if (const int32_t goal = paths_.RunAt(use); goal != goal_) {
      goal_ = goal;
      leads_to_goal_.assign(paths_.runs.size(), false);
      leads_to_goal_[static_cast<size_t>(goal)] = true;
      for (int32_t run = goal; run-- > 0;) {
        leads_to_goal_[static_cast<size_t>(run)] = std::ranges::any_of(
            paths_[run].next,
            [&](int32_t next) { return next > run && leads_to_goal_[static_cast<size_t>(next)]; });
      }
    }
    return leads_to_goal_[static_cast<size_t>(paths_.RunAt(maker))];
  }

  // The last instruction above `use` in a run that is none of those; `use` if there is none.
  [[nodiscard]] int32_t LastOutside(const std::vector<bool>& those, int32_t use) const {
    for (int32_t run = paths_.RunAt(use); run-- > 0;) {
      const int32_t last = paths_[run].end - 1;
      if (paths_[run].reached && last >= 0 && !those[static_cast<size_t>(run)]) return last;
    }
    return use;
  }

  // A part with dynamic sizes would leave a gap, and a younger value did not exist yet.
  [[nodiscard]] bool MayBeConcatenated(int32_t part, int32_t whole) const {
    const bool varies = method_.TensorOf(part)->dynamism == Dynamism::kBounded;
    const bool younger = numbering_.ordered && part > whole;
    return !varies && !younger;
  }

  // Bytes tiled exactly by values of one type, each the latest of its place when the whole was
  // made.
  bool Concat(int32_t whole) {
    const auto& uses = uses_[static_cast<size_t>(whole)];
    if (uses.empty() || Without(kProvedAlias, "concatenation")) return false;
    const Extent place = ExtentOf(method_, whole);
    const ScalarType dtype = method_.TensorOf(whole)->dtype;
    const int32_t made = MadeBefore(whole);
    const int32_t moment = std::min(made, uses.front());
    bool after_borrower = false;
    bool sure = true;
    std::vector<int32_t> tiles;
    for (uint64_t at = place.lo; at < place.hi;) {
      std::vector<int32_t> candidates;
      const Form first = {{place.bank, at, at + 1}, {}};
      for (auto it = at_place_.lower_bound(first);
           it != at_place_.end() && it->first.first.bank == place.bank &&
           it->first.first.lo == at && it->first.first.hi <= place.hi;
           ++it) {
        if (it->first.second != dtype) continue;
        std::ranges::copy_if(it->second, std::back_inserter(candidates),
                             [&](int32_t u) { return MayBeConcatenated(u, whole); });
      }
      tiles.push_back(LatestOf(candidates, whole, moment));
      if (tiles.back() < 0) return false;
      after_borrower = after_borrower || IsAfterBorrower(whole, tiles.back(), moment);
      const auto& same = at_place_.at({ExtentOf(method_, tiles.back()), dtype});
      sure = sure && (numbering_.ordered || MakesBefore(same, -1, moment) <= 1);
      at = ExtentOf(method_, tiles.back()).hi;
    }
    if (after_borrower && TakeFromBorrower(whole)) return false;
    const bool taken = TakeOncePerRun(whole, [&](int32_t use) {
      return std::optional(Take{{InRun(made, use), Step::kBefore}, whole, tiles, false});
    });
    if (taken && !sure && !after_borrower) names_.unsure.push_back(whole);
    return taken;
  }

  // When the run of a use takes a name that was made before that instruction.
  [[nodiscard]] int32_t InRun(int32_t made, int32_t use) const {
    return std::min(std::max(made, paths_[paths_.RunAt(use)].begin), use);
  }

  [[nodiscard]] int32_t MadeBefore(int32_t v) const {
    return numbering_.ordered ? numbering_.MadeBefore(v) : uses_[static_cast<size_t>(v)].front();
  }

  // Values that it can be a slice of. One of them may be a view that nothing makes.
  [[nodiscard]] std::vector<int32_t> AroundOf(int32_t v) const {
    const auto end = numbering_.ordered ? v : static_cast<int32_t>(method_.values.size());
    std::vector<int32_t> around;
    for (int32_t u = 0; u < end; ++u) {
      const bool covers =
          !ExtentOf(method_, u).empty() && ExtentOf(method_, u).Covers(ExtentOf(method_, v));
      if (covers && SliceFormOf(method_, v, u).has_value()) around.push_back(u);
    }
    return around;
  }

  // The values, and what the views among them are views of: what lies there when they are first
  // used.
  [[nodiscard]] std::vector<int32_t> WithBases(std::span<const int32_t> values,
                                               int32_t moment) const {
    std::vector<int32_t> all(values.begin(), values.end());
    for (const int32_t u : values) {
      if (MadeBefore(u, moment) != kNever) continue;
      const auto& same = at_place_.at({ExtentOf(method_, u), method_.TensorOf(u)->dtype});
      const auto& uses = uses_[static_cast<size_t>(u)];
      const int32_t base =
          LatestOf(same, u, uses.empty() ? moment : std::min(moment, uses.front()));
      if (base >= 0) all.push_back(base);
    }
    return all;
  }

  // The latest of them; or, of the older names of the same bytes that have the sizes of which the
  // literals take a slice, the latest.
  [[nodiscard]] int32_t BaseOf(int32_t v, std::span<const int32_t> around, int32_t moment) const {
    const int32_t latest = LatestOf(WithBases(around, moment), v, moment);
    if (latest < 0 || HasLiterals(v, latest, around)) return latest;
    std::vector<int32_t> told;
    std::ranges::copy_if(around, std::back_inserter(told), [&](int32_t u) {
      return u < latest && ExtentOf(method_, u) == ExtentOf(method_, latest) &&
             LiteralsTell(method_, v, u, *SliceFormOf(method_, v, u));
    });
    const int32_t of_told = LatestOf(told, v, moment);
    return of_told >= 0 ? of_told : latest;
  }

  // By its literals a slice, and what it is a slice of was made after all that is in its place.
  [[nodiscard]] bool IsSliceOfYounger(int32_t v, std::span<const int32_t> same) const {
    const auto& uses = uses_[static_cast<size_t>(v)];
    if (uses.empty() || !MayHaveLiterals(method_, v)) return false;
    if (Without(kProvedAlias, "slice")) return false;
    const std::vector<int32_t> around = AroundOf(v);
    const int32_t moment = std::min(MadeBefore(v), uses.front());
    const int32_t base = BaseOf(v, around, moment);
    if (base < 0 || !HasLiterals(v, base, around)) return false;
    const int32_t twin = LatestOf(same, v, moment);
    return twin < 0 || MadeBefore(twin, moment) < MadeBefore(base, moment);
  }

  bool Slice(int32_t v) {
    const auto& uses = uses_[static_cast<size_t>(v)];
    if (uses.empty() || Without(kProvedAlias, "slice")) return false;
    const int32_t made = MadeBefore(v);
    const std::vector<int32_t> around = AroundOf(v);
    const int32_t moment = std::min(made, uses.front());
    const int32_t base = BaseOf(v, around, moment);
    if (base < 0) return false;
    const auto& of_base = uses_[static_cast<size_t>(base)];
    const bool told = HasLiterals(v, base, around);
    if (!told && (of_base.empty() || of_base.back() < made)) return false;
    const Touched& touched = parts_.TouchedOf(base);
    const bool timed = numbering_.ordered || touched.first_made == touched.last_made;
    const bool taken = TakeOncePerRun(v, [&](int32_t use) {
      return std::optional(Take{{InRun(made, use), Step::kBefore}, v, {base}, false});
    });
    if (taken && (!told || !timed)) names_.guessed.push_back(v);
    return taken;
  }

  // Those of a slice of the base; or of a slice between the two that nothing makes either, and that
  // has its own.
  [[nodiscard]] bool HasLiterals(int32_t v, int32_t base, std::span<const int32_t> around) const {
    std::vector<int32_t> reached = {v};
    for (size_t next = 0; next < reached.size(); ++next) {
      for (const int32_t u : around) {
        const bool is_view =
            parts_.TouchedOf(u).first_made < 0 && ExtentOf(method_, u) == ExtentOf(method_, base);
        if (u >= reached[next] || (u != base && !is_view && HoldsSomething(u))) continue;
        const auto form = SliceFormOf(method_, reached[next], u);
        if (!form.has_value() || !LiteralsTell(method_, reached[next], u, *form)) continue;
        if (u == base || is_view) return true;
        if (std::ranges::find(reached, u) == reached.end()) reached.push_back(u);
      }
    }
    return false;
  }

  // The last instruction that makes a value before a use, and leads to it; kAtEntry: it is there
  // from the start.
  [[nodiscard]] int32_t MadeBefore(int32_t v, int32_t use) const {
    const Touched& touched = parts_.TouchedOf(v);
    if (touched.OnlyBorrows()) return IsThereAtEntry(v) ? kAtEntry : kNever;
    for (const int32_t made : {touched.last_made, touched.first_made}) {
      if (made >= 0 && made < use && LeadsTo(made, use)) return made;
    }
    return IsThereAtEntry(v) ? kAtEntry : kNever;
  }
  [[nodiscard]] bool IsThereAtEntry(int32_t v) const {
    return parts_.Of(v) == Part::kInput || parts_.Of(v) == Part::kBuffer;
  }

  // Of values but `v`, the first of those that were made last before a use; -1: none was made.
  [[nodiscard]] int32_t LatestOf(std::span<const int32_t> values, int32_t v, int32_t use) const {
    int32_t latest = -1;
    int32_t latest_made = kNever;
    for (const int32_t u : values) {
      const int32_t made = u == v ? kNever : MadeBefore(u, use);
      if (made <= latest_made) continue;
      latest = u;
      latest_made = made;
    }
    return latest;
  }

  // How often the bytes of a place were made before a use, as far as it matters: once, or more.
  [[nodiscard]] int MakesBefore(std::span<const int32_t> same, int32_t v, int32_t use) const {
    int makes = 0;
    for (const int32_t u : same) {
      if (IsThereAtEntry(u)) ++makes;
      const Touched& touched = parts_.TouchedOf(u);
      if (touched.OnlyBorrows()) continue;
      if (u == v) continue;
      const auto counts = [&](int32_t made) {
        return made >= 0 && made < use && LeadsTo(made, use);
      };
      if (counts(touched.first_made)) ++makes;
      if (touched.last_made != touched.first_made && counts(touched.last_made)) ++makes;
    }
    return makes;
  }

  const Method& method_;
  const Paths& paths_;
  const Numbering& numbering_;
  const Parts& parts_;
  std::vector<int32_t> elsewhere_;
  std::vector<std::vector<int32_t>> uses_;
  std::map<Form, std::vector<int32_t>> at_place_;  // values ascending
  std::vector<NumberedView> views_;                // ascending
  std::map<int32_t, std::vector<int32_t>> taken_;  // per value: when others are taken from it
  std::map<std::pair<uint32_t, uint64_t>, std::vector<int32_t>> borrowers_;  // by first byte
  std::set<int32_t> borrowed_;  // names of bytes that only a borrower has
  // What is known of the run that was asked about last.
  mutable int32_t goal_ = -1;
  mutable std::vector<bool> leads_to_goal_;  // per run
  Names names_;
};

}  // namespace

Names NamesOf(const Method& method, const Listing& listing, const Paths& paths,
              const Numbering& numbering, const Parts& parts) {
  return ViewSearch(method, listing, paths, numbering, parts).Run();
}

}  // namespace pteproof::proofs

// Idea: the listing is one of many orders that respect the flow of data. A backend that reorders
// keeps only this flow. Within a run, instruction a comes before b in every order if b uses, step
// by step, a value that a makes.
//
//   0: v3 = neg(v1)    1: v4 = abs(v3)    2: v5 = exp(v1)
//
// 0 comes before 1 in each order; 2 may stand anywhere. If v5 lies in the bytes of v3, then 2 may
// come between 0 and 1: the obligation fails, though the listed order is right.
//
// Instructions that name one value keep their order if one of them writes it: `v0 = copy_(v0, v3)`
// stays behind the readers of v0 that are listed before. A backend sees that both name v0. It does
// not see that two values lie in the same bytes.
//
// A write needs no obligation against a version of a name if, in every order, it comes before the
// version's maker, or after all its readers and the version does not outlive the run. An elided
// name needs none of its own: its readers are readers of the names whose bytes it has.
//
// Single use asks for more: an instruction that reads a version and writes over it is its only
// reader, in whatever order the others run. Readers in other runs count if the value is made once.
//
// Invariant: before_[b] is transitive, since instructions are added in listing order and inherit
// the sets of the instructions they use.
//
// Cost: O(run^2) bits for the flow, and O(writes x versions) per run; runs beyond kLongestRun are
// left open.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/proofs/facts/holders.h"
#include "properties/proofs/rules/rules.h"

namespace pteproof::proofs {
namespace {

// One making of a name within a run, and its readers.
struct Version {
  Name name = 0;
  int32_t maker = -1;  // the instruction; -1: it stands there when the run begins
  Moment from;
  std::set<int32_t> readers;
  bool lives_on = false;  // beyond the run
  bool empty = false;     // nothing is there before instructions of the run put rows there
  bool elided = false;    // made by no instruction: it has the bytes of other names
};

// The order of instructions of a run that the flow of data requires.
class DataFlow {
 public:
  DataFlow(int32_t begin, int32_t end) : begin_(begin), before_(static_cast<size_t>(end - begin)) {
    for (auto& set : before_) set.resize(before_.size());
  }

  // In ascending order of `later`.
  void Follows(int32_t later, int32_t earlier) {
    auto& set = before_[Index(later)];
    const auto& more = before_[Index(earlier)];
    set[Index(earlier)] = true;
    for (size_t i = 0; i < set.size(); ++i) set[i] = set[i] || more[i];
  }
  [[nodiscard]] bool Covers(int32_t i) const { return i >= begin_ && Index(i) < before_.size(); }
  [[nodiscard]] bool IsBefore(int32_t earlier, int32_t later) const {
    return before_[Index(later)][Index(earlier)];
  }

 private:
  [[nodiscard]] size_t Index(int32_t i) const { return static_cast<size_t>(i - begin_); }

  int32_t begin_;
  std::vector<std::vector<bool>> before_;  // per instruction: those before it
};

class AnyOrder {
 public:
  AnyOrder(Obliger& obliger, int32_t method, bool single_use)
      : obliger_(obliger),
        index_(method),
        single_use_(single_use),
        facts_(obliger.facts().FactsAt(method)),
        holders_(facts_.names.takes, facts_.paths),
        makings_(MakingsOf(facts_)) {}

  void Run() {
    for (int32_t r = 0; r < static_cast<int32_t>(facts_.paths.runs.size()); ++r) {
      const auto& run = facts_.paths[r];
      if (!run.reached || run.end - run.begin < (single_use_ ? 1 : 2)) continue;
      if (run.end - run.begin > kLongestRun) {
        TooLong(run.end - run.begin);
      } else {
        InRun(r);
      }
    }
  }

 private:
  using Key = std::pair<Name, Making>;

  static constexpr int32_t kLongestRun = 4000;
  static constexpr Making kBefore = {{-2, Step::kBefore}, -1};

  void InRun(int32_t r) {
    versions_.clear();
    named_.clear();
    const auto& run = facts_.paths[r];
    DataFlow flow(run.begin, run.end);
    for (int32_t i = run.begin; i < run.end; ++i) {
      for (const ReadEvent& read : facts_.listing.ReadsAt(i)) {
        Use(r, read.value, {i, Step::kRead}, i, flow);
      }
      for (const Take& take :
           std::ranges::equal_range(facts_.names.takes, Moment{i, Step::kMove}, {}, &Take::at)) {
        for (const int32_t source : take.from) Use(r, source, take.at, i, flow);
      }
      KeepOrder(i, flow);
    }
    for (const Need& need : facts_.needs.spans) {
      const bool leaves = need.until == Moment{run.end, Step::kBefore};
      if (need.run != r || !leaves) continue;
      const bool is_there = need.made_here || need.made_before || StandsAtEntry(need.name);
      ForEachSource(r, need.name, need.until, [&](Version& version) {
        version.lives_on = true;
        version.empty = version.name == need.name && version.maker < 0 && !is_there;
      });
    }
    for (int32_t i = run.begin; i < run.end; ++i) {
      for (const WriteEvent& w : facts_.listing.WritesAt(i)) {
        for (const auto& [key, version] : versions_) Pair(w, version, flow);
      }
    }
  }

  [[nodiscard]] bool StandsAtEntry(Name n) const {
    if (facts_.EndOf(n) >= 0) return true;
    const Part part = facts_.parts.Of(n);
    return part != Part::kLocal && part != Part::kCaller;
  }

  // Whether each row that the run puts there comes after the instruction in every order.
  [[nodiscard]] bool IsFilledLater(const Version& version, int32_t i, const DataFlow& flow) const {
    for (const WriteEvent& w : facts_.listing.writes) {
      const bool here = flow.Covers(w.instruction) && w.value == facts_.ValueOf(version.name);
      if (here && w.access == Access::kFill && !flow.IsBefore(i, w.instruction)) return false;
    }
    return true;
  }

  [[nodiscard]] Making LastMaking(int32_t r, Name name, Moment at) const {
    const auto& all = makings_[static_cast<size_t>(name)];
    const auto after = std::ranges::lower_bound(all, at, {}, &Making::at);
    if (after == all.begin()) return kBefore;
    const Making last = *std::prev(after);
    return last.at.instruction >= facts_.paths[r].begin ? last : kBefore;
  }

  Version& VersionAt(int32_t r, Name name, Moment at) {
    const Making making = LastMaking(r, name, at);
    const bool here = making != kBefore;
    const Moment begin = {facts_.paths[r].begin, Step::kBefore};
    const bool elided = here && making.at.step == Step::kBefore;
    return versions_
        .try_emplace(Key{name, making}, Version{name,
                                                here && !elided ? making.at.instruction : -1,
                                                here ? making.at : begin,
                                                {},
                                                false,
                                                false,
                                                elided})
        .first->second;
  }

  // Instruction `reader` uses a name, and with it the names that it was taken from.
  void Use(int32_t r, Name name, Moment at, int32_t reader, DataFlow& flow) {
    ForEachSource(r, name, at, [&](Version& version) {
      version.readers.insert(reader);
      if (version.maker >= 0 && version.maker != reader) flow.Follows(reader, version.maker);
    });
  }

  // An instruction that writes a value comes after those that named it so far.
  void KeepOrder(int32_t i, DataFlow& flow) {
    for (const WriteEvent& w : facts_.listing.WritesAt(i)) {
      std::vector<int32_t>& earlier = named_[w.value];
      for (const int32_t e : earlier) flow.Follows(i, e);
      earlier.clear();
    }
    for (const ReadEvent& read : facts_.listing.ReadsAt(i)) named_[read.value].push_back(i);
    for (const WriteEvent& w : facts_.listing.WritesAt(i)) named_[w.value].push_back(i);
  }

  // The version of a name at that moment, and those of the names that it was taken from.
  template <class Visit>
  void ForEachSource(int32_t r, Name name, Moment at, Visit visit) {
    std::vector<std::pair<Name, Moment>> open = {{name, at}};
    while (!open.empty()) {
      const auto [used, when] = open.back();
      open.pop_back();
      visit(VersionAt(r, used, when));
      const Making making = LastMaking(r, used, when);
      if (making == kBefore || making.take < 0) continue;
      const Take& take = facts_.names.takes[static_cast<size_t>(making.take)];
      for (const int32_t source : take.from) open.emplace_back(source, take.at);
    }
  }

  // The write cannot come between the making and a use, or it lies elsewhere.
  void Pair(const WriteEvent& w, const Version& version, const DataFlow& flow) {
    const int32_t i = w.instruction;
    if (version.elided) return;
    // A row goes into the value that is there: the other rows stay.
    if (w.access == Access::kFill && facts_.ValueOf(version.name) == w.value) return;
    if (version.empty && IsFilledLater(version, i, flow)) return;
    if (version.maker == i || (version.maker >= 0 && flow.IsBefore(i, version.maker))) return;
    const auto late = std::ranges::find_if(
        version.readers, [&](int32_t reader) { return reader != i && !flow.IsBefore(reader, i); });
    const bool used_before = !version.lives_on && late == version.readers.end();
    const int32_t end = facts_.EndOf(version.name);
    const bool unwanted =
        end >= 0 && obliger_.facts().PoliciesWanting(index_, end) == PolicySet::None();
    const bool own_store = end >= 0 && version.maker < 0 && facts_.StoredBuffer(w) == end;
    const int32_t other = OtherReader(version, i);
    if ((used_before && other < 0) || own_store || unwanted) return;
    const int32_t reader = late == version.readers.end() ? facts_.instruction_count() : *late;
    for (const int32_t to : holders_.Of(w.value, {i, Step::kWrite})) {
      for (const int32_t from : HoldersOf(version)) {
        const Extent a = ExtentOf(*facts_.method, to);
        const Extent b = ExtentOf(*facts_.method, from);
        if (a.empty() || b.empty() || a.bank != b.bank) continue;
        if (!known_.insert({w.value, i, version.name, from}).second) continue;
        if (used_before) {
          ObligeSingleUse(w, version, to, from, other);
        } else {
          Oblige(w, version, to, from, reader);
        }
      }
    }
  }

  // Beside an instruction that reads a version itself, if there must be none; -1: none.
  [[nodiscard]] int32_t OtherReader(const Version& version, int32_t i) const {
    if (!single_use_ || !version.readers.contains(i)) return -1;
    for (const int32_t reader : version.readers) {
      if (reader != i) return reader;
    }
    const size_t makings = makings_[static_cast<size_t>(version.name)].size();
    if (makings != (StandsAtEntry(version.name) ? 0 : 1)) return -1;
    for (const ReadEvent& read : facts_.listing.reads) {
      if (read.value == version.name && read.instruction != i) return read.instruction;
    }
    return -1;
  }

  [[nodiscard]] std::vector<int32_t> HoldersOf(const Version& version) const {
    if (facts_.EndOf(version.name) >= 0) return {facts_.ValueOf(version.name)};
    return holders_.Of(version.name, {version.from.instruction, Step::kEnd});
  }

  void Oblige(const WriteEvent& w, const Version& version, int32_t to, int32_t from,
              int32_t reader) {
    ObligeApart(
        w, version, to, from,
        fmt::format("Only the order of the listing makes {} read v{} before {} writes {} over it.",
                    InstructionText(*facts_.method, reader), facts_.ValueOf(version.name),
                    InstructionText(*facts_.method, w.instruction), ValueText(*facts_.method, to)));
  }

  void ObligeSingleUse(const WriteEvent& w, const Version& version, int32_t to, int32_t from,
                       int32_t other) {
    ObligeApart(
        w, version, to, from,
        fmt::format(
            "{} writes {} over v{}, and {} reads v{} too. The strict rule allows no other reader.",
            Capital(InstructionText(*facts_.method, w.instruction)), ValueText(*facts_.method, to),
            facts_.ValueOf(version.name), InstructionText(*facts_.method, other),
            facts_.ValueOf(version.name)));
  }

  void ObligeApart(const WriteEvent& w, const Version& version, int32_t to, int32_t from,
                   std::string refuted) {
    Obligation o;
    o.kind = rule::kInPlaceSingleUse;
    o.method = facts_.method->name;
    o.instruction = w.instruction;
    o.any_order = true;
    o.values = {facts_.ValueOf(version.name), w.value};
    o.goal = Disjoint(obliger_.BytesOf(index_, to), obliger_.BytesOf(index_, from));
    o.refuted = std::move(refuted);
    obliger_.Add(std::move(o));
  }

  void TooLong(int32_t length) {
    Obligation o;
    o.kind = rule::kNotProvable;
    o.any_order = true;
    o.severity = Severity::kNote;
    o.method = facts_.method->name;
    o.goal = None(1);
    o.refuted = fmt::format(
        "A run of {} instructions without a jump is longer than the limit for orders ({}).", length,
        kLongestRun);
    obliger_.Add(std::move(o));
  }

  Obliger& obliger_;
  int32_t index_;
  bool single_use_;
  const MethodFacts& facts_;
  Holders holders_;
  Makings makings_;
  std::map<Key, Version> versions_;                // of the run at hand
  std::map<int32_t, std::vector<int32_t>> named_;  // by value: who used it since its last write
  std::set<std::tuple<int32_t, int32_t, Name, int32_t>> known_;
};

}  // namespace

void ObligeAnyOrder(Obliger& obliger, int32_t method, bool single_use) {
  AnyOrder(obliger, method, single_use).Run();
}

}  // namespace pteproof::proofs

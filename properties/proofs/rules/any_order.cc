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
  int32_t name = 0;
  int32_t maker = -1;  // the instruction; -1: it stands there when the run begins
  Point from;
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
        flow_(obliger.facts().MeaningAt(method).flow()),
        needs_(obliger.facts().needs[static_cast<size_t>(method)]),
        holders_(obliger.facts().MeaningAt(method)),
        events_(flow_) {}

  void Run() {
    for (const Block& run : flow_.graph.blocks) {
      if (!run.reachable || run.end - run.begin < (single_use_ ? 1 : 2)) continue;
      if (run.end - run.begin > kLongestRun) {
        TooLong(run.end - run.begin);
      } else {
        InRun(run);
      }
    }
  }

 private:
  using Key = std::tuple<int32_t, Point, int32_t>;  // name, making, its transfer

  static constexpr int32_t kLongestRun = 4000;
  static constexpr Point kBefore = {-2, Step::kBefore};

  static size_t Index(int32_t n) { return static_cast<size_t>(n); }

  void InRun(const Block& run) {
    versions_.clear();
    named_.clear();
    DataFlow flow(run.begin, run.end);
    for (int32_t i = run.begin; i < run.end; ++i) {
      for (const Read& read : flow_.effects.ReadsOf(Index(i))) {
        Use(run, {read.value, {i, Step::kRead}}, i, flow);
      }
      for (const Transfer& transfer :
           std::ranges::equal_range(flow_.aliases.transfers, i, {}, &Transfer::instruction)) {
        if (transfer.phase != Phase::kAt) continue;
        for (const int32_t source : flow_.aliases.SourcesOf(transfer)) {
          Use(run, {source, PointOf(transfer)}, i, flow);
        }
      }
      KeepOrder(i, flow);
    }
    for (const Need& need : needs_.spans) {
      const bool leaves = need.until == Point{run.end, Step::kBefore};
      if (&flow_.graph.blocks[Index(need.block)] != &run || !leaves) continue;
      const bool is_there = need.made_here || need.made_before || flow_.IsThereAtEntry(need.name);
      ForEachSource(run, {need.name, need.until}, [&](Version& version) {
        version.lives_on = true;
        version.empty = version.name == need.name && version.maker < 0 && !is_there;
      });
    }
    for (int32_t i = run.begin; i < run.end; ++i) {
      for (const Write& w : flow_.effects.WritesOf(Index(i))) {
        for (const auto& [key, version] : versions_) Pair(i, w, version, flow);
      }
    }
  }

  // Whether each row that the run puts there comes after the instruction in every order.
  [[nodiscard]] bool IsFilledLater(const Version& version, int32_t i, const DataFlow& flow) const {
    return std::ranges::all_of(events_.fills(), [&](const NameEvents::Fill& fill) {
      const bool here = flow.Covers(fill.instruction) && fill.name == flow_.ValueOf(version.name);
      return !here || flow.IsBefore(i, fill.instruction);
    });
  }

  // A name at a point of a run.
  struct Named {
    int32_t name = 0;
    Point at;
  };

  [[nodiscard]] const Make* LastMaking(const Block& run, const Named& named) const {
    return events_.LastBefore(named.name, named.at, run.begin);
  }

  Version& VersionAt(const Block& run, const Named& named) {
    const Make* making = LastMaking(run, named);
    const bool here = making != nullptr;
    const bool elided = here && making->at.step == Step::kBefore;
    const Key key = {named.name, here ? making->at : kBefore, here ? making->transfer : -1};
    return versions_
        .try_emplace(key, Version{named.name,
                                  here && !elided ? making->at.instruction : -1,
                                  here ? making->at : Point{run.begin, Step::kBefore},
                                  {},
                                  false,
                                  false,
                                  elided})
        .first->second;
  }

  // Instruction `reader` uses a name, and with it the names that it was taken from.
  void Use(const Block& run, const Named& named, int32_t reader, DataFlow& flow) {
    ForEachSource(run, named, [&](Version& version) {
      version.readers.insert(reader);
      if (version.maker >= 0 && version.maker != reader) flow.Follows(reader, version.maker);
    });
  }

  // An instruction that writes a value comes after those that named it so far.
  void KeepOrder(int32_t i, DataFlow& flow) {
    const auto writes = flow_.effects.WritesOf(Index(i));
    for (const Write& w : writes) {
      std::vector<int32_t>& earlier = named_[w.value];
      for (const int32_t e : earlier) flow.Follows(i, e);
      earlier.clear();
    }
    for (const Read& read : flow_.effects.ReadsOf(Index(i))) named_[read.value].push_back(i);
    for (const Write& w : writes) named_[w.value].push_back(i);
  }

  // The version of a name at that point, and those of the names that it was taken from.
  template <class Visit>
  void ForEachSource(const Block& run, const Named& named, Visit visit) {
    std::vector<Named> open = {named};
    while (!open.empty()) {
      const Named used = open.back();
      open.pop_back();
      visit(VersionAt(run, used));
      const Make* making = LastMaking(run, used);
      if (making == nullptr || making->transfer < 0) continue;
      const Transfer& transfer = flow_.aliases.transfers[Index(making->transfer)];
      for (const int32_t source : flow_.aliases.SourcesOf(transfer)) {
        open.push_back({source, making->at});
      }
    }
  }

  // The write cannot come between the making and a use, or it lies elsewhere.
  void Pair(int32_t i, const Write& w, const Version& version, const DataFlow& flow) {
    if (version.elided) return;
    // A row goes into the value that is there: the other rows stay.
    if (w.access == Access::kFill && flow_.ValueOf(version.name) == w.value) return;
    if (version.empty && IsFilledLater(version, i, flow)) return;
    if (version.maker == i || (version.maker >= 0 && flow.IsBefore(i, version.maker))) return;
    const auto late = std::ranges::find_if(
        version.readers, [&](int32_t reader) { return reader != i && !flow.IsBefore(reader, i); });
    const bool used_before = !version.lives_on && late == version.readers.end();
    const int32_t end = flow_.EndOfState(version.name);
    const bool unwanted =
        end >= 0 && obliger_.facts().PoliciesWanting(index_, end) == PolicySet::None();
    const bool own_store = end >= 0 && version.maker < 0 && flow_.StoredState(w) == end;
    const int32_t other = OtherReader(version, i);
    if ((used_before && other < 0) || own_store || unwanted) return;
    const int32_t reader = late == version.readers.end() ? flow_.instruction_count() : *late;
    const auto held_in = holders_.Of(version.name, {version.from.instruction, Step::kEnd});
    for (const int32_t to : holders_.Of(w.value, {i, Step::kWrite})) {
      for (const int32_t from : held_in) {
        const Place& a = flow_.PlaceOf(to);
        const Place& b = flow_.PlaceOf(from);
        if (a.empty() || b.empty() || a.bank != b.bank) continue;
        if (!known_.insert({w.value, i, version.name, from}).second) continue;
        ObligeApart(
            i, {w.value, flow_.ValueOf(version.name)}, to, from,
            used_before ? TwoUses(i, version, to, other) : OneOrder(i, version, to, reader));
      }
    }
  }

  // Beside an instruction that reads a version itself, if there must be none; -1: none.
  [[nodiscard]] int32_t OtherReader(const Version& version, int32_t i) const {
    if (!single_use_ || !version.readers.contains(i)) return -1;
    for (const int32_t reader : version.readers) {
      if (reader != i) return reader;
    }
    const size_t makings = events_.Of(version.name).size();
    if (makings != (flow_.IsThereAtEntry(version.name) ? 0 : 1)) return -1;
    for (int32_t r = 0; r < flow_.instruction_count(); ++r) {
      const auto reads = flow_.effects.ReadsOf(Index(r));
      const auto read = std::ranges::find(reads, version.name, &Read::value);
      if (r != i && read != reads.end()) return r;
    }
    return -1;
  }

  [[nodiscard]] std::string OneOrder(int32_t i, const Version& version, int32_t to,
                                     int32_t reader) const {
    return fmt::format(
        "Only the order of the listing makes {} read v{} before {} writes {} over it.",
        InstructionText(flow_.method, reader), flow_.ValueOf(version.name),
        InstructionText(flow_.method, i), ValueText(flow_.method, to));
  }

  [[nodiscard]] std::string TwoUses(int32_t i, const Version& version, int32_t to,
                                    int32_t other) const {
    return fmt::format(
        "{} writes {} over v{}, and {} reads v{} too. The strict rule allows no other reader.",
        Capital(InstructionText(flow_.method, i)), ValueText(flow_.method, to),
        flow_.ValueOf(version.name), InstructionText(flow_.method, other),
        flow_.ValueOf(version.name));
  }

  // What is written, and what is lost.
  struct Lost {
    int32_t written = 0;
    int32_t wanted = 0;
  };

  void ObligeApart(int32_t i, const Lost& lost, int32_t to, int32_t from, std::string refuted) {
    Obligation o =
        AboutMethod(flow_.method, rule::kInPlaceSingleUse, i, {lost.wanted, lost.written});
    o.any_order = true;
    o.goal = Disjoint(obliger_.BytesOf(index_, to), obliger_.BytesOf(index_, from));
    o.refuted = std::move(refuted);
    obliger_.Add(std::move(o));
  }

  void TooLong(int32_t length) {
    Obligation o = AboutMethod(flow_.method, rule::kNotProvable, -1, {});
    o.any_order = true;
    o.severity = Severity::kNote;
    o.goal = None(1);
    o.refuted = fmt::format(
        "A run of {} instructions without a jump is longer than the limit for orders ({}).", length,
        kLongestRun);
    obliger_.Add(std::move(o));
  }

  Obliger& obliger_;
  int32_t index_;
  bool single_use_;
  const MethodFlow flow_;
  const Needs& needs_;
  Holders holders_;
  const NameEvents events_;
  std::map<Key, Version> versions_;                // of the run at hand
  std::map<int32_t, std::vector<int32_t>> named_;  // by value: who used it since its last write
  std::set<std::tuple<int32_t, int32_t, int32_t, int32_t>> known_;
};

}  // namespace

void ObligeAnyOrder(Obliger& obliger, int32_t method, bool single_use) {
  AnyOrder(obliger, method, single_use).Run();
}

}  // namespace pteproof::proofs

// Idea: a plan is right within a call if each write lies outside of the bytes of all other names
// that are wanted at that moment. So each pair of a write and a need that holds then gives one
// obligation:
//
//   v3 [0,32) wanted from 0 to 2,  1: writes v4 [16,48)    goal: 48 <= 0 or 32 <= 16
//
// Sizes that the file only bounds are symbols, so the goal is proved for all of them. A name that a
// move made stands for each of its holders. Memory of the caller has no place: each value there has
// a piece of its own, which only handles share with it.
//
// Left out: the name that is written, a name that nothing has made yet, and the end of a buffer for
// a store to that buffer.
//
// Invariant: each combination of writer, name and their two holders gives one obligation, and every
// such combination that shares memory at some write has one (sweep.h counts them again).
//
// Cost: O(writes x needs that hold at the write).
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "base/rule_names.h"
#include "properties/proofs/facts/holders.h"
#include "properties/proofs/rules/rules.h"
#include "reference/op_schema.h"

namespace pteproof::proofs {
namespace {

class Interference {
 public:
  Interference(Obliger& obliger, int32_t method)
      : obliger_(obliger),
        index_(method),
        facts_(obliger.facts().FactsAt(method)),
        needs_(obliger.facts().observed[static_cast<size_t>(method)]),
        holders_(facts_.names.takes, facts_.paths) {
    for (const WriteEvent& w : facts_.listing.writes) {
      if (w.access == Access::kFill) fills_.insert({w.value, w.instruction});
    }
    for (const Take& take : facts_.names.takes) {
      if (take.at.step == Step::kMove &&
          facts_.method->instructions[static_cast<size_t>(take.at.instruction)].kind ==
              InstructionKind::kMove) {
        moved_.insert(take.to);
        moved_.insert(take.from.front());
      }
      if (!take.handle) views_.insert(take.to);
    }
  }

  void Run() {
    AtEntry();
    auto next = needs_.spans.begin();
    for (int32_t r = 0; r < static_cast<int32_t>(facts_.paths.runs.size()); ++r) {
      const auto end = std::ranges::upper_bound(next, needs_.spans.end(), r, {}, &Need::run);
      if (facts_.paths[r].reached) InRun(r, {next, end});
      next = end;
    }
  }

 private:
  // The caller sets the inputs before the first instruction: over nothing that is wanted then.
  void AtEntry() {
    std::vector<const Need*> wanted;
    for (const Need& need : needs_.spans) {
      if (need.run == 0 && !need.made_here && IsThereAtEntry(need.name)) wanted.push_back(&need);
    }
    for (const int32_t input : facts_.method->inputs) {
      if (facts_.method->TensorOf(input) == nullptr) continue;
      for (const Need* need : wanted) {
        if (need->name == input) continue;
        Pair({-1, input, Access::kWrite, true}, *need, {-1, Step::kWrite});
      }
    }
  }

  [[nodiscard]] bool IsThereAtEntry(Name n) const {
    if (facts_.EndOf(n) >= 0) return true;
    const Part part = facts_.parts.Of(n);
    return part != Part::kLocal && part != Part::kCaller;
  }

  // The needs of a run by their begin, those that hold at the instruction at hand kept apart.
  void InRun(int32_t r, std::span<const Need> needs) {
    std::vector<const Need*> held;
    auto next = needs.begin();
    for (int32_t i = facts_.paths[r].begin; i < facts_.paths[r].end; ++i) {
      const Moment at = {i, Step::kWrite};
      for (; next != needs.end() && next->from <= at; ++next) held.push_back(&*next);
      std::erase_if(held, [&](const Need* need) { return need->until <= at; });
      const auto writes = facts_.listing.WritesAt(i);
      for (const WriteEvent& w : writes) {
        for (const Need* need : held) {
          if (need->name == w.value || !HasSomething(*need, i)) continue;
          const int32_t end = facts_.EndOf(need->name);
          if (end >= 0 && facts_.StoredBuffer(w) == end) continue;
          Pair(w, *need, at);
        }
      }
    }
  }

  // Whether something made the name before: else there is nothing to lose yet.
  [[nodiscard]] bool HasSomething(const Need& need, int32_t i) const {
    if (need.made_here || need.made_before || IsThereAtEntry(need.name)) return true;
    const auto fill = fills_.lower_bound({need.name, facts_.paths[need.run].begin});
    return fill != fills_.end() && fill->first == need.name && fill->second < i;
  }

  void Pair(const WriteEvent& w, const Need& need, Moment at) {
    const int32_t victim = facts_.ValueOf(need.name);
    const int32_t end = facts_.EndOf(need.name);
    const PolicySet policies =
        end < 0 ? PolicySet::All() : obliger_.facts().PoliciesWanting(index_, end);
    if (policies == PolicySet::None()) return;
    const auto held_in = end >= 0 ? std::vector{victim} : holders_.Of(need.name, at);
    for (const int32_t to : holders_.Of(w.value, at)) {
      for (const int32_t from : held_in) {
        if (!facts_.ShareMemory(to, from)) continue;
        if (!known_.insert({w.value, need.name, to, from}).second) continue;
        obliger_.CountPair();
        Oblige(w, need, to, from, policies);
      }
    }
  }

  void Oblige(const WriteEvent& w, const Need& need, int32_t to, int32_t from, PolicySet policies) {
    const int32_t victim = facts_.ValueOf(need.name);
    Obligation o;
    o.kind = KindOf(w, need, to, from);
    o.policies = policies;
    o.method = facts_.method->name;
    o.instruction = w.instruction;
    o.values = {victim, w.value};
    o.refuted = fmt::format("{} writes {} over v{}, which {} reads.",
                            Capital(InstructionText(*facts_.method, w.instruction)),
                            ValueText(*facts_.method, to), victim,
                            InstructionText(*facts_.method, need.reader));
    if (!facts_.method->TensorOf(to)->planned) {
      // One piece of the caller's memory: it is lost unless it is empty.
      o.goal = Equal(obliger_.BytesOf(index_, to).size, SizeExpr(0));
      return obliger_.Add(std::move(o));
    }
    o.goal = Disjoint(obliger_.BytesOf(index_, to), obliger_.BytesOf(index_, from));
    o.loss = Loss{.writer = index_,
                  .written = w.value,
                  .written_in = to,
                  .keeper = index_,
                  .wanted = victim,
                  .wanted_in = from,
                  .from = SinceWhen(need),
                  .until = PointOf(need.until),
                  .reader = need.reader};
    obliger_.Add(std::move(o));
  }

  [[nodiscard]] static int32_t PointOf(Moment at) {
    return 2 * at.instruction + (at.step >= Step::kWrite ? 1 : 0);
  }

  [[nodiscard]] int32_t SinceWhen(const Need& need) const {
    if (need.made_here || need.run != 0) return PointOf(need.from);
    const bool input = facts_.EndOf(need.name) < 0 && facts_.parts.Of(need.name) == Part::kInput;
    return input ? -1 : -2;
  }

  [[nodiscard]] std::string_view KindOf(const WriteEvent& w, const Need& need, int32_t to,
                                        int32_t from) const {
    const int32_t victim = facts_.ValueOf(need.name);
    const int32_t buffer = facts_.parts.BufferOf(facts_.names.RootOf(victim));
    const int32_t stored = w.instruction < 0 ? -1 : facts_.StoredBuffer(w);
    if (buffer >= 0 && buffer == stored) return rule::kEntryValueLost;
    if (buffer >= 0) return stored >= 0 ? rule::kSharedLayout : rule::kStateClobbered;
    if (!facts_.paths.straight() && moved_.contains(victim)) return rule::kRegionEscape;
    if (from != need.name) return rule::kAliasLifetime;
    const bool one_root = facts_.names.RootOf(w.value) == facts_.names.RootOf(victim);
    if (!w.result && !views_.contains(victim) && one_root) return rule::kInPlaceAlias;
    const bool brought = !facts_.method->TensorOf(to)->planned;
    if (brought || views_.contains(victim) || facts_.parts.TouchedOf(victim).stored_to) {
      return rule::kAliasLifetime;
    }
    return IsOverOperand(w, to) ? rule::kInPlaceSingleUse : rule::kPlanOverlap;
  }

  [[nodiscard]] bool IsOverOperand(const WriteEvent& w, int32_t to) const {
    if (w.instruction < 0) return false;
    return std::ranges::any_of(facts_.listing.ReadsAt(w.instruction), [&](const ReadEvent& r) {
      return r.value != w.value &&
             ExtentOf(*facts_.method, r.value) == ExtentOf(*facts_.method, to);
    });
  }

  Obliger& obliger_;
  int32_t index_;
  const MethodFacts& facts_;
  const Needs& needs_;
  Holders holders_;
  std::set<std::pair<Name, int32_t>> fills_;  // name, instruction
  std::set<int32_t> moved_;                   // by a region's move, or from
  std::set<int32_t> views_;
  std::set<std::tuple<int32_t, Name, int32_t, int32_t>> known_;  // writer, name, their holders
};

}  // namespace

void ObligeInterference(Obliger& obliger, int32_t method) {
  Interference(obliger, method).Run();
}

}  // namespace pteproof::proofs

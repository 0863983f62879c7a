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
// Cost: O(writes x needs that hold at the write) in time. If pairs that numbers show to lie apart
// are counted only (ObligeOptions), the memory is that of the obligations that are left. Pairs are
// kept only for values that are written more than once, or that handles move.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <tuple>
#include <utility>
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
        flow_(obliger.facts().MeaningAt(method).flow()),
        needs_(obliger.facts().observed[static_cast<size_t>(method)]),
        holders_(obliger.facts().MeaningAt(method)) {
    times_written_.resize(static_cast<size_t>(flow_.value_count()));
    met_by_.resize(times_written_.size() + flow_.roles.states.size(), -1);
    for (const int32_t input : flow_.method.inputs) ++times_written_[Index(input)];
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      for (const Write& w : flow_.effects.WritesOf(static_cast<size_t>(i))) {
        ++times_written_[Index(w.value)];
        if (w.access == Access::kFill) fills_.insert({w.value, i});
      }
    }
    for (const meaning::Rename& r : flow_.effects.renames) {
      if (flow_.method.instructions[Index(r.instruction)].kind != InstructionKind::kMove) continue;
      moved_.insert(r.to);
      moved_.insert(r.from);
    }
    for (const Transfer& transfer : flow_.aliases.transfers) {
      if (!transfer.dynamic) views_.insert(transfer.to);
    }
  }

  void Run() {
    AtEntry();
    auto next = needs_.spans.begin();
    for (int32_t b = 0; b < static_cast<int32_t>(flow_.graph.blocks.size()); ++b) {
      const auto end = std::ranges::upper_bound(next, needs_.spans.end(), b, {}, &Need::block);
      if (BlockAt(b).reachable) InBlock(b, {next, end});
      next = end;
    }
  }

 private:
  // A write of an instruction; -1: the caller sets an input.
  struct Written {
    int32_t instruction = -1;
    Write write;
    std::vector<int32_t> in;  // the values in whose bytes it lies then
  };

  static size_t Index(int32_t n) { return static_cast<size_t>(n); }
  [[nodiscard]] const Block& BlockAt(int32_t b) const { return flow_.graph.blocks[Index(b)]; }

  // The caller sets the inputs before the first instruction: over nothing that is wanted then.
  void AtEntry() {
    std::vector<const Need*> wanted;
    for (const Need& need : needs_.spans) {
      if (need.block == 0 && !need.made_here && flow_.IsThereAtEntry(need.name))
        wanted.push_back(&need);
    }
    for (const int32_t input : flow_.method.inputs) {
      if (flow_.method.TensorOf(input) == nullptr) continue;
      const Point at = {-1, Step::kWrite};
      const Written written = {-1, {input, Access::kWrite, true}, holders_.Of(input, at)};
      for (const Need* need : wanted) {
        if (need->name != input) Pair(written, *need, at);
      }
    }
  }

  // The needs of a block by their begin, those that hold at the instruction at hand kept apart.
  void InBlock(int32_t b, std::span<const Need> needs) {
    std::vector<const Need*> held;
    auto next = needs.begin();
    for (int32_t i = BlockAt(b).begin; i < BlockAt(b).end; ++i) {
      const Point at = {i, Step::kWrite};
      for (; next != needs.end() && next->from <= at; ++next) held.push_back(&*next);
      std::erase_if(held, [&](const Need* need) { return need->until <= at; });
      for (const Write& w : flow_.effects.WritesOf(Index(i))) {
        const Written written = {i, w, holders_.Of(w.value, at)};
        for (const Need* need : held) {
          if (need->name == w.value || !HasSomething(*need, i)) continue;
          const int32_t end = flow_.EndOfState(need->name);
          if (end >= 0 && flow_.StoredState(w) == end) continue;
          Pair(written, *need, at);
        }
      }
    }
  }

  // Whether something made the name before: else there is nothing to lose yet.
  [[nodiscard]] bool HasSomething(const Need& need, int32_t i) const {
    if (need.made_here || need.made_before || flow_.IsThereAtEntry(need.name)) return true;
    const auto fill = fills_.lower_bound({need.name, BlockAt(need.block).begin});
    return fill != fills_.end() && fill->first == need.name && fill->second < i;
  }

  void Pair(const Written& w, const Need& need, Point at) {
    const int32_t end = flow_.EndOfState(need.name);
    const PolicySet policies =
        end < 0 ? PolicySet::All() : obliger_.facts().PoliciesWanting(index_, end);
    if (policies == PolicySet::None()) return;
    const auto held_in = holders_.Of(need.name, at);
    // The only write of a value meets each name there and nowhere else.
    const int32_t writer = w.write.value;
    const bool only_here =
        times_written_[Index(writer)] == 1 && w.in.size() == 1 && held_in.size() == 1;
    if (only_here && std::exchange(met_by_[Index(need.name)], writer) == writer) return;
    for (const int32_t to : w.in) {
      for (const int32_t from : held_in) {
        if (!holders_.ShareMemory(to, from)) continue;
        if (!only_here && !known_.insert({writer, need.name, to, from}).second) continue;
        obliger_.CountPair();
        Oblige(w, need, to, from, policies);
      }
    }
  }

  void Oblige(const Written& w, const Need& need, int32_t to, int32_t from, PolicySet policies) {
    const int32_t victim = flow_.ValueOf(need.name);
    const bool planned = flow_.method.TensorOf(to)->planned;
    if (planned && obliger_.CountIfApart(index_, to, from)) return;
    Obligation o = AboutMethod(flow_.method, KindOf(w, need, to, from), w.instruction,
                               {victim, w.write.value});
    o.policies = policies;
    o.refuted = fmt::format("{} writes {} over v{}, which {} reads.",
                            Capital(InstructionText(flow_.method, w.instruction)),
                            ValueText(flow_.method, to), victim,
                            InstructionText(flow_.method, need.reader));
    if (!planned) {
      // One piece of the caller's memory: it is lost unless it is empty.
      o.goal = Equal(obliger_.BytesOf(index_, to).size, SizeExpr(0));
      return obliger_.Add(std::move(o));
    }
    o.goal = Disjoint(obliger_.BytesOf(index_, to), obliger_.BytesOf(index_, from));
    o.loss = Loss{.method = index_,
                  .written = w.write.value,
                  .written_in = to,
                  .wanted = victim,
                  .wanted_in = from,
                  .from = SinceWhen(need),
                  .until = TimeOf(need.until),
                  .reader = need.reader};
    obliger_.Add(std::move(o));
  }

  [[nodiscard]] static int32_t TimeOf(Point at) {
    return 2 * at.instruction + (at.step >= Step::kWrite ? 1 : 0);
  }

  [[nodiscard]] int32_t SinceWhen(const Need& need) const {
    if (need.made_here || need.block != 0) return TimeOf(need.from);
    const bool is_input =
        flow_.EndOfState(need.name) < 0 && flow_.roles.of[Index(need.name)] == Role::kInput;
    return is_input ? -1 : -2;
  }

  [[nodiscard]] std::string_view KindOf(const Written& w, const Need& need, int32_t to,
                                        int32_t from) const {
    const int32_t victim = flow_.ValueOf(need.name);
    const int32_t buffer = flow_.StateOf(victim);
    const int32_t stored = w.instruction < 0 ? -1 : flow_.StoredState(w.write);
    if (buffer >= 0 && buffer == stored) return rule::kEntryValueLost;
    if (buffer >= 0) return stored >= 0 ? rule::kSharedLayout : rule::kStateClobbered;
    if (!flow_.graph.straight() && moved_.contains(victim)) return rule::kRegionEscape;
    if (from != need.name) return rule::kAliasLifetime;
    const auto root = [&](int32_t v) { return flow_.aliases.root[Index(v)]; };
    const bool one_root = root(w.write.value) == root(victim);
    if (!w.write.is_out && !views_.contains(victim) && one_root) return rule::kInPlaceAlias;
    const bool brought = !flow_.method.TensorOf(to)->planned;
    if (brought || views_.contains(victim) || flow_.roles.usage[Index(victim)].written_in_place) {
      return rule::kAliasLifetime;
    }
    return IsOverOperand(w, to) ? rule::kInPlaceSingleUse : rule::kPlanOverlap;
  }

  [[nodiscard]] bool IsOverOperand(const Written& w, int32_t to) const {
    if (w.instruction < 0) return false;
    return std::ranges::any_of(flow_.effects.ReadsOf(Index(w.instruction)), [&](const Read& r) {
      return r.value != w.write.value && flow_.PlaceOf(r.value) == flow_.PlaceOf(to);
    });
  }

  Obliger& obliger_;
  int32_t index_;
  const MethodFlow flow_;
  const Needs& needs_;
  Holders holders_;
  std::set<std::pair<int32_t, int32_t>> fills_;  // name, instruction
  std::set<int32_t> moved_;                      // by a region's move, or from
  std::set<int32_t> views_;
  std::set<std::tuple<int32_t, int32_t, int32_t, int32_t>> known_;  // writer, name, their holders
  std::vector<int32_t> times_written_;                              // per value
  std::vector<int32_t> met_by_;  // per name: the value written once that met it last
};

}  // namespace

void ObligeInterference(Obliger& obliger, int32_t method) {
  Interference(obliger, method).Run();
}

}  // namespace pteproof::proofs

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "base/rule_names.h"
#include "meaning/same_elements.h"
#include "properties/proofs/facts/holders.h"
#include "properties/proofs/rules/rules.h"
#include "reference/op_schema.h"

namespace pteproof::proofs {
namespace {

class Operands {
 public:
  Operands(Obliger& obliger, int32_t method)
      : obliger_(obliger),
        index_(method),
        flow_(obliger.facts().MeaningAt(method).flow()),
        holders_(obliger.facts().MeaningAt(method)) {}

  void Run() {
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      const auto block = static_cast<size_t>(flow_.graph.block_of[static_cast<size_t>(i)]);
      if (!flow_.graph.blocks[block].reachable || meaning::IsSelfCopy(flow_, i)) continue;
      for (const Write& w : flow_.effects.WritesOf(static_cast<size_t>(i))) {
        for (const int32_t result : holders_.Of(w.value, {i, Step::kRead})) {
          for (const Read& r : ReadsAt(i)) Pair(i, r, w, result);
        }
      }
    }
  }

 private:
  [[nodiscard]] std::span<const Read> ReadsAt(int32_t i) const {
    return flow_.effects.ReadsOf(static_cast<size_t>(i));
  }

  void Pair(int32_t i, const Read& r, const Write& w, int32_t result) {
    for (const int32_t operand : holders_.Of(r.value, {i, Step::kRead})) {
      const Place& from = flow_.PlaceOf(operand);
      const Place& to = flow_.PlaceOf(result);
      const bool one_piece = operand == result && IsBrought(operand);
      if (!one_piece && (from.empty() || to.empty() || from.bank != to.bank)) continue;
      if (IsMeant(i, r, w, from == to)) continue;
      if (!known_.insert({i, operand, result}).second) continue;
      Obligation o = AboutMethod(flow_.method, rule::kInPlaceAlias, i, {r.value, w.value});
      if (one_piece) {
        o.goal = None(1);
        o.refuted = fmt::format("{} reads {} and writes the same memory.",
                                Capital(InstructionText(flow_.method, i)),
                                ValueText(flow_.method, operand));
        obliger_.Add(std::move(o));
        continue;
      }
      o.goal = Disjoint(obliger_.BytesOf(index_, operand), obliger_.BytesOf(index_, result));
      o.refuted = fmt::format("{} reads {} and writes {} over some of these bytes.",
                              Capital(InstructionText(flow_.method, i)),
                              ValueText(flow_.method, operand), ValueText(flow_.method, result));
      // It goes on reading while it writes.
      o.loss = Loss{.method = index_,
                    .written = w.value,
                    .written_in = result,
                    .wanted = r.value,
                    .wanted_in = operand,
                    .from = 2 * i,
                    .until = 2 * i + 2,
                    .reader = i};
      obliger_.Add(std::move(o));
    }
  }

  // Memory of the caller's, a piece of its own for each value.
  [[nodiscard]] bool IsBrought(int32_t v) const {
    const Tensor* tensor = flow_.method.TensorOf(v);
    return !tensor->planned && tensor->nbytes > 0 &&
           flow_.roles.of[static_cast<size_t>(v)] != Role::kConstant;
  }

  // An updated operand is read as itself. An elementwise operator reads element i only before it
  // writes element i.
  [[nodiscard]] bool IsMeant(int32_t i, const Read& r, const Write& w, bool one_place) const {
    if (r.value == w.value && w.access == Access::kUpdate) return IsReadOnce(i, r);
    return one_place && meaning::GoesElementByElement(flow_.method, r, w.value);
  }

  // Beside the update itself, by nobody who does not go element by element.
  [[nodiscard]] bool IsReadOnce(int32_t i, const Read& r) const {
    int others = -1;
    for (const Read& other : ReadsAt(i)) {
      if (other.value == r.value && !other.elementwise) ++others;
    }
    return others <= 0;
  }

  Obliger& obliger_;
  int32_t index_;
  const MethodFlow flow_;
  Holders holders_;
  std::set<std::tuple<int32_t, int32_t, int32_t>> known_;  // instruction, operand, result
};

}  // namespace

void ObligeOperands(Obliger& obliger, int32_t method) {
  Operands(obliger, method).Run();
}

}  // namespace pteproof::proofs

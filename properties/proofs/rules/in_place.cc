#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/rule_names.h"
#include "properties/proofs/facts/holders.h"
#include "properties/proofs/facts/shape.h"
#include "properties/proofs/rules/rules.h"
#include "reference/op_schema.h"

namespace pteproof::proofs {
namespace {

class Operands {
 public:
  Operands(Obliger& obliger, int32_t method)
      : obliger_(obliger),
        index_(method),
        facts_(obliger.facts().FactsAt(method)),
        method_(*facts_.method),
        holders_(facts_.names.takes, facts_.paths) {}

  void Run() {
    for (int32_t i = 0; i < facts_.instruction_count(); ++i) {
      if (!facts_.paths.IsReached(i)) continue;
      CountConstants(i);
      if (!facts_.IsSelfCopy(i)) Instruction(i);
    }
    for (const Take& take : facts_.listing.takes) {
      if (take.at.step == Step::kReturn) Returned(take);
    }
    Obligation o = AboutMethod(method_, rule::kInPlaceAlias, -1, {});
    o.goal = None(constants_written_);
    o.refuted = "An instruction writes a value that the file holds as a constant.";
    obliger_.Add(std::move(o));
  }

 private:
  // Each later call would start from the changed constant, if the file is not mapped read-only.
  void CountConstants(int32_t i) {
    for (const WriteEvent& w : facts_.listing.WritesAt(i)) {
      for (const int32_t holder : holders_.Of(w.value, {i, Step::kRead})) {
        if (facts_.parts.Of(holder) == Part::kConstant) ++constants_written_;
      }
    }
  }

  void Instruction(int32_t i) {
    for (const WriteEvent& w : facts_.listing.WritesAt(i)) {
      for (const int32_t result : holders_.Of(w.value, {i, Step::kRead})) {
        for (const ReadEvent& r : facts_.listing.ReadsAt(i)) Pair(r, w, result);
      }
    }
  }

  void Pair(const ReadEvent& r, const WriteEvent& w, int32_t result) {
    for (const int32_t operand : holders_.Of(r.value, {r.instruction, Step::kRead})) {
      const Extent from = ExtentOf(method_, operand);
      const Extent to = ExtentOf(method_, result);
      const bool one_piece = operand == result && IsBrought(operand);
      if (!one_piece && (from.empty() || to.empty() || from.bank != to.bank)) continue;
      if (IsMeant(r, w, from == to)) continue;
      if (!known_.insert({r.instruction, operand, result}).second) continue;
      if (one_piece) {
        CountPiece(r, w, operand);
        continue;
      }
      Obligation o = AboutMethod(method_, rule::kInPlaceAlias, r.instruction, {r.value, w.value});
      o.goal = Disjoint(obliger_.BytesOf(index_, operand), obliger_.BytesOf(index_, result));
      o.refuted = fmt::format("{} reads {} and writes {} over some of these bytes.",
                              Capital(InstructionText(method_, r.instruction)),
                              ValueText(method_, operand), ValueText(method_, result));
      // It goes on reading while it writes.
      o.loss = Loss{.writer = index_,
                    .written = w.value,
                    .written_in = result,
                    .keeper = index_,
                    .wanted = r.value,
                    .wanted_in = operand,
                    .from = 2 * r.instruction,
                    .until = 2 * r.instruction + 2,
                    .reader = r.instruction};
      obliger_.Add(std::move(o));
    }
  }

  // Memory of the caller's, a piece of its own for each value.
  [[nodiscard]] bool IsBrought(int32_t v) const {
    const Tensor* tensor = method_.TensorOf(v);
    return !tensor->planned && tensor->nbytes > 0 && facts_.parts.Of(v) != Part::kConstant;
  }

  // Read and written by one instruction, whatever the plan says.
  void CountPiece(const ReadEvent& r, const WriteEvent& w, int32_t piece) {
    Obligation o = AboutMethod(method_, rule::kInPlaceAlias, r.instruction, {r.value, w.value});
    o.goal = None(1);
    o.refuted =
        fmt::format("{} reads {} and writes the same memory.",
                    Capital(InstructionText(method_, r.instruction)), ValueText(method_, piece));
    obliger_.Add(std::move(o));
  }

  // An updated operand is read as itself. An elementwise operator reads element i only before it
  // writes element i.
  [[nodiscard]] bool IsMeant(const ReadEvent& r, const WriteEvent& w, bool one_place) const {
    if (r.value == w.value && w.access == Access::kUpdate) return IsReadOnce(r);
    return one_place && r.elementwise && LieElementOnElement(method_, r.value, w.value);
  }

  // Beside the update itself, by nobody who does not go element by element.
  [[nodiscard]] bool IsReadOnce(const ReadEvent& r) const {
    int others = -1;
    for (const ReadEvent& other : facts_.listing.ReadsAt(r.instruction)) {
      if (other.value == r.value && !other.elementwise) ++others;
    }
    return others <= 0;
  }

  void Returned(const Take& take) {
    const Tensor& slot = *method_.TensorOf(take.to);
    const bool told = slot.name.count > 0 || slot.data_index > 0 || slot.external;
    const int32_t buffer = told ? facts_.parts.BufferOf(take.to) : -1;
    const bool elsewhere = ExtentOf(method_, take.to) != ExtentOf(method_, take.from.front());
    if (buffer >= 0 && buffer != facts_.parts.BufferOf(take.from.front()) && elsewhere) {
      Obligation o = AboutMethod(method_, rule::kInPlacePassThrough, take.at.instruction,
                                 {take.to, take.from.front()});
      o.goal = None(1);
      o.refuted = fmt::format("{} returns buffer {} and writes {} at another place.",
                              Capital(InstructionText(method_, take.at.instruction)),
                              ValueText(method_, take.to), ValueText(method_, take.from.front()));
      obliger_.Add(std::move(o));
      return;
    }
    const Touched& touched = facts_.parts.TouchedOf(take.to);
    if (!touched.output && touched.first_read < 0) return;
    const Tensor& to = *method_.TensorOf(take.to);
    const Tensor& from = *method_.TensorOf(take.from.front());
    const int other_form = to.dtype != from.dtype || !HaveOneShape(method_, to, from) ? 1 : 0;
    Obligation o = AboutMethod(method_, rule::kInPlacePassThrough, take.at.instruction,
                               {take.to, take.from.front()});
    // Wherever its own place is, it names the bytes that are written: their readers must fit.
    o.goal = None(other_form);
    o.refuted = fmt::format("{} returns {} and writes {}. The two differ in type or shape.",
                            Capital(InstructionText(method_, take.at.instruction)),
                            ValueText(method_, take.to), ValueText(method_, take.from.front()));
    obliger_.Add(std::move(o));
  }

  Obliger& obliger_;
  int32_t index_;
  const MethodFacts& facts_;
  const Method& method_;
  Holders holders_;
  std::set<std::tuple<int32_t, int32_t, int32_t>> known_;  // instruction, operand, result
  int64_t constants_written_ = 0;
};

}  // namespace

void ObligeOperands(Obliger& obliger, int32_t method) {
  Operands(obliger, method).Run();
}

}  // namespace pteproof::proofs

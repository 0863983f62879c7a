#include "properties/checks/operands.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/rule_names.h"
#include "properties/checks/wording.h"

namespace pteproof::checks {
namespace {

bool SameShape(const Method& method, const Tensor& a, const Tensor& b) {
  return std::ranges::equal(method.Ints(a.sizes), method.Ints(b.sizes)) &&
         std::ranges::equal(method.Ints(a.dim_order), method.Ints(b.dim_order));
}

bool IsRowMajor(const Method& method, const Tensor& tensor) {
  return std::ranges::is_sorted(method.Ints(tensor.dim_order));
}

Place Common(const Place& a, const Place& b) {
  return {a.bank, std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

bool IsCopy(const Method& method, int32_t i) {
  const Instruction& at = method.instructions[static_cast<size_t>(i)];
  return at.kind == InstructionKind::kKernelCall &&
         method.operators[static_cast<size_t>(at.target)].name == "aten::copy_";
}

class OperandCheck {
 public:
  explicit OperandCheck(const MethodFlow& flow) : flow_(flow) {}

  std::vector<Finding> Run() && {
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      if (!flow_.graph.blocks[static_cast<size_t>(flow_.graph.block_of[static_cast<size_t>(i)])]
               .reachable)
        continue;
      if (IsSelfCopy(flow_, i)) {
        TellSelfCopy(i);
        continue;
      }
      Operands(i);
      ConstantResults(i);
    }
    ReturnedNames();
    return std::move(findings_);
  }

 private:
  // Results sorted by place, so that each operand meets its few by a search.
  void Operands(int32_t i) {
    const auto writes = flow_.effects.WritesOf(static_cast<size_t>(i));
    results_.clear();
    for (const Write& w : writes) {
      if (!flow_.PlaceOf(w.value).empty()) results_.push_back(w);
    }
    if (results_.empty()) return;
    const auto place = [&](const Write& w) {
      return std::pair(flow_.PlaceOf(w.value).bank, flow_.PlaceOf(w.value).lo);
    };
    if (results_.size() > 1) std::ranges::sort(results_, {}, place);
    for (const Read& r : flow_.effects.ReadsOf(static_cast<size_t>(i))) {
      const Place& operand = flow_.PlaceOf(r.value);
      if (operand.empty()) continue;
      auto it = std::ranges::lower_bound(results_, std::pair(operand.bank, operand.hi), {}, place);
      while (it != results_.begin()) {
        --it;
        if (!flow_.PlaceOf(it->value).Meets(operand)) break;
        if (!IsMeant(i, r, *it)) TellOverlap(i, r.value, it->value);
      }
    }
  }

  bool IsMeant(int32_t i, const Read& operand, const Write& result) const {
    // The old bytes of an updated operand are its own.
    if (operand.value == result.value) {
      return result.access == Access::kUpdate && ReadOnceAs(i, operand.value);
    }
    return flow_.PlaceOf(operand.value) == flow_.PlaceOf(result.value) &&
           GoesElementByElement(flow_.method, operand, result.value);
  }

  // An in-place operator reads its destination; the same value as a further operand is read again,
  // later than parts of it are overwritten.
  bool ReadOnceAs(int32_t i, int32_t value) const {
    const auto reads = flow_.effects.ReadsOf(static_cast<size_t>(i));
    const auto times =
        std::ranges::count_if(reads, [&](const Read& r) { return r.value == value; });
    const bool all_elementwise = std::ranges::all_of(
        reads, [&](const Read& r) { return r.value != value || r.elementwise; });
    return times <= 1 || all_elementwise || times - 1 == ElementwiseReads(reads, value);
  }

  static int64_t ElementwiseReads(std::span<const Read> reads, int32_t value) {
    return std::ranges::count_if(reads,
                                 [&](const Read& r) { return r.value == value && r.elementwise; });
  }

  void TellOverlap(int32_t i, int32_t operand, int32_t result) {
    const Place bytes = Common(flow_.PlaceOf(operand), flow_.PlaceOf(result));
    Finding finding =
        FindingAt(rule::kInPlaceAlias, Severity::kError, flow_.method, i, {operand, result}, bytes);
    finding.story = fmt::format(
        "{} reads {}\nand writes {} over the same bytes while it reads.\n"
        "The operator does not go element by element there, so it reads elements that it has "
        "overwritten.",
        InstructionWords(flow_.method, i), ValueWords(flow_.method, operand),
        ValueWords(flow_.method, result));
    findings_.push_back(std::move(finding));
  }

  void ConstantResults(int32_t i) {
    for (const Write& w : flow_.effects.WritesOf(static_cast<size_t>(i))) {
      if (flow_.roles.of[static_cast<size_t>(w.value)] != Role::kConstant) continue;
      Finding finding =
          FindingAt(rule::kInPlaceAlias, Severity::kError, flow_.method, i, {w.value}, {});
      finding.story = fmt::format(
          "{} writes {}, which the file holds as a constant.\n"
          "Each later call starts from the changed constant; where the file is mapped read-only, "
          "the process "
          "ends.\nCopy the constant before it is updated.",
          InstructionWords(flow_.method, i), ValueWords(flow_.method, w.value));
      findings_.push_back(std::move(finding));
    }
  }

  void TellSelfCopy(int32_t i) {
    const int32_t v = flow_.effects.WritesOf(static_cast<size_t>(i)).front().value;
    Finding finding =
        FindingAt(rule::kSelfCopy, Severity::kWarning, flow_.method, i, {v}, flow_.PlaceOf(v));
    finding.story = fmt::format(
        "{} stores {} onto itself.\nNo sound export does that: a store that was meant for "
        "something else may be "
        "lost.",
        InstructionWords(flow_.method, i), ValueWords(flow_.method, v));
    findings_.push_back(std::move(finding));
  }

  // The returned name of a written argument stands for that argument: same bytes, same shape.
  void ReturnedNames() {
    for (const Rename& r : flow_.effects.renames) {
      if (!r.after_write) continue;
      const Tensor& to = *flow_.method.TensorOf(r.to);
      const Tensor& from = *flow_.method.TensorOf(r.from);
      const bool same_bytes =
          flow_.PlaceOf(r.to) == flow_.PlaceOf(r.from) && to.dtype == from.dtype;
      if (same_bytes && SameShape(flow_.method, to, from)) continue;
      if (!flow_.roles.usage[static_cast<size_t>(r.to)].is_output &&
          flow_.roles.usage[static_cast<size_t>(r.to)].first_read < 0) {
        continue;
      }
      Finding finding = FindingAt(rule::kInPlacePassThrough, Severity::kError, flow_.method,
                                  r.instruction, {r.to, r.from}, flow_.PlaceOf(r.to));
      finding.story = fmt::format(
          "{} returns {}\nas its result, but writes {}.\nThe result must be the written operand "
          "itself: same "
          "bytes, same type, same shape.",
          InstructionWords(flow_.method, r.instruction), ValueWords(flow_.method, r.to),
          ValueWords(flow_.method, r.from));
      findings_.push_back(std::move(finding));
    }
  }

  const MethodFlow& flow_;
  std::vector<Write> results_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckOperands(const MethodFlow& flow) {
  return OperandCheck(flow).Run();
}

bool GoesElementByElement(const Method& method, const Read& operand, int32_t result) {
  if (!operand.elementwise) return false;
  const Tensor& from = *method.TensorOf(operand.value);
  const Tensor& to = *method.TensorOf(result);
  if (from.nbytes != to.nbytes || ElementSize(from.dtype) != ElementSize(to.dtype)) return false;
  return SameShape(method, from, to) || (IsRowMajor(method, from) && IsRowMajor(method, to));
}

bool IsSelfCopy(const MethodFlow& flow, int32_t i) {
  if (!IsCopy(flow.method, i)) return false;
  const auto reads = flow.effects.ReadsOf(static_cast<size_t>(i));
  const auto writes = flow.effects.WritesOf(static_cast<size_t>(i));
  if (reads.size() != 1 || writes.size() != 1) return false;
  const int32_t from = reads.front().value;
  const int32_t to = writes.front().value;
  if (from == to) return true;
  return !flow.PlaceOf(from).empty() && flow.PlaceOf(from) == flow.PlaceOf(to) &&
         GoesElementByElement(flow.method, {from, true}, to);
}

}  // namespace pteproof::checks

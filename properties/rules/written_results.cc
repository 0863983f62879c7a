// What an instruction writes, wherever it lies: a store to a constant, a store of a value onto
// itself, an in-place result that is not its operand.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/rules/method_rules.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

class ResultCheck {
 public:
  explicit ResultCheck(const MethodMeaning& method) : flow_(method.flow()), moved_(method.moved) {}

  std::vector<Finding> Run() && {
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      const auto block = static_cast<size_t>(flow_.graph.block_of[static_cast<size_t>(i)]);
      if (!flow_.graph.blocks[block].reachable) continue;
      ConstantResults(i);
      if (IsSelfCopy(flow_, i)) TellSelfCopy(i);
    }
    ReturnedNames();
    return std::move(findings_);
  }

 private:
  void ConstantResults(int32_t i) {
    for (const Write& w : flow_.effects.WritesOf(static_cast<size_t>(i))) {
      const int32_t constant = ConstantUnder(i, w.value);
      if (constant < 0) continue;
      Finding finding =
          FindingAt(rule::kInPlaceAlias, Severity::kError, flow_.method, i, {constant}, {});
      finding.explanation = fmt::format(
          "{} writes {}.\nThe file holds that value as a constant.\n"
          "Every later call reads the changed constant. If the file is mapped read-only, the write "
          "ends the process.",
          Capital(InstructionWords(flow_.method, i)), ValueWords(flow_.method, constant));
      finding.fix = "Copy the constant in the model before it is updated.";
      findings_.push_back(std::move(finding));
    }
  }

  // The constant that a value is, unless something was moved to it, or that was; -1: none.
  int32_t ConstantUnder(int32_t i, int32_t v) const {
    const auto is_constant = [&](int32_t holder) {
      return flow_.roles.of[static_cast<size_t>(holder)] == Role::kConstant;
    };
    auto at = std::ranges::lower_bound(moved_, MovedPlace{i, v, 0});
    const bool is_moved = at != moved_.end() && at->instruction == i && at->value == v;
    if (!is_moved) return is_constant(v) ? v : -1;
    for (; at != moved_.end() && at->instruction == i && at->value == v; ++at) {
      if (is_constant(at->holder)) return at->holder;
    }
    return -1;
  }

  [[gnu::cold]] void TellSelfCopy(int32_t i) {
    const int32_t v = flow_.effects.WritesOf(static_cast<size_t>(i)).front().value;
    Finding finding =
        FindingAt(rule::kSelfCopy, Severity::kWarning, flow_.method, i, {v}, flow_.PlaceOf(v));
    const bool is_input = flow_.roles.of[static_cast<size_t>(v)] == Role::kInput;
    const bool is_view = flow_.effects.ReadsOf(static_cast<size_t>(i)).front().value != v;
    const std::string_view meaning =
        is_view    ? "If the model stores a view of it back to it, that is right.\n"
                     "Otherwise a store that was meant for another value is lost."
        : is_input ? "A sound export has no such store.\n"
                     "A store that was meant for another value may be lost."
                   : "A sound export has no such store.\n"
                     "If a store of the model is lost, later calls read an old value.";
    finding.explanation =
        fmt::format("{} stores {} onto itself.\n{}", Capital(InstructionWords(flow_.method, i)),
                    ValueWords(flow_.method, v), meaning);
    finding.fix =
        is_input ? "Rename the argument if it has the name of a buffer, and export again; else "
                   "state the stores in a manifest."
                 : "Compare a run with the model, or state the stores in a manifest.";
    findings_.push_back(std::move(finding));
  }

  // The returned name of a written argument stands for that argument, wherever its own place is:
  // kernels put the argument into the return slot. Its readers were planned for its own type and
  // shape.
  void ReturnedNames() {
    for (const Rename& r : flow_.effects.renames) {
      if (!r.after_write) continue;
      const Tensor& to = *flow_.method.TensorOf(r.to);
      const Tensor& from = *flow_.method.TensorOf(r.from);
      if (IsOtherBuffer(r)) {
        TellBuffer(r);
        continue;
      }
      if (to.dtype == from.dtype && SameShape(flow_.method, to, from)) continue;
      if (!flow_.roles.usage[static_cast<size_t>(r.to)].is_output &&
          flow_.roles.usage[static_cast<size_t>(r.to)].first_read < 0) {
        continue;
      }
      Finding finding = FindingAt(rule::kInPlacePassThrough, Severity::kError, flow_.method,
                                  r.instruction, {r.to, r.from}, flow_.PlaceOf(r.to));
      finding.explanation = fmt::format(
          "{} returns {} as its result.\n"
          "The operand that it writes, and that takes the place of the result, is {}.\n"
          "The two differ in type or shape, so readers of the result get a wrong value.",
          Capital(InstructionWords(flow_.method, r.instruction)), ValueWords(flow_.method, r.to),
          ValueWords(flow_.method, r.from));
      finding.fix = "Return the written operand itself, with its type and shape.";
      findings_.push_back(std::move(finding));
    }
  }

  // A buffer in the return slot of a store to something else, at another place: the call takes the
  // buffer's value away, and stores nothing to its bytes.
  [[nodiscard]] bool IsOtherBuffer(const Rename& r) const {
    const int32_t buffer = flow_.StateOf(r.to);
    const Tensor& slot = *flow_.method.TensorOf(r.to);
    const bool is_told = slot.name.count > 0 || slot.data_index > 0 || slot.external;
    return is_told && buffer >= 0 && buffer != flow_.StateOf(r.from) &&
           flow_.PlaceOf(r.to) != flow_.PlaceOf(r.from);
  }

  void TellBuffer(const Rename& r) {
    Finding finding = FindingAt(rule::kInPlacePassThrough, Severity::kError, flow_.method,
                                r.instruction, {r.to, r.from}, flow_.PlaceOf(r.to));
    finding.explanation = fmt::format(
        "{} returns {} as its result, which is a buffer.\n"
        "It writes {}, which then takes the place of the result, and nothing is stored to the "
        "buffer's bytes.\n"
        "Later readers of the buffer get another value.",
        Capital(InstructionWords(flow_.method, r.instruction)), ValueWords(flow_.method, r.to),
        ValueWords(flow_.method, r.from));
    finding.fix = "Return the written operand itself, and store to the buffer by aten::copy_.";
    findings_.push_back(std::move(finding));
  }

  const MethodFlow flow_;
  std::span<const MovedPlace> moved_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckResults(const MethodMeaning& meant) {
  return ResultCheck(meant).Run();
}

}  // namespace pteproof::checks

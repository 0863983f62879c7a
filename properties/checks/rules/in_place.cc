#include "properties/checks/rules/in_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <ranges>
#include <set>
#include <tuple>

#include "base/rule_names.h"
#include "properties/checks/facts/place_search.h"
#include "properties/checks/flow/same_elements.h"
#include "properties/checks/rules/wording.h"
#include "reference/op_schema.h"

namespace pteproof::checks {
namespace {

class OperandCheck {
 public:
  OperandCheck(const MethodFlow& flow, std::span<const MovedPlace> moved)
      : flow_(flow), moved_(moved) {}

  std::vector<Finding> Run() && {
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      if (!flow_.graph.blocks[static_cast<size_t>(flow_.graph.block_of[static_cast<size_t>(i)])]
               .reachable)
        continue;
      ConstantResults(i);
      if (IsSelfCopy(flow_, i)) {
        TellSelfCopy(i);
      } else {
        Operands(i);
      }
    }
    ReturnedNames();
    return std::move(findings_);
  }

 private:
  struct Result {
    Write write;
    Place place;
  };
  static constexpr size_t kFewResults = 8;  // nearly always one
  static constexpr uint32_t kNoBank = std::numeric_limits<uint32_t>::max();

  // Results may lie over each other: each operand meets its few by a search.
  void Operands(int32_t i) {
    results_.things.clear();
    told_.clear();
    for (const Write& w : flow_.effects.WritesOf(static_cast<size_t>(i))) {
      ForEachPlace(i, w.value, [&](const Place& place) { results_.things.push_back({w, place}); });
    }
    if (results_.things.empty()) return;
    const bool many = results_.things.size() > kFewResults;
    if (many) results_.Finish();
    for (const Read& r : flow_.effects.ReadsOf(static_cast<size_t>(i))) {
      ForEachPlace(i, r.value, [&](const Place& operand) {
        const auto look = [&](const Result& result) {
          if (!IsMeant(i, r, operand, result)) TellOverlap(i, r.value, operand, result);
          return false;  // at the next one, too
        };
        if (many) {
          results_.Find(operand, look);
          return;
        }
        for (const Result& result : results_.things) {
          if (result.place.Meets(operand)) look(result);
        }
      });
    }
  }

  // Memory of the caller is a piece of its own per value: in no bank, under the number of the
  // value.
  [[nodiscard]] Place BytesOf(int32_t v) const {
    const Tensor* tensor = flow_.method.TensorOf(v);
    const bool brought = tensor != nullptr && !tensor->planned && tensor->nbytes > 0 &&
                         flow_.roles.of[static_cast<size_t>(v)] != Role::kConstant;
    if (!brought) return flow_.PlaceOf(v);
    return {kNoBank, static_cast<uint64_t>(v), static_cast<uint64_t>(v) + 1};
  }

  // The place of a value at an instruction: its own bytes, or those of the values that were moved
  // to it.
  template <class Each>
  void ForEachPlace(int32_t i, int32_t v, Each each) const {
    auto at = std::ranges::lower_bound(moved_, MovedPlace{i, v, 0});
    if (at == moved_.end() || at->instruction != i || at->value != v) {
      if (!BytesOf(v).empty()) each(BytesOf(v));
      return;
    }
    for (; at != moved_.end() && at->instruction == i && at->value == v; ++at) {
      if (!BytesOf(at->holder).empty()) each(BytesOf(at->holder));
    }
  }

  bool IsMeant(int32_t i, const Read& operand, const Place& place, const Result& result) const {
    // The old bytes of an updated operand are its own.
    if (operand.value == result.write.value && result.write.access == Access::kUpdate) {
      return ReadOnceAs(i, operand.value);
    }
    return place == result.place && GoesElementByElement(flow_.method, operand, result.write.value);
  }

  // An in-place operator reads its destination; the same value as a further operand is read again,
  // later than parts of it are overwritten, unless the operator goes element by element.
  bool ReadOnceAs(int32_t i, int32_t value) const {
    const auto reads = flow_.effects.ReadsOf(static_cast<size_t>(i));
    const auto times = std::ranges::count(reads, value, &Read::value);
    const auto elementwise = std::ranges::count_if(
        reads, [&](const Read& r) { return r.value == value && r.elementwise; });
    return times == elementwise + 1;
  }

  // An operand that is read twice, as itself and as the updated value, is reported once.
  [[gnu::cold]] void TellOverlap(int32_t i, int32_t operand, const Place& place,
                                 const Result& result) {
    const int32_t written = result.write.value;
    Place common = Common(place, result.place);
    if (!told_.insert({operand, written, common.lo}).second) return;
    if (common.bank == kNoBank) common = {};
    Finding finding = FindingAt(rule::kInPlaceAlias, Severity::kError, flow_.method, i,
                                {operand, written}, common);
    finding.explanation = fmt::format(
        "{} reads {}.\nThe same instruction writes {} to some of these bytes.\n"
        "It reads bytes that it has already overwritten, so its result is wrong.",
        Capital(InstructionWords(flow_.method, i)), ValueWords(flow_.method, operand),
        ValueWords(flow_.method, written));
    finding.fix = "Give the result bytes of its own.";
    findings_.push_back(std::move(finding));
  }

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

  const MethodFlow& flow_;
  std::span<const MovedPlace> moved_;
  PlaceSearch<Result> results_;
  std::set<std::tuple<int32_t, int32_t, uint64_t>>
      told_;  // of one instruction: operand, result, first byte
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckOperands(const MethodFlow& flow, std::span<const MovedPlace> moved) {
  return OperandCheck(flow, moved).Run();
}

}  // namespace pteproof::checks

#include "properties/checks/in_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <ranges>
#include <set>
#include <tuple>

#include "base/rule_names.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"
#include "reference/op_schema.h"

namespace pteproof::checks {
namespace {

class OperandCheck {
 public:
  explicit OperandCheck(const MethodMeaning& method) : flow_(method.flow()), moved_(method.moved) {}

  std::vector<Finding> Run() && {
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      if (!flow_.graph.blocks[static_cast<size_t>(flow_.graph.block_of[static_cast<size_t>(i)])]
               .reachable)
        continue;
      if (!IsSelfCopy(flow_, i)) Operands(i);
    }
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

  const MethodFlow flow_;
  std::span<const MovedPlace> moved_;
  PlaceSearch<Result> results_;
  std::set<std::tuple<int32_t, int32_t, uint64_t>>
      told_;  // of one instruction: operand, result, first byte
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckOperands(const MethodMeaning& method) {
  return OperandCheck(method).Run();
}

}  // namespace pteproof::checks

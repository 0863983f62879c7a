// Idea: the kernel of an update in place takes the call. What it needs are numbers of the file, so
// that an obligation counts what stands in the way: indices too many or too few, dimensions of the
// index, sizes of the values that are not the needed ones, numbers of a constant index outside of
// the dimension. What varies, or what a move gives another meaning, counts as nothing.
//
// Invariant: one obligation for each call that a path reaches. Cost: O(arguments + elements of
// constant indices).
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <span>
#include <vector>

#include "base/rule_names.h"
#include "properties/proofs/rules/obliger.h"
#include "properties/proofs/rules/rules.h"

namespace pteproof::proofs {
namespace {

// What instructions store to: a value in the set may be another one than the file says.
struct Restated {
  std::set<int32_t> by_moves;
  std::set<int32_t> by_calls;
};

Restated RestatedIn(const Method& method) {
  Restated restated;
  for (const Instruction& step : method.instructions) {
    const auto args = method.Ints(step.args);
    if (step.kind == InstructionKind::kMove) {
      restated.by_moves.insert(step.other);
    } else if (step.kind == InstructionKind::kKernelCall && !args.empty()) {
      restated.by_calls.insert(args.back());
    }
  }
  return restated;
}

// A tensor as far as the file tells of it at run time.
struct Shown {
  const Tensor* tensor = nullptr;  // null: nothing
  std::span<const int32_t> sizes;
  bool fixed = false;  // its sizes are these

  [[nodiscard]] int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
};

Shown ShownAs(const Method& method, int32_t v, const Restated& restated) {
  if (v < 0 || restated.by_moves.contains(v)) return {};
  const Tensor* tensor = method.TensorOf(v);
  if (tensor == nullptr) return {};
  return {tensor, method.Ints(tensor->sizes), tensor->dynamism == Dynamism::kStatic};
}

template <typename T>
int64_t OutsideIn(Bytes blob, size_t count, int64_t size) {
  int64_t outside = 0;
  for (size_t k = 0; k < count; ++k) {
    T number = 0;
    std::memcpy(&number, &blob[k * sizeof(T)], sizeof(T));
    if (number < 0 || static_cast<int64_t>(number) >= size) ++outside;
  }
  return outside;
}

int64_t NumbersOutside(const Program& program, const Shown& index, int64_t size) {
  const Tensor& t = *index.tensor;
  const bool constant = t.data_index > 0 && !t.planned && !t.external;
  if (!constant || t.data_index >= program.constants.size()) return 0;
  const Bytes blob = program.constants[t.data_index];
  if (blob.size() < t.nbytes) return 0;
  return t.dtype == ScalarType::kInt64 ? OutsideIn<int64_t>(blob, t.nbytes / sizeof(int64_t), size)
                                       : OutsideIn<int32_t>(blob, t.nbytes / sizeof(int32_t), size);
}

// The operands of a call, and what about them the kernel does not take.
class PutDemands {
 public:
  PutDemands(const Program& program, const Method& method, const Restated& restated)
      : program_(program), method_(method), restated_(restated) {}

  [[nodiscard]] int64_t Unmet(const Instruction& call) const {
    const auto args = method_.Ints(call.args);
    if (args.size() < 4 || args[0] < 0 || args[1] < 0 || args[2] < 0 || args[3] < 0) return 0;
    return FlagSet(args[3]) + UnmetByIndices(args[0], args[1], args[2]);
  }

 private:
  [[nodiscard]] int64_t FlagSet(int32_t v) const {
    const Value& flag = method_.values[static_cast<size_t>(v)];
    if (restated_.by_moves.contains(v) || restated_.by_calls.contains(v)) return 0;
    return flag.kind == ValueKind::kBool && flag.integer != 0 ? 1 : 0;
  }

  [[nodiscard]] int64_t UnmetByIndices(int32_t target, int32_t list, int32_t rows) const {
    const Value& value = method_.values[static_cast<size_t>(list)];
    const bool lists =
        value.kind == ValueKind::kTensorList || value.kind == ValueKind::kOptionalTensorList;
    if (!lists || restated_.by_moves.contains(list)) return 0;
    int64_t given = 0;
    size_t dim = 0;
    const auto items = method_.Ints(value.items);
    for (size_t d = 0; d < items.size(); ++d) {
      if (items[d] < 0) continue;
      ++given;
      dim = d;
    }
    if (given != 1) return std::abs(given - 1);
    const Shown index = ShownAs(method_, items[dim], restated_);
    const Shown into = ShownAs(method_, target, restated_);
    const int64_t by_index = UnmetByIndex(index);
    if (by_index > 0 || into.tensor == nullptr || dim >= into.sizes.size()) return by_index;
    const bool counted = index.tensor != nullptr && into.fixed;
    const int64_t outside = counted ? NumbersOutside(program_, index, into.sizes[dim]) : 0;
    return outside + UnmetBySizes(into, index, ShownAs(method_, rows, restated_), dim);
  }

  static int64_t UnmetByIndex(const Shown& index) {
    if (index.tensor == nullptr) return 0;
    const ScalarType type = index.tensor->dtype;
    const int64_t mistyped = type == ScalarType::kInt64 || type == ScalarType::kInt32 ? 0 : 1;
    return mistyped + std::abs(index.rank() - 1);
  }

  static int64_t UnmetBySizes(const Shown& into, const Shown& index, const Shown& rows,
                              size_t dim) {
    if (rows.tensor == nullptr) return 0;
    if (rows.rank() != into.rank()) return std::abs(rows.rank() - into.rank());
    int64_t unlike = 0;
    for (size_t d = 0; d < rows.sizes.size(); ++d) {
      const Shown& other = d == dim ? index : into;
      if (other.tensor == nullptr || !other.fixed || !rows.fixed) continue;
      unlike += rows.sizes[d] == other.sizes[d == dim ? 0 : d] ? 0 : 1;
    }
    return unlike;
  }

  const Program& program_;
  const Method& method_;
  const Restated& restated_;
};

bool PutsInPlace(const Method& method, const Instruction& step) {
  if (step.kind != InstructionKind::kKernelCall) return false;
  const Operator& op = method.operators[static_cast<size_t>(step.target)];
  return op.schema != nullptr && op.name == "aten::index_put_";
}

}  // namespace

void ObligeTakenCalls(Obliger& obliger, int32_t method) {
  const MethodFacts& facts = obliger.facts().FactsAt(method);
  const Method& at = *facts.method;
  std::vector<int32_t> puts;
  for (int32_t i = 0; i < facts.instruction_count(); ++i) {
    const Instruction& step = at.instructions[static_cast<size_t>(i)];
    if (PutsInPlace(at, step) && facts.paths.IsReached(i)) puts.push_back(i);
  }
  if (puts.empty()) return;
  const Restated restated = RestatedIn(at);
  const PutDemands demands(*obliger.facts().program, at, restated);
  for (const int32_t i : puts) {
    Obligation o = AboutMethod(at, rule::kCallRefused, i, {});
    o.goal = None(demands.Unmet(at.instructions[static_cast<size_t>(i)]));
    o.refuted =
        fmt::format("{} is a call that the kernel refuses.", Capital(InstructionText(at, i)));
    obliger.Add(std::move(o));
  }
}

}  // namespace pteproof::proofs

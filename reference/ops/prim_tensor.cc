// Operators of the runtime on tensors: sizes and elements as numbers, the rows that a loop
// collects, views.
#include <algorithm>

#include "base/work.h"
#include "reference/evaluate.h"
#include "reference/ops/rows.h"
#include "reference/ops/type_rules.h"

namespace pteproof {
namespace {

using NumberOrFault = Result<ScalarResult, std::string>;
using MaybeSize = std::optional<SizeExpr>;

NumberOrFault SizeOfDimension(const Call& call) {
  const TensorValue& self = TensorAt(call, 0);
  const int64_t dim = IntAt(call, 1);
  if (dim < 0) return std::string("the dimension is negative, and is counted from 0 here");
  if (dim >= std::ssize(self.sizes)) return std::string("the dimension does not exist");
  return ScalarResult(self.sizes[static_cast<size_t>(dim)]);
}

MaybeSize SymbolicSize(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto number = ConstantAt(call, 1);
  if (!number || self.sizes.empty()) return std::nullopt;
  const auto dim = Dimension(*number, static_cast<int64_t>(self.rank()));
  return dim ? MaybeSize(self.sizes[static_cast<size_t>(*dim)]) : std::nullopt;
}

NumberOrFault CountOfElements(const Call& call) {
  return ScalarResult(ElementCount(TensorAt(call, 0)));
}

MaybeSize SymbolicCount(const TypeCall& call) {
  return Product(TensorAt(call, 0).sizes);
}

// As ExecuTorch's kernel does, which has no case for the others.
bool GivesANumber(ScalarType type) {
  switch (type) {
    case ScalarType::kUInt8:
    case ScalarType::kInt8:
    case ScalarType::kInt16:
    case ScalarType::kInt32:
    case ScalarType::kInt64:
    case ScalarType::kFloat32:
    case ScalarType::kFloat64:
    case ScalarType::kBool:
      return true;
    default:
      return false;
  }
}

NumberOrFault FirstElement(const Call& call) {
  const TensorValue& self = TensorAt(call, 0);
  if (ElementCount(self) == 0) return std::string("the tensor has no element");
  if (!GivesANumber(self.dtype)) {
    return "elements of " + std::string(Name(self.dtype)) + " are not read as numbers";
  }
  if (IsFloat(self.dtype)) return ScalarResult(RealAt(self, 0));
  if (self.dtype == ScalarType::kBool) return ScalarResult(IntAt(self, 0) != 0);
  return ScalarResult(IntAt(self, 0));
}

// Rows up to the index; all that copy_to may have when the index is not known yet.
Types CopyIndexTypes(const TypeCall& call) {
  TensorType result = TensorAt(call, 0);
  const TensorType& row = TensorAt(call, 1);
  if (result.rank() != row.rank() + 1 ||
      !std::equal(row.sizes.begin(), row.sizes.end(), result.sizes.begin() + 1)) {
    return std::string("copy_from is not a row of copy_to");
  }
  if (const auto index = ConstantAt(call, 2)) {
    if (*index < 0 || *index >= kMaxResultElements) {
      return std::string("the index is out of range");
    }
    result.sizes[0] = *index + 1;
  }
  return OneResult(std::move(result));
}

// Rows that copy_to does not have yet are zeros.
std::string RunCopyIndex(const Call& call, std::span<TensorValue> results) {
  const TensorValue& old = TensorAt(call, 0);
  const TensorValue& row = TensorAt(call, 1);
  const int64_t length = ElementCount(row);
  const int64_t kept = length * std::min(old.sizes[0], IntAt(call, 2));
  ForEachElement(kept, [&](int64_t i) { CopyElement(old, i, results[0], i); });
  ForEachElement(length,
                 [&](int64_t i) { CopyElement(row, i, results[0], length * IntAt(call, 2) + i); });
  return {};
}

// Whether the numbers of elements differ at all dims.
bool AreUnequal(const SizeExpr& a, const SizeExpr& b) {
  const auto gap = (a - b).Constant();
  return gap && *gap != 0;
}

// The sizes asked for; what is -1 follows from the others.
Types ViewTypes(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto asked = IntsAt(call, 1);
  SizeList sizes(asked.begin(), asked.end());
  SizeExpr rest(1);
  SizeExpr* deduced = nullptr;
  for (SizeExpr& size : sizes) {
    if (!size.Is(-1)) {
      if (size.Constant().value_or(0) < 0) return std::string("a size is negative");
      rest = rest * size;
      continue;
    }
    if (deduced != nullptr) return std::string("two sizes are -1");
    deduced = &size;
  }
  const SizeExpr count = Product(self.sizes);
  if (deduced != nullptr && rest.Is(0))
    return std::string("a size of -1 is ambiguous beside a size of 0");
  if (deduced != nullptr) *deduced = FloorDiv(count, rest);
  if (AreUnequal(Product(sizes), count)) return std::string("the number of elements differs");
  return OneResult(self.dtype, std::move(sizes));
}

std::string RunView(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  ForEachElement(ElementCount(self), [&](int64_t i) { CopyElement(self, i, results[0], i); });
  return {};
}

constexpr OpMeaning kPrimTensorMeanings[] = {
    {.name = "aten::sym_size.int", .scalar = SizeOfDimension, .scalar_rule = SymbolicSize},
    {.name = "aten::sym_numel", .scalar = CountOfElements, .scalar_rule = SymbolicCount},
    {.name = "aten::_local_scalar_dense", .scalar = FirstElement},
    Exact("executorch_prim::et_copy_index.tensor", CopyIndexTypes, RunCopyIndex),
    Exact("executorch_prim::et_view.default", ViewTypes, RunView),
};

}  // namespace

std::span<const OpMeaning> PrimTensorMeanings() {
  return kPrimTensorMeanings;
}

}  // namespace pteproof

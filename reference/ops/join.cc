// Operators that join tensors along a dimension, or take one apart.
#include <cstddef>
#include <utility>

#include "reference/ops/parts.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

// More results than any program lists; a file that asks for them is out of its mind.
constexpr int64_t kMostParts = int64_t{1} << 16;

// --- Apart.

// The dimension that operand i names, of a self that has dimensions.
std::optional<size_t> DimensionOfSelf(const TypeCall& call, size_t i) {
  const size_t rank = TensorAt(call, 0).rank();
  return rank == 0 ? std::nullopt : DimensionAt(call, i, rank);
}

// How many pieces of that size, the last of which may be smaller; one for a dimension of size 0.
std::optional<int64_t> PieceCount(const SizeExpr& size, const SizeExpr& piece) {
  if (piece.Constant().value_or(1) < 0) return std::nullopt;
  if (size.Is(0)) return 1;
  if (piece.Is(0)) return std::nullopt;
  if ((size - piece).Constant().value_or(1) <= 0) return 1;
  const bool even = Mod(size, piece).Is(0);
  return (even ? FloorDiv(size, piece) : CeilDiv(size, piece)).Constant();
}

Types SplitType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto dim = DimensionOfSelf(call, 2);
  if (!dim) return std::string(kNoDimension);
  const SizeExpr& size = self.sizes[*dim];
  const SizeExpr& piece = IntAt(call, 1);
  const auto count = PieceCount(size, piece);
  if (!count || *count < 1 || *count > kMostParts) {
    return std::string("the number of parts is out of range");
  }
  std::vector<TensorType> types(static_cast<size_t>(*count), self);
  for (TensorType& type : types) type.sizes[*dim] = piece;
  types.back().sizes[*dim] = size - piece * (*count - 1);
  return types;
}

Types SplitSizesType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto dim = DimensionOfSelf(call, 2);
  if (!dim) return std::string(kNoDimension);
  std::vector<TensorType> types;
  SizeExpr sum(0);
  for (const SizeExpr& size : IntsAt(call, 1)) {
    if (size.Constant().value_or(0) < 0) return std::string("a size is negative");
    types.push_back(self);
    types.back().sizes[*dim] = size;
    sum = sum + size;
  }
  if (!MayBeEqual(sum, self.sizes[*dim])) {
    return std::string("the parts together have another size than the dimension");
  }
  return types;
}

// The results lie one behind the other.
std::string Apart(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const size_t dim = DimensionIn(call, 2, self.sizes.size());
  int64_t start = 0;
  for (TensorValue& result : results) {
    Part part = WholeOf(self);
    Narrow(part, dim, start, result.sizes[dim]);
    start += result.sizes[dim];
    const std::string fault = ReadPart(self, std::move(part), result);
    if (!fault.empty()) return fault;
  }
  return {};
}

Types UnbindType(const TypeCall& call) {
  TensorType type = TensorAt(call, 0);
  const auto dim = DimensionOfSelf(call, 1);
  if (!dim) return std::string(kNoDimension);
  const auto count = type.sizes[*dim].Constant();
  if (!count || *count < 0 || *count > kMostParts) {
    return std::string("the number of parts is out of range");
  }
  type.sizes.erase(type.sizes.begin() + static_cast<std::ptrdiff_t>(*dim));
  return std::vector<TensorType>(static_cast<size_t>(*count), type);
}

std::string Unbind(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const size_t dim = DimensionIn(call, 1, self.sizes.size());
  for (size_t r = 0; r < results.size(); ++r) {
    Part part = WholeOf(self);
    Select(part, dim, static_cast<int64_t>(r));
    const std::string fault = ReadPart(self, std::move(part), results[r]);
    if (!fault.empty()) return fault;
  }
  return {};
}

// --- Together.

// An empty tensor of one dimension joins with anything, for what PyTorch once was.
bool IsSkipped(const TensorType& tensor) {
  return tensor.rank() == 1 && tensor.sizes[0].Is(0);
}
bool IsSkipped(const TensorValue& tensor) {
  return tensor.sizes.size() == 1 && tensor.sizes[0] == 0;
}

// The element type that all promote to; why there is none.
Result<ScalarType, std::string> CommonDtype(std::span<const TensorType* const> tensors) {
  if (tensors.empty() || tensors[0] == nullptr) return std::string("there is no tensor");
  ScalarType dtype = tensors[0]->dtype;
  for (const TensorType* tensor : tensors) {
    if (tensor == nullptr) return std::string("a tensor is missing");
    dtype = Promoted(dtype, tensor->dtype);
  }
  return dtype;
}

// Adds `more` to dimension `dim` of `sizes`, if the other dimensions are of the same sizes.
bool Append(SizeList& sizes, size_t dim, const SizeList& more) {
  if (sizes.size() != more.size()) return false;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (d != dim && !MayBeEqual(sizes[d], more[d])) return false;
  }
  sizes[dim] = sizes[dim] + more[dim];
  return true;
}

Types CatType(const TypeCall& call) {
  const auto tensors = TensorsAt(call, 0);
  const auto dtype = CommonDtype(tensors);
  if (!dtype.ok()) return dtype.error();
  const TensorType* first = tensors[0];
  for (const TensorType* tensor : tensors) {
    if (IsSkipped(*first)) first = tensor;
  }
  const auto dim = DimensionAt(call, 1, first->rank());
  if (!dim || first->sizes.empty()) return std::string(kNoDimension);
  SizeList sizes = first->sizes;
  sizes[*dim] = 0;
  for (const TensorType* tensor : tensors) {
    if (!IsSkipped(*tensor) && !Append(sizes, *dim, tensor->sizes)) {
      return std::string("the tensors differ in another dimension than the joined one");
    }
  }
  return OneResult(dtype.value(), std::move(sizes));
}

std::string Cat(const Call& call, std::span<TensorValue> results) {
  TensorValue& result = results[0];
  const size_t dim = DimensionIn(call, 1, result.sizes.size());
  int64_t start = 0;
  for (const TensorValue* tensor : TensorsAt(call, 0)) {
    if (IsSkipped(*tensor)) continue;
    Part part = WholeOf(result);
    Narrow(part, dim, start, tensor->sizes[dim]);
    start += tensor->sizes[dim];
    const std::string fault = WritePart(*tensor, result, std::move(part));
    if (!fault.empty()) return fault;
  }
  return {};
}

Types StackType(const TypeCall& call) {
  const auto tensors = TensorsAt(call, 0);
  const auto dtype = CommonDtype(tensors);
  if (!dtype.ok()) return dtype.error();
  SizeList sizes = tensors[0]->sizes;
  for (const TensorType* tensor : tensors) {
    if (!MayBeEqual(sizes, tensor->sizes)) return std::string("the tensors differ in their sizes");
  }
  const auto dim = DimensionAt(call, 1, sizes.size() + 1);
  if (!dim) return std::string(kNoDimension);
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(*dim),
               SizeExpr(static_cast<int64_t>(tensors.size())));
  return OneResult(dtype.value(), std::move(sizes));
}

std::string Stack(const Call& call, std::span<TensorValue> results) {
  const auto tensors = TensorsAt(call, 0);
  const size_t dim = DimensionIn(call, 1, results[0].sizes.size());
  for (size_t k = 0; k < tensors.size(); ++k) {
    Part part = WholeOf(results[0]);
    Select(part, dim, static_cast<int64_t>(k));
    const std::string fault = WritePart(*tensors[k], results[0], std::move(part));
    if (!fault.empty()) return fault;
  }
  return {};
}

constexpr OpMeaning kJoinMeanings[] = {
    Exact("aten::split_copy.Tensor_out", SplitType, Apart),
    Exact("aten::split_with_sizes_copy.out", SplitSizesType, Apart),
    Exact("aten::unbind_copy.int_out", UnbindType, Unbind),
    Exact("aten::cat.out", CatType, Cat),
    Exact("aten::stack.out", StackType, Stack),
};

}  // namespace

std::span<const OpMeaning> JoinMeanings() {
  return kJoinMeanings;
}

}  // namespace pteproof

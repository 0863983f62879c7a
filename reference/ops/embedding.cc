// Rows of a table, looked up by number.
#include "base/work.h"
#include "reference/ops/rows.h"
#include "reference/ops/type_rules.h"

namespace pteproof {
namespace {

// One row of the table for each index.
Types EmbeddingType(const TypeCall& call) {
  const TensorType& weight = TensorAt(call, 0);
  const TensorType& indices = TensorAt(call, 1);
  if (weight.rank() != 2) return std::string("the table must have two dimensions");
  if (!IsInteger(indices.dtype)) return std::string("the indices must be integers");
  SizeList sizes = indices.sizes;
  sizes.push_back(weight.sizes[1]);
  return OneResult(weight.dtype, std::move(sizes));
}

// padding_idx and what follows it only matter to gradients.
std::string Embedding(const Call& call, std::span<TensorValue> results) {
  const TensorValue& weight = TensorAt(call, 0);
  const TensorValue& indices = TensorAt(call, 1);
  const int64_t width = weight.sizes[1];
  const int64_t count = ElementCount(indices);
  Paced pace(CappedProduct({count, width + 1}));
  for (int64_t i = 0; i < count; ++i) {
    pace.Step();
    const int64_t row = IntAt(indices, i);
    if (row < 0 || row >= weight.sizes[0]) {
      return "index " + std::to_string(row) + " is not in a table of " +
             std::to_string(weight.sizes[0]) + " rows";
    }
    for (int64_t c = 0; c < width; ++c) {
      pace.Step();
      CopyElement(weight, row * width + c, results[0], i * width + c);
    }
  }
  return {};
}

constexpr OpMeaning kEmbeddingMeanings[] = {
    Exact("aten::embedding.out", EmbeddingType, Embedding),
};

}  // namespace

std::span<const OpMeaning> EmbeddingMeanings() {
  return kEmbeddingMeanings;
}

}  // namespace pteproof

// Values on their way into ExecuTorch's runtime and out of it.
#ifndef PTEPROOF_TESTS_EXECUTORCH_WITNESS_RUNTIME_VALUE_H_
#define PTEPROOF_TESTS_EXECUTORCH_WITNESS_RUNTIME_VALUE_H_

#include <executorch/runtime/core/evalue.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pteproof/result.h"
#include "reference/datum.h"

namespace pteproof::witness {

// An input with the memory that it lies in: the runtime may keep pointers to it.
struct RuntimeInput {
  std::vector<int32_t> sizes;
  std::vector<int32_t> strides;
  std::vector<uint8_t> dim_order;
  std::vector<std::byte> bytes;
  std::optional<executorch::runtime::etensor::TensorImpl> tensor;
  std::string text;
  std::optional<executorch::runtime::ArrayRef<char>> characters;
  executorch::runtime::EValue value;
};

// The input in the memory order `dim_order`, outermost dimension first; row-major where that is of
// another rank.
[[nodiscard]] std::unique_ptr<RuntimeInput> MakeInput(const Datum& datum,
                                                      std::vector<uint8_t> dim_order);

// A copy, tensors in row-major order. The error says why there is none.
[[nodiscard]] Result<Datum, std::string> CopyOutput(const executorch::runtime::EValue& value);

}  // namespace pteproof::witness

#endif  // PTEPROOF_TESTS_EXECUTORCH_WITNESS_RUNTIME_VALUE_H_

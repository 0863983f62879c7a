#include "runtime/pteasm/banks.h"

#include <algorithm>

#include "base/checked_math.h"
#include "runtime/pteasm/limits.h"

namespace pteproof::pteasm {

std::optional<std::vector<uint64_t>> ImpliedBanks(const Method& method) {
  uint32_t most = 0;
  for (const Tensor& tensor : method.tensors) {
    if (tensor.planned) most = std::max(most, tensor.bank);
  }
  if (most > kMostImpliedBanks) return std::nullopt;
  std::vector<uint64_t> sizes(size_t{most} + 1);
  for (const Tensor& tensor : method.tensors) {
    if (!tensor.planned || tensor.bank == 0) continue;
    const auto end = CheckedAdd(tensor.offset, tensor.nbytes);
    const auto rounded = end ? CheckedAdd(*end, kBankAlignment - 1) : std::nullopt;
    if (!rounded) continue;  // the reader refuses such a tensor
    uint64_t& size = sizes[tensor.bank];
    size = std::max(size, *rounded / kBankAlignment * kBankAlignment);
  }
  return sizes;
}

}  // namespace pteproof::pteasm

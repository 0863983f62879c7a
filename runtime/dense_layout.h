// A tensor's type and shape as stored beside its bytes in `.ptd` and `.bpte` files, checked.
#ifndef PTEPROOF_RUNTIME_DENSE_LAYOUT_H_
#define PTEPROOF_RUNTIME_DENSE_LAYOUT_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pteproof/result.h"
#include "pteproof/scalar_type.h"

namespace pteproof {

// Of a tensor in any file: readers refuse more, kernels have room for no more.
inline constexpr size_t kMaxRank = 16;

struct DenseLayout {
  ScalarType dtype = ScalarType::kUInt8;
  std::vector<int32_t> sizes;      // none is negative
  std::vector<uint8_t> dim_order;  // a permutation, outermost dimension first
  uint64_t nbytes = 0;
};

// Checks element type, rank, signs, the product of the sizes and the dim_order. The error is a
// clause that goes on after the tensor's name: "has 17 dimensions; 16 are the limit".
[[nodiscard]] Result<DenseLayout, std::string> MakeDenseLayout(int dtype,
                                                               std::span<const int32_t> sizes,
                                                               std::span<const uint8_t> dim_order);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_DENSE_LAYOUT_H_

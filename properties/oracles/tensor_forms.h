// The types, sizes and orders of a file's tensors, and the test whether a value fits them.
#ifndef PTEPROOF_PROPERTIES_ORACLES_TENSOR_FORMS_H_
#define PTEPROOF_PROPERTIES_ORACLES_TENSOR_FORMS_H_

#include <cstdint>
#include <optional>
#include <span>

#include "pteproof/program.h"
#include "reference/op_schema.h"
#include "reference/tensor_value.h"

namespace pteproof {

// The bytes of a tensor that a caller or a recording describes. Nothing if a size is negative, or
// if the product of those that are not zero, of which strides are made, exceeds 63 bits.
[[nodiscard]] std::optional<uint64_t> BytesOf(ScalarType dtype, const Sizes& sizes);

// Element i lies at the same distance from the start in both tensors.
[[nodiscard]] bool HaveSameOrder(const Method& method, int32_t a, int32_t b);

// Whether one value can stand for the other: no exporter moves a tensor to one of another type,
// other sizes or another order, and a runtime would go on with the tensor that it was.
[[nodiscard]] bool AreAlike(const Method& method, int32_t a, int32_t b);

// Whether et_copy_index, which copies bytes, can put `row` into `whole`: it has the type, the sizes
// and the layout of one of its rows. True for values that are not tensors.
[[nodiscard]] bool IsARowOf(const Method& method, int32_t row, int32_t whole);

// Whether results of these sizes fit their tensors: static ones are as the file says, others at
// most as large.
[[nodiscard]] bool FitsFile(const Method& method, std::span<const int32_t> targets,
                            std::span<const Sizes> sizes);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_TENSOR_FORMS_H_

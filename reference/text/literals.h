// Numbers and texts as they stand in the text form, both ways. Every literal that is written here
// is read back bit for bit.
#ifndef PTEPROOF_REFERENCE_TEXT_LITERALS_H_
#define PTEPROOF_REFERENCE_TEXT_LITERALS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/tensor_value.h"

namespace pteproof::text {

// Shortest text with a dot or an exponent, or `inf`, `-inf`, `nan`.
[[nodiscard]] std::string RealText(double value);
// The double nearest to "1.5e3"; nothing where it does not fit.
[[nodiscard]] std::optional<double> RealOf(std::string_view digits);

// In double quotes, printable ASCII.
[[nodiscard]] std::string QuotedText(std::string_view text);
// The text of a literal with its quotes; nothing for an unknown escape.
[[nodiscard]] std::optional<std::string> UnquotedText(std::string_view literal);

// Element i: a number of the element type's kind, or the bits of the element as `0x7fc00001`, most
// significant digit first, where no number has them.
[[nodiscard]] std::string ElementText(const TensorValue& t, int64_t i);

// Store a literal in element 0; false: it does not fit the element type.
[[nodiscard]] bool StoreReal(TensorValue& element, double value);
[[nodiscard]] bool StoreInteger(TensorValue& element, bool negative, uint64_t magnitude);
// "0x7fc00001": as many digits as the element has, or fewer.
[[nodiscard]] bool StoreBits(TensorValue& element, std::string_view hex);

}  // namespace pteproof::text

#endif  // PTEPROOF_REFERENCE_TEXT_LITERALS_H_

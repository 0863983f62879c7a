// The elements of a tensor, written out: `[0.5, 1.0, 0x7fc00001]`.
#ifndef PTEPROOF_REFERENCE_TEXT_ELEMENTS_H_
#define PTEPROOF_REFERENCE_TEXT_ELEMENTS_H_

#include <cstdint>

#include "pteproof/datum.h"
#include "reference/text/token_reader.h"

namespace pteproof::text {

// One literal, stored in element 0.
bool ParseElement(TokenReader& parser, TensorValue& element);
// `[...]` with that many literals, whose bytes are appended to the value's.
bool ParseElements(TokenReader& parser, int64_t elements, TensorValue& value);

}  // namespace pteproof::text

#endif  // PTEPROOF_REFERENCE_TEXT_ELEMENTS_H_

// Caches of language models, as several operators write them.
#ifndef PTEPROOF_REFERENCE_OPS_LANGUAGE_H_
#define PTEPROOF_REFERENCE_OPS_LANGUAGE_H_

#include <cstdint>
#include <string>

#include "reference/tensor_value.h"

namespace pteproof {

// `result` becomes `cache` with the tokens of `value` from position `start` on. Both are [batch,
// token, head, element], and differ in the number of tokens alone. Returns why they do not fit.
[[nodiscard]] std::string UpdateCache(const TensorValue& value, const TensorValue& cache,
                                      int64_t start, TensorValue& result);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPS_LANGUAGE_H_

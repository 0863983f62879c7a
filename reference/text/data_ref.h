// Bytes of a file that a text refers to: `data "weights.bin"[0, 4096, "<sha256>"]`.
#ifndef PTEPROOF_REFERENCE_TEXT_DATA_REF_H_
#define PTEPROOF_REFERENCE_TEXT_DATA_REF_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "pteproof/datum.h"
#include "pteproof/result.h"

namespace pteproof::text {

struct TokenReader;

// Bytes of a file beside the text: large contents, where the text does not write them out.
struct DataRef {
  std::string file;
  int64_t offset = 0;
  int64_t bytes = 0;
  std::string sha256;  // of these bytes; empty: they lie in the caller's memory

  bool operator==(const DataRef&) const = default;
};

// The bytes that a text refers to, as many as it says, or why there are none. Nothing: the buffer
// is left without its initial value, and keeps the reference.
using DataOf = std::function<Result<std::optional<TensorBytes>, std::string>(const DataRef&)>;

// Refuses each reference: of a text that comes alone.
[[nodiscard]] Result<std::optional<TensorBytes>, std::string> NoData(const DataRef& ref);

// "data \"weights.bin\"[0, 4096]", and the way back, which begins at the word.
[[nodiscard]] std::string DataText(const DataRef& ref);
bool ParseDataRef(TokenReader& reader, DataRef& ref);

}  // namespace pteproof::text

#endif  // PTEPROOF_REFERENCE_TEXT_DATA_REF_H_

// Structure of a flatbuffer: offsets, lengths, terminators. Private to this floor's sources; says
// nothing of meaning.
#ifndef PTEPROOF_RUNTIME_VERIFY_FLATBUFFER_H_
#define PTEPROOF_RUNTIME_VERIFY_FLATBUFFER_H_

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/aligned_bytes.h"

namespace pteproof {

// FlatBuffers counts offsets in 31 bits.
inline constexpr uint64_t kMaxFlatbufferSize = 0x7FFFFFFE;

// Whether the tables reachable from the root lie inside the bytes. Visits at most as many tables as
// the bytes can hold, or a million: a file that reaches more of them has shared ones.
template <class Root>
[[nodiscard]] bool VerifyFlatbuffer(const AlignedBytes& bytes, const char* identifier) {
  constexpr size_t kMaxDepth = 64;
  constexpr size_t kSmallestTable = 8;
  if (bytes.size() > kMaxFlatbufferSize) return false;
  const auto max_tables = static_cast<flatbuffers::uoffset_t>(
      std::max<size_t>(1'000'000, bytes.size() / kSmallestTable));
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), kMaxDepth, max_tables);
  return verifier.VerifyBuffer<Root>(identifier);
}

inline std::string_view View(const flatbuffers::String* text) {
  return text == nullptr ? std::string_view{} : std::string_view(text->c_str(), text->size());
}

// The first elements of a vector, no more than `limit`, in host order.
template <class T>
[[nodiscard]] std::vector<T> FirstOf(const flatbuffers::Vector<T>& vector, size_t limit) {
  const auto count = static_cast<flatbuffers::uoffset_t>(std::min<size_t>(vector.size(), limit));
  std::vector<T> copy(count);
  for (flatbuffers::uoffset_t i = 0; i < count; ++i) copy[i] = vector.Get(i);
  return copy;
}

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_VERIFY_FLATBUFFER_H_

#include "runtime/delegates/flat_blob.h"

#include <fmt/format.h>

#include "runtime/delegates/flat_table.h"

namespace pteproof::delegates {
namespace {

constexpr uint64_t kLetters = 4;       // where they are, and how many
constexpr uint64_t kGraphOffset = 10;  // byte of the header: where the flatbuffer begins
constexpr uint64_t kGraphSize = 14;    // and how long it is
constexpr uint64_t kHeader = 30;       // bytes of the header

}  // namespace

std::string_view LettersOf(Bytes blob) {
  if (blob.size() < 2 * kLetters) return {};
  return {reinterpret_cast<const char*>(blob.data()) + kLetters, kLetters};
}

std::optional<FramedBlob> Unframe(Bytes blob, std::string_view letters) {
  if (LettersOf(blob) != letters) return std::nullopt;
  if (blob.size() < kHeader) {
    return FramedBlob{{},
                      fmt::format("a header of {} bytes ends at byte {}", kHeader, blob.size())};
  }
  const uint64_t at = NumberAt<uint32_t>(blob, kGraphOffset);
  const uint64_t size = NumberAt<uint32_t>(blob, kGraphSize);
  if (at > blob.size() || size > blob.size() - at) {
    return FramedBlob{{},
                      fmt::format("its graph at byte {} with {} bytes reaches past the end at "
                                  "byte {}",
                                  at, size, blob.size())};
  }
  return FramedBlob{blob.subspan(at, size), {}};
}

}  // namespace pteproof::delegates

#include "runtime/delegates/flat_blob.h"

#include <fmt/format.h>

#include <algorithm>

namespace pteproof::delegates {
namespace {

constexpr uint64_t kLetters = 4;       // where they are, and how many
constexpr uint64_t kGraphOffset = 10;  // byte of the header: where the flatbuffer begins
constexpr uint64_t kGraphSize = 14;    // and how long it is
constexpr uint64_t kDataOffset = 18;   // where the constants begin
constexpr uint64_t kDataSize = 22;     // and how long they are
constexpr uint64_t kHeader = 30;       // bytes of the header
constexpr uint64_t kNoOffset = ~uint64_t{0};

}  // namespace

std::string_view LettersOf(Bytes blob) {
  if (blob.size() < 2 * kLetters) return {};
  return {reinterpret_cast<const char*>(blob.data()) + kLetters, kLetters};
}

std::optional<FramedBlob> Unframe(Bytes blob, std::string_view letters) {
  if (LettersOf(blob) != letters) return std::nullopt;
  if (blob.size() < kHeader) {
    return FramedBlob{
        {}, {}, fmt::format("a header of {} bytes ends at byte {}", kHeader, blob.size())};
  }
  const uint64_t at = NumberAt<uint32_t>(blob, kGraphOffset);
  const uint64_t size = NumberAt<uint32_t>(blob, kGraphSize);
  if (at > blob.size() || size > blob.size() - at) {
    return FramedBlob{{},
                      {},
                      fmt::format("its graph at byte {} with {} bytes reaches past the end at "
                                  "byte {}",
                                  at, size, blob.size())};
  }
  const uint64_t data = std::min<uint64_t>(NumberAt<uint32_t>(blob, kDataOffset), blob.size());
  const uint64_t stored = std::min(NumberAt<uint64_t>(blob, kDataSize), blob.size() - data);
  return FramedBlob{blob.subspan(at, size), blob.subspan(data, stored), {}};
}

// Constants in the same bytes are paid for each: a comparison reads them all. What runtimes find by
// an empty name, or by one that they cut off, is not said: such a constant is not there.
StoredParts::StoredParts(const std::vector<FlatTable>& places, Bytes stored, KeyRule rule,
                         OpenedBlob& opened) {
  uint64_t left = 2 * uint64_t{stored.size()};
  for (const FlatTable& place : places) {
    StoredBytes& part = parts_.emplace_back();
    const auto at = place.Number<uint64_t>(0);
    const auto size = place.Number<uint64_t>(1);
    const std::string_view key = place.Text(2);
    const bool is_named = rule == KeyRule::kNamed ? place.Has(2) : at == kNoOffset;
    if (is_named && !key.empty() && key.find('\0') == key.npos) {
      part.key = static_cast<int32_t>(opened.data_keys.size());
      opened.data_keys.emplace_back(key);
    } else if (!is_named && at <= stored.size() && size <= stored.size() - at && size <= left) {
      part = {.bytes = stored.subspan(at, size), .is_there = true};
      left -= size;
    }
  }
}

bool StoredParts::AddTo(BlobValue& value, std::optional<uint64_t> index, uint64_t least) const {
  value.form += index ? 'c' : '-';
  if (!index) return true;
  if (*index >= parts_.size()) return false;
  value.stored.push_back(parts_[*index]);
  value.stored.back().least = least;
  return value.stored.back().key >= 0 || value.stored.back().is_there;
}

}  // namespace pteproof::delegates

// Idea: each file is opened once, and each range of it hashed once. Two ranges of a file are the
// same or have no byte in common, so that all hashing together reads no byte twice.
//
// Cost: O(bytes of the files), and a logarithm for each reference.
#include "cli/load/module_data.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "runtime/sha256.h"

namespace pteproof {

Result<std::optional<TensorBytes>, std::string> ModuleData::Take(const text::DataRef& ref) {
  auto known = files_.find(ref.file);
  if (known == files_.end()) {
    auto file = open_(ref.file);
    if (!file.ok()) return file.error();
    known = files_.emplace(ref.file, Opened{std::move(file).value(), {}}).first;
  }
  Opened& from = known->second;
  const auto size = static_cast<int64_t>(from.file.bytes.size());
  if (ref.offset > size || ref.bytes > size - ref.offset) {
    return fmt::format("the data are bytes {} to {} of \"{}\", which has {}", ref.offset,
                       ref.offset + ref.bytes, ref.file, size);
  }
  if (ref.sha256.empty() && !from.file.in_memory) {
    return fmt::format(
        "the data of \"{}\" need the SHA-256 of these bytes (sha256sum tells it): [offset, bytes, "
        "\"...\"]",
        ref.file);
  }
  const Bytes bytes =
      from.file.bytes.subspan(static_cast<size_t>(ref.offset), static_cast<size_t>(ref.bytes));
  if (std::string why = Claim(ref, bytes, from); !why.empty()) return why;
  return std::optional(TensorBytes::ViewOf(bytes, from.file.owner));
}

// Why the bytes may not be taken; empty: they may.
std::string ModuleData::Claim(const text::DataRef& ref, Bytes bytes, Opened& from) const {
  if (bytes.empty()) return "";
  const int64_t end = ref.offset + ref.bytes;
  const auto after = from.taken.lower_bound(end);
  const auto last = after == from.taken.begin() ? from.taken.end() : std::prev(after);
  const bool overlaps = last != from.taken.end() && last->second.end > ref.offset;
  if (overlaps && (last->first != ref.offset || last->second.end != end)) {
    return fmt::format(
        "bytes {} to {} of \"{}\" overlap {} to {}, which another tensor has; two ranges are the "
        "same or have no byte in common",
        ref.offset, end, ref.file, last->first, last->second.end);
  }
  Range& range = from.taken.try_emplace(ref.offset, Range{end, {}}).first->second;
  if (ref.sha256.empty()) return "";
  if (!range.sha256) range.sha256 = Sha256Hex(bytes);
  if (*range.sha256 == ref.sha256) return "";
  return fmt::format("bytes {} to {} of \"{}\" have the SHA-256 {}, and the {} says {}", ref.offset,
                     end, ref.file, *range.sha256, what_, ref.sha256);
}

}  // namespace pteproof

#include "runtime/pteasm/file_refs.h"

#include <functional>
#include <iterator>

#include "runtime/sha256.h"

namespace pteproof::pteasm {

std::optional<text::DataRef> FileRefs::operator()(Bytes bytes) {
  const std::less_equal<> before;
  const bool inside = before(file_.data(), bytes.data()) &&
                      before(bytes.data() + bytes.size(), file_.data() + file_.size());
  if (!inside || bytes.empty()) return std::nullopt;
  const auto first = static_cast<uint64_t>(bytes.data() - file_.data());
  const uint64_t end = first + bytes.size();
  const auto after = taken_.lower_bound(end);
  if (after != taken_.begin()) {
    const auto& [last, taken] = *std::prev(after);
    if (taken.end > first && (last != first || taken.end != end)) return std::nullopt;
  }
  Taken& taken = taken_.try_emplace(first, Taken{end, {}}).first->second;
  if (taken.sha256.empty()) taken.sha256 = Sha256Hex(bytes);
  return text::DataRef{name_, static_cast<int64_t>(first), static_cast<int64_t>(bytes.size()),
                       taken.sha256};
}

}  // namespace pteproof::pteasm

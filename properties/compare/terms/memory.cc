#include "properties/compare/terms/memory.h"

#include <algorithm>
#include <iterator>

namespace pteproof::compare {

// Makes a piece that covers the byte `at` end there, and another one begin.
void Memory::Cut(uint64_t at) {
  auto it = pieces_.upper_bound(at);
  if (it == pieces_.begin()) return;
  --it;
  if (it->first == at || it->second.end <= at) return;
  Piece rest = it->second;
  rest.skip += at - it->first;
  it->second.end = at;
  pieces_.emplace_hint(std::next(it), at, rest);
}

void Memory::Write(uint64_t first, ContentId content) {
  const uint64_t count = (*table_)[content].bytes();
  if (count == 0) return;
  Cut(first);
  Cut(first + count);
  pieces_.erase(pieces_.lower_bound(first), pieces_.lower_bound(first + count));
  pieces_[first] = {first + count, content, 0};
}

ContentId Memory::Read(uint64_t first, uint64_t count) const {
  if (count == 0) return kNoBytes;
  const uint64_t end = first + count;
  auto it = pieces_.upper_bound(first);
  if (it != pieces_.begin() && std::prev(it)->second.end > first) --it;
  if (it != pieces_.end() && it->first <= first && it->second.end >= end) {
    return table_->Part(it->second.content, it->second.skip + first - it->first, count);
  }
  ContentBuilder builder;
  for (; first < end; ++it) {
    const uint64_t start = it == pieces_.end() ? end : std::min(end, it->first);
    if (start > first) {
      builder.Add(entry_, first, start - first);
      first = start;
    }
    if (first == end) break;
    const uint64_t stop = std::min(end, it->second.end);
    (*table_)[it->second.content].Read(it->second.skip + first - it->first, stop - first, builder);
    first = stop;
  }
  return table_->Intern(builder.Take());
}

std::vector<uint64_t> Memory::Bounds() const {
  std::vector<uint64_t> bounds;
  for (const auto& [first, piece] : pieces_) {
    if (bounds.empty() || bounds.back() != first) bounds.push_back(first);
    bounds.push_back(piece.end);
  }
  return bounds;
}

}  // namespace pteproof::compare

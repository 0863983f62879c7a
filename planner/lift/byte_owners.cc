#include "planner/lift/byte_owners.h"

#include <algorithm>
#include <iterator>

namespace pteproof::planner {
namespace {

bool Insert(ByteOwners::Owners& owners, int32_t owner) {
  const auto at = std::ranges::lower_bound(owners, owner);
  if (at != owners.end() && *at == owner) return false;
  owners.insert(at, owner);
  return true;
}

}  // namespace

// No piece reaches across `at` from then on.
void ByteOwners::Cut(Pieces& pieces, uint64_t at) {
  auto piece = pieces.lower_bound(at);
  if (piece == pieces.begin()) return;
  --piece;
  if (piece->second.hi <= at) return;
  Piece upper = piece->second;
  piece->second.hi = at;
  pieces.emplace_hint(std::next(piece), at, std::move(upper));
}

// Pieces from `lo` to `hi`, without gaps, none of which reaches beyond.
void ByteOwners::Cover(Pieces& pieces, uint64_t lo, uint64_t hi) {
  Cut(pieces, lo);
  Cut(pieces, hi);
  uint64_t at = lo;
  for (auto piece = pieces.lower_bound(lo); at < hi; ++piece) {
    const uint64_t next = piece == pieces.end() ? hi : std::min(piece->first, hi);
    if (at < next) piece = pieces.emplace_hint(piece, at, Piece{next, {kAtEntry}});
    at = piece->second.hi;
  }
}

void ByteOwners::Fill(const BankBytes& bytes, int32_t owner) {
  if (bytes.lo >= bytes.hi) return;
  Pieces& pieces = banks_[bytes.bank];
  Cut(pieces, bytes.lo);
  Cut(pieces, bytes.hi);
  const auto first = pieces.lower_bound(bytes.lo);
  const auto end = pieces.erase(first, pieces.lower_bound(bytes.hi));
  pieces.emplace_hint(end, bytes.lo, Piece{bytes.hi, {owner}});
}

void ByteOwners::Add(const BankBytes& bytes, int32_t owner) {
  if (bytes.lo >= bytes.hi) return;
  Pieces& pieces = banks_[bytes.bank];
  Cover(pieces, bytes.lo, bytes.hi);
  for (auto piece = pieces.find(bytes.lo); piece != pieces.end() && piece->first < bytes.hi;
       ++piece) {
    Insert(piece->second.owners, owner);
  }
}

bool ByteOwners::AddAll(const ByteOwners& other) {
  bool more = false;
  const auto add = [&](Pieces& pieces, uint64_t lo, uint64_t hi, const Owners& owners) {
    Cover(pieces, lo, hi);
    for (auto piece = pieces.find(lo); piece != pieces.end() && piece->first < hi; ++piece) {
      for (const int32_t owner : owners) more = Insert(piece->second.owners, owner) || more;
    }
  };
  for (const auto& [bank, theirs] : other.banks_) {
    Pieces& pieces = banks_[bank];
    for (const auto& [lo, piece] : theirs) add(pieces, lo, piece.hi, piece.owners);
  }
  // Where the other has no piece it has what was there at entry.
  for (auto& [bank, pieces] : banks_) {
    for (auto& [lo, piece] : pieces) {
      bool gap = false;
      other.ForEach({bank, lo, piece.hi}, [&](uint64_t, uint64_t, const Owners& owners) {
        gap = gap || owners.front() == kAtEntry;
      });
      if (gap) more = Insert(piece.owners, kAtEntry) || more;
    }
  }
  return more;
}

}  // namespace pteproof::planner

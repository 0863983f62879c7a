// Idea: a sequence of bytes falls into pieces, each as long as can be: consecutive bytes of one
// term. These pieces are the same for every way to write the sequence down. Read from the left,
// pieces of one term and one size at equal distances are put into one run, greedily.
//
//     a0 a1 a2 a3 b7 c0 c4 c8   with 1 byte each   ->   a[0,4)  b[7,8)  c[0,1) +4 x 3
//
// Invariant: `runs_` is what the greedy reading gives for the pieces so far. A piece that goes on
// where the last one ended takes that piece out of the list and is added with it, so that the
// invariant holds after each call; hence equal bytes give equal lists, whatever they were added by.
//
// Cost: O(1) per added run; a read is O(log n) in runs, and linear in the runs that it touches.
#include "properties/compare/terms/content.h"

#include <algorithm>
#include <cassert>

namespace pteproof::compare {
namespace {

uint64_t PieceFirst(const Run& run, uint64_t k) {
  return run.first + static_cast<uint64_t>(run.stride) * k;
}

// Whether a piece goes on where the run's last one ends.
bool GoesOn(const Run& run, TermId term, uint64_t first) {
  if (run.term != term) return false;
  return term == kZeroTerm || PieceFirst(run, run.count - 1) + run.size == first;
}

void DropLastPiece(std::vector<Run>& runs) {
  Run& last = runs.back();
  if (--last.count == 0) {
    runs.pop_back();
  } else if (last.count == 1) {
    last.stride = 0;
  }
}

}  // namespace

void ContentBuilder::Add(TermId term, uint64_t first, uint64_t size) {
  if (size == 0) return;
  if (term == kZeroTerm) first = 0;
  if (!runs_.empty() && GoesOn(runs_.back(), term, first)) {
    const Run& last = runs_.back();
    first = PieceFirst(last, last.count - 1);
    size += last.size;
    DropLastPiece(runs_);
  }
  if (!runs_.empty()) {
    Run& last = runs_.back();
    const bool alike = last.term == term && last.size == size;
    if (alike && last.count == 1) {
      last.stride = static_cast<int64_t>(first - last.first);
      last.count = 2;
      return;
    }
    if (alike && PieceFirst(last, last.count) == first) {
      ++last.count;
      return;
    }
  }
  runs_.push_back({term, first, 0, size, 1});
}

void ContentBuilder::Add(Run run) {
  if (run.size == 0 || run.count == 0) return;
  const bool joined = run.term == kZeroTerm || run.stride == static_cast<int64_t>(run.size);
  if (joined || run.count == 1) return Add(run.term, run.first, run.size * run.count);
  for (uint64_t k = 0; k < run.count; ++k) {
    Add(run.term, PieceFirst(run, k), run.size);
    Run& last = runs_.back();
    const bool in_step = last.term == run.term && last.size == run.size && last.count > 1 &&
                         last.stride == run.stride;
    if (!in_step) continue;
    last.count += run.count - k - 1;
    return;
  }
}

Content::Content(std::vector<Run> runs) : runs_(std::move(runs)) {
  ends_.reserve(runs_.size());
  uint64_t end = 0;
  for (const Run& run : runs_) ends_.push_back(end += run.bytes());
}

size_t Content::RunAt(uint64_t byte) const {
  return static_cast<size_t>(std::ranges::upper_bound(ends_, byte) - ends_.begin());
}

ByteOf Content::At(uint64_t byte) const {
  const size_t r = RunAt(byte);
  assert(r < runs_.size());
  const Run& run = runs_[r];
  if (run.term == kZeroTerm) return {};
  const uint64_t within = byte - StartOf(r);
  return {run.term, PieceFirst(run, within / run.size) + within % run.size};
}

void Content::Read(uint64_t first, uint64_t count, ContentBuilder& to) const {
  const uint64_t end = first + count;
  assert(end <= bytes());
  for (size_t r = count == 0 ? runs_.size() : RunAt(first); first < end; ++r) {
    const Run& run = runs_[r];
    const uint64_t stop = std::min(end, ends_[r]) - StartOf(r);
    uint64_t at = first - StartOf(r);
    first = StartOf(r) + stop;
    if (at % run.size != 0) {  // the rest of a piece
      const uint64_t part = std::min(stop - at, run.size - at % run.size);
      to.Add(run.term, PieceFirst(run, at / run.size) + at % run.size, part);
      at += part;
    }
    const uint64_t whole = (stop - at) / run.size;
    to.Add({run.term, PieceFirst(run, at / run.size), run.stride, run.size, whole});
    at += whole * run.size;
    if (at < stop) to.Add(run.term, PieceFirst(run, at / run.size), stop - at);
  }
}

void Content::ReadPieces(uint64_t first, int64_t stride, uint64_t size, uint64_t count,
                         ContentBuilder& to) const {
  if (size == 0 || count == 0) return;
  if (stride == static_cast<int64_t>(size)) return Read(first, size * count, to);
  if (runs_.size() == 1 && runs_[0].count == 1) {
    return to.Add({runs_[0].term, runs_[0].first + first, stride, size, count});
  }
  if (stride == 0) {  // one piece again and again
    ContentBuilder piece;
    Read(first, size, piece);
    const std::vector<Run>& runs = piece.runs();
    const bool whole = runs.size() == 1 && runs[0].count == 1;
    if (whole) return to.Add({runs[0].term, runs[0].first, 0, size, count});
    for (uint64_t k = 0; k < count; ++k) {
      for (const Run& run : runs) to.Add(run);
    }
    return;
  }
  for (uint64_t k = 0; k < count;) {
    const uint64_t at = first + static_cast<uint64_t>(stride) * k;
    const size_t r = RunAt(at);
    const Run& run = runs_[r];
    const uint64_t within = at - StartOf(r);
    const uint64_t skip = within % run.size;
    const bool inside = skip + size <= run.size;
    const auto piece = static_cast<int64_t>(run.size);
    const bool in_step = inside && stride > 0 && (run.count == 1 || stride % piece == 0);
    if (!in_step) {
      Read(at, size, to);
      ++k;
      continue;
    }
    // As many pieces as begin, and end, in this run.
    const uint64_t room = run.bytes() - within - (run.count == 1 ? size : run.size - skip);
    const uint64_t many = std::min(count - k, 1 + room / static_cast<uint64_t>(stride));
    const int64_t step = run.count == 1 ? stride : stride / piece * run.stride;
    to.Add({run.term, PieceFirst(run, within / run.size) + skip, step, size, many});
    k += many;
  }
}

uint64_t FirstDifference(const Content& a, const Content& b) {
  const uint64_t count = std::min(a.bytes(), b.bytes());
  uint64_t at = 0;
  for (size_t r = 0; r < std::min(a.runs().size(), b.runs().size()); ++r) {
    if (a.runs()[r] != b.runs()[r]) break;
    at += a.runs()[r].bytes();
  }
  while (at < count && a.At(at) == b.At(at)) ++at;
  return at;
}

}  // namespace pteproof::compare

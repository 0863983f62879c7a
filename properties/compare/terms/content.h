// The content of a range of bytes, as a canonical list of runs of terms' bytes: two contents are
// equal if and only if every byte is the same byte of the same term. Knows nothing of operators.
#ifndef PTEPROOF_PROPERTIES_COMPARE_TERMS_CONTENT_H_
#define PTEPROOF_PROPERTIES_COMPARE_TERMS_CONTENT_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pteproof::compare {

// What bytes come from: a result of a call, an input, a constant, state at entry. Equal numbers are
// equal terms, and the other way round (term_table.h).
using TermId = uint32_t;

// Zero bytes, which are all alike: each counts as byte 0.
inline constexpr TermId kZeroTerm = 0;

// `count` pieces of `size` bytes each: piece k is the bytes of the term from first + k * stride on.
struct Run {
  TermId term = kZeroTerm;
  uint64_t first = 0;
  int64_t stride = 0;  // 0 for a single piece
  uint64_t size = 0;
  uint64_t count = 0;

  [[nodiscard]] uint64_t bytes() const { return size * count; }
  bool operator==(const Run&) const = default;
};

// One byte of a content.
struct ByteOf {
  TermId term = kZeroTerm;
  uint64_t at = 0;
  bool operator==(const ByteOf&) const = default;
};

// Builds a content from its first byte to its last.
class ContentBuilder {
 public:
  // One piece.
  void Add(TermId term, uint64_t first, uint64_t size);
  // All pieces of a run, which need not be canonical.
  void Add(Run run);
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  [[nodiscard]] std::vector<Run> Take() { return std::move(runs_); }

 private:
  std::vector<Run> runs_;
};

// A canonical list with the position of each run.
class Content {
 public:
  explicit Content(std::vector<Run> runs);

  [[nodiscard]] std::span<const Run> runs() const { return runs_; }
  [[nodiscard]] uint64_t bytes() const { return ends_.empty() ? 0 : ends_.back(); }
  [[nodiscard]] ByteOf At(uint64_t byte) const;
  // Bytes [first, first + count).
  void Read(uint64_t first, uint64_t count, ContentBuilder& to) const;
  // `count` pieces of `size` bytes, `stride` bytes apart. All lie in the content.
  void ReadPieces(uint64_t first, int64_t stride, uint64_t size, uint64_t count,
                  ContentBuilder& to) const;

 private:
  [[nodiscard]] size_t RunAt(uint64_t byte) const;
  [[nodiscard]] uint64_t StartOf(size_t run) const { return run == 0 ? 0 : ends_[run - 1]; }

  std::vector<Run> runs_;
  std::vector<uint64_t> ends_;  // per run: the byte behind it
};

// The first byte in which two contents differ, at most the number of bytes of the shorter one.
[[nodiscard]] uint64_t FirstDifference(const Content& a, const Content& b);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_TERMS_CONTENT_H_

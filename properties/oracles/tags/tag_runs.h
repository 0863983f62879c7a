// The content of a range of bytes: the write that each byte comes from.
#ifndef PTEPROOF_PROPERTIES_ORACLES_TAGS_TAG_RUNS_H_
#define PTEPROOF_PROPERTIES_ORACLES_TAGS_TAG_RUNS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace pteproof {

// A write, numbered from 1 on: a new version of some value's bytes.
using Tag = uint32_t;
inline constexpr Tag kNoTag = 0;  // nothing has written there

// Consecutive bytes of a write, from its byte `from` on.
struct TagRun {
  Tag tag = kNoTag;
  uint64_t from = 0;
  uint64_t count = 0;  // bytes, at least one

  bool operator==(const TagRun&) const = default;
};

using TagRuns = std::vector<TagRun>;  // one behind the other, as long as can be

// All bytes of a write.
[[nodiscard]] TagRuns WholeOf(Tag tag, uint64_t nbytes);
void Append(const TagRun& run, TagRuns& runs);
[[nodiscard]] uint64_t BytesOf(std::span<const TagRun> runs);
// `count` of their bytes from the byte `first` on; kNoTag where there are none.
[[nodiscard]] TagRuns PartOf(std::span<const TagRun> runs, uint64_t first, uint64_t count);

// The first byte that comes from elsewhere than it should.
struct TagDifference {
  uint64_t at = 0;
  TagRun expected;
  TagRun got;
};
[[nodiscard]] std::optional<TagDifference> DifferenceOf(std::span<const TagRun> expected,
                                                        std::span<const TagRun> got);

// The bytes of a bank. Each call O(log n) in its runs, and linear in those that it touches.
class TaggedBank {
 public:
  void Write(uint64_t first, std::span<const TagRun> runs);
  [[nodiscard]] TagRuns Read(uint64_t first, uint64_t count) const;

 private:
  void Cut(uint64_t at);

  std::map<uint64_t, TagRun> runs_;  // by first byte; between them nothing is written
};

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_TAGS_TAG_RUNS_H_

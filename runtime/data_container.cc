// The outermost bytes of a data file (.ptd), whose layout is fixed:
//
//   0     4      8      12      16            24            32            40            48
//   root  FT01   FH01   length  offset of     size of       base of       size of       tables ...
//                               flatbuffer    flatbuffer    segments      segments
//
// Invariant: the two parts that come out lie inside the file and do not overlap. Cost: O(1).
#include "runtime/data_container.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "base/checked_math.h"
#include "runtime/data_rules.h"
#include "runtime/file_kind.h"

namespace pteproof {
namespace {

using Findings = std::vector<Finding>;

constexpr uint64_t kHeaderStart = 8;
constexpr uint32_t kDataHeaderLength = 40;
constexpr uint64_t kHeaderEnd = kHeaderStart + kDataHeaderLength;

template <class T>
T Little(Bytes file, size_t at) {
  T value = 0;
  for (size_t i = sizeof(T); i-- > 0;) {
    value = static_cast<T>((value << 8) | std::to_integer<T>(file[at + i]));
  }
  return value;
}

Findings One(std::string_view rule, std::string explanation, ByteRange bytes) {
  Finding finding;
  finding.rule = rule;
  finding.explanation = std::move(explanation);
  finding.bytes = bytes;
  return {std::move(finding)};
}

// Nothing when the header may be read.
Findings CheckStart(Bytes file) {
  if (file.size() >= kHeaderStart && Sniff(file) != FileKind::kData) {
    return One(
        rule::kDataIdentifier,
        fmt::format(
            "The file is {}, not a data file (.ptd): the identifier in bytes 4 to 7 is not FT01.",
            Describe(Sniff(file))),
        {4, 8});
  }
  if (file.size() < kHeaderEnd) {
    return One(rule::kDataTruncated,
               fmt::format("The file has {} bytes. The header alone ends at byte {}.", file.size(),
                           kHeaderEnd),
               {0, file.size()});
  }
  if (std::memcmp(file.data() + kHeaderStart, "FH01", 4) != 0) {
    return One(rule::kDataHeader, "Bytes 8 to 11 are not the magic FH01 of the header.", {8, 12});
  }
  const auto length = Little<uint32_t>(file, 12);
  if (length < kDataHeaderLength) {
    return One(rule::kDataHeader,
               fmt::format("The header gives itself a length of {} bytes. It needs {}.", length,
                           kDataHeaderLength),
               {12, 16});
  }
  return {};
}

}  // namespace

Result<DataContainer, std::vector<Finding>> ReadDataContainer(Bytes file) {
  if (Findings bad = CheckStart(file); !bad.empty()) return bad;

  const auto flatbuffer_end = CheckedAdd(Little<uint64_t>(file, 16), Little<uint64_t>(file, 24));
  const auto base = Little<uint64_t>(file, 32);
  const auto data_size = Little<uint64_t>(file, 40);
  const auto data_end = CheckedAdd(base, data_size);
  if (!flatbuffer_end || !data_end) {
    return One(rule::kDataHeader, "The sum of an offset and a size in the header exceeds 64 bits.",
               {16, kHeaderEnd});
  }
  const uint64_t end = std::max(*flatbuffer_end, *data_end);
  if (end > file.size()) {
    return One(rule::kDataTruncated,
               fmt::format("The header says that the file reaches to byte {}, but the file has {} "
                           "bytes.\nWeights at the end are missing.",
                           end, file.size()),
               {file.size(), end});
  }
  if (*flatbuffer_end < kHeaderEnd + sizeof(uint32_t)) {
    return One(
        rule::kDataHeader,
        fmt::format(
            "The header says that the flatbuffer ends at byte {}, which is inside the header.",
            *flatbuffer_end),
        {16, 32});
  }
  if (data_size > 0 && base < *flatbuffer_end) {
    return One(rule::kDataSegment,
               fmt::format("The segment area begins at byte {}, before the flatbuffer ends at {}. "
                           "Weights and tables would share bytes.",
                           base, *flatbuffer_end),
               {base, *flatbuffer_end});
  }
  const auto root = Little<uint32_t>(file, 0);
  if (root < kHeaderEnd || root > *flatbuffer_end - sizeof(uint32_t)) {
    return One(
        rule::kDataRoot,
        fmt::format("The offset of the root table is {}, which is outside the flatbuffer.", root),
        {0, 4});
  }
  return DataContainer{file.first(*flatbuffer_end),
                       file.subspan(data_size > 0 ? base : 0, data_size)};
}

std::optional<Bytes> SegmentOf(const DataContainer& container, uint64_t offset, uint64_t size) {
  const auto end = CheckedAdd(offset, size);
  if (!end || *end > container.segments.size()) return std::nullopt;
  return container.segments.subspan(offset, size);
}

}  // namespace pteproof

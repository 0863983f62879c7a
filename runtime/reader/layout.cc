// The outermost bytes of a program:
//
//   0     4      8      12      16             24             32             40
//   root  ET12   eh00   length  size of the    base of the    size of the    tables ...
//                               flatbuffer     segments       segments
//
// Bytes 8 to 39 are the extended header; an older one ends at byte 32, and files without segments
// may have none. Whether a header is there is known from the magic and from the root table, which
// cannot begin inside a header.
//
// Invariant: if ReadLayout succeeds, tables_size, segment_base and segment_end lie inside the file,
// and the root offset inside the tables. Cost: O(1).
#include "runtime/reader/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/checked_math.h"
#include "runtime/file_rules.h"

namespace pteproof::reader {
namespace {

constexpr uint64_t kMinFileSize = 64;  // what runtimes read before anything else
constexpr uint64_t kIdentifierAt = 4;
constexpr uint64_t kHeaderAt = 8;
constexpr uint64_t kHeaderLengthAt = 12;
constexpr uint64_t kProgramSizeAt = 16;
constexpr uint64_t kSegmentBaseAt = 24;
constexpr uint64_t kSegmentSizeAt = 32;
constexpr uint32_t kOldHeaderLength = 24;  // up to the segment base
constexpr uint32_t kHeaderLength = 32;     // with the segment area's size
constexpr uint64_t kMaxTablesSize = FLATBUFFERS_MAX_BUFFER_SIZE - 1;

std::string_view TextAt(Bytes file, uint64_t at) {
  return {reinterpret_cast<const char*>(file.data()) + at, 4};
}

template <class T>
T NumberAt(Bytes file, uint64_t at) {
  T number;
  std::memcpy(&number, file.data() + at, sizeof number);
  return flatbuffers::EndianScalar(number);
}

bool IsBetween(uint64_t number, uint64_t lo, uint64_t hi) {
  return number >= lo && number < hi;
}

std::string_view WhatElse(std::string_view identifier) {
  if (identifier == "BP08") return "The file is a bundled program (.bpte) with a program inside.";
  if (identifier == "FT01") return "The file is a data file (.ptd) and has no program.";
  if (identifier.starts_with("ET"))
    return "The file is a program of another, incompatible format version.";
  return "The file is not an ExecuTorch program, or its first bytes are damaged.";
}

// "\"ET11\"", or, of other bytes than letters, "09 74 61 72".
std::string InWords(std::string_view bytes) {
  if (std::ranges::all_of(bytes, [](char c) { return c >= ' ' && c <= '~'; })) {
    return fmt::format("\"{}\"", bytes);
  }
  std::string words;
  for (const char c : bytes) {
    words += fmt::format("{}{:02x}", words.empty() ? "" : " ", static_cast<uint8_t>(c));
  }
  return words;
}

bool CheckStart(Context& context) {
  const Bytes file = context.file;
  const uint64_t size = file.size();
  if (size >= kHeaderAt && TextAt(file, kIdentifierAt) != schema::ProgramIdentifier()) {
    const std::string_view found = TextAt(file, kIdentifierAt);
    Refuse(context, rule::kFileIdentifier, {.bytes = ByteRange{kIdentifierAt, kHeaderAt}},
           fmt::format("Bytes 4 to 7 are {}. A program has \"{}\" there.\n{}", InWords(found),
                       schema::ProgramIdentifier(), WhatElse(found)));
    return false;
  }
  if (size >= kMinFileSize) return true;
  Refuse(context, rule::kFileTooShort, {.bytes = ByteRange{0, size}},
         fmt::format("The file has {} bytes. The smallest program that a runtime loads has {}.",
                     size, kMinFileSize));
  return false;
}

bool RefuseHeader(Context& context, uint64_t at, uint64_t length, std::string explanation) {
  Refuse(context, rule::kFileHeader, {.bytes = ByteRange{at, at + length}}, std::move(explanation));
  return false;
}

bool ReadSegmentArea(Context& context, uint32_t header_length) {
  const uint64_t size = context.file.size();
  context.segment_base = NumberAt<uint64_t>(context.file, kSegmentBaseAt);
  context.segment_end = size;
  if (context.segment_base > size) {
    return RefuseHeader(context, kSegmentBaseAt, 8,
                        fmt::format("The header places the segments at byte {}, but the file ends "
                                    "at {}.\nThe file was cut, or the header is damaged.",
                                    context.segment_base, size));
  }
  if (header_length < kHeaderLength) return true;
  const auto area = NumberAt<uint64_t>(context.file, kSegmentSizeAt);
  const auto end = CheckedAdd(context.segment_base, area);
  if (!end.has_value() || *end > size) {
    return RefuseHeader(
        context, kSegmentSizeAt, 8,
        fmt::format("The header promises {} bytes of segments from byte {} on, but the file ends "
                    "at {}.\nThe file was cut: weights or data of delegates are missing.",
                    area, context.segment_base, size));
  }
  context.segment_end = *end;
  return true;
}

bool ReadHeader(Context& context) {
  const uint64_t size = context.file.size();
  const auto length = NumberAt<uint32_t>(context.file, kHeaderLengthAt);
  context.tables_size = NumberAt<uint64_t>(context.file, kProgramSizeAt);
  if (length < kOldHeaderLength) {
    return RefuseHeader(
        context, kHeaderLengthAt, 4,
        fmt::format(
            "The extended header gives itself a length of {} bytes. The shortest header has {}.",
            length, kOldHeaderLength));
  }
  if (context.tables_size > size) {
    return RefuseHeader(context, kProgramSizeAt, 8,
                        fmt::format("The header says that the flatbuffer takes {} bytes, but the "
                                    "file has {}.\nThe file was cut, or the header is damaged.",
                                    context.tables_size, size));
  }
  if (context.tables_size < kHeaderAt + length) {
    return RefuseHeader(
        context, kHeaderLengthAt, 12,
        fmt::format("The header of {} bytes does not fit in a flatbuffer of {} bytes.", length,
                    context.tables_size));
  }
  return ReadSegmentArea(context, length);
}

// Whether a header was inserted after the identifier. Where the root table begins before one could
// end, the magic is a chance, or was patched into the padding there: such a file is whole without
// it.
bool HasHeader(Bytes file) {
  return TextAt(file, kHeaderAt) == "eh00" &&
         !IsBetween(NumberAt<uint32_t>(file, 0), kHeaderAt, kHeaderAt + kOldHeaderLength);
}

bool CheckRoot(Context& context) {
  if (context.tables_size > kMaxTablesSize) {
    Refuse(context, rule::kFileSize, {},
           fmt::format("The flatbuffer takes {} bytes. Its offsets reach {} at most.",
                       context.tables_size, kMaxTablesSize));
    return false;
  }
  const auto root = NumberAt<uint32_t>(context.file, 0);
  if (root >= kHeaderAt && root <= context.tables_size - 4) return true;
  Refuse(context, rule::kFileRoot, {.bytes = ByteRange{0, 4}},
         fmt::format("The offset of the root table is {}. The tables lie in bytes 8 to {}.", root,
                     context.tables_size));
  return false;
}

}  // namespace

std::optional<Layout> ReadLayout(Context& context) {
  if (!CheckStart(context)) return std::nullopt;
  Layout layout;
  layout.has_header = HasHeader(context.file);
  context.tables_size = context.file.size();
  if (layout.has_header && !ReadHeader(context)) return std::nullopt;
  if (!CheckRoot(context)) return std::nullopt;
  return layout;
}

}  // namespace pteproof::reader

// Idea. The flatbuffer is built without a header; the extended header is then inserted behind the
// identifier, and the segments follow at the next aligned byte. All offsets in a flatbuffer are
// relative, except for that of the root, which grows by the length of the header.
//
//   0     4      8               40                tables_size    base
//   root  ET12   eh00 header     tables ...        padding        segments ...
//
// Invariant: the size of the tables is bounded before they are built, so that no offset overflows.
// Cost: O(bytes written).
#include <fmt/format.h>

#include <cstring>
#include <span>

#include "pteproof/write.h"
#include "runtime/writer/program_tables.h"
#include "runtime/writer/segment_area.h"
#include "runtime/writer/stored_data.h"

namespace pteproof {
namespace {

constexpr size_t kNewHeaderAt = 8;  // behind the root's offset and the identifier
// Its length keeps the alignment of what it is inserted before.
constexpr uint32_t kNewHeaderLength = 32;
constexpr uint64_t kMostTables = FLATBUFFERS_MAX_BUFFER_SIZE - 1 - kNewHeaderLength;

template <class T>
void AppendNumber(std::vector<std::byte>& file, T number) {
  const T little = flatbuffers::EndianScalar(number);
  const auto bytes = std::as_bytes(std::span(&little, 1));
  file.insert(file.end(), bytes.begin(), bytes.end());
}

void Append(std::vector<std::byte>& file, Bytes bytes) {
  file.insert(file.end(), bytes.begin(), bytes.end());
}

uint64_t Aligned(uint64_t size) {
  return (size + writer::kSegmentAlignment - 1) / writer::kSegmentAlignment *
         writer::kSegmentAlignment;
}

// The tables with the extended header inserted, and the segments behind them.
std::vector<std::byte> WithSegments(Bytes tables, const writer::SegmentArea& area) {
  const uint64_t tables_size = tables.size() + kNewHeaderLength;
  const uint64_t base = Aligned(tables_size);
  std::vector<std::byte> file;
  file.reserve(base + area.size);
  AppendNumber(file, flatbuffers::ReadScalar<uint32_t>(tables.data()) + kNewHeaderLength);
  Append(file, tables.subspan(sizeof(uint32_t), kNewHeaderAt - sizeof(uint32_t)));
  Append(file, std::as_bytes(std::span("eh00", 4)));
  AppendNumber(file, kNewHeaderLength);
  AppendNumber(file, tables_size);
  AppendNumber(file, base);
  AppendNumber(file, area.size);
  Append(file, tables.subspan(kNewHeaderAt));
  for (const writer::PlacedBytes& content : area.content) {
    file.resize(base + content.offset);
    Append(file, content.bytes);
  }
  return file;
}

}  // namespace

Result<std::vector<std::byte>, std::string> WriteProgram(const Program& program) {
  const uint64_t bound = writer::TablesBound(program);
  if (bound > kMostTables) {
    return fmt::format(
        "The tables of the program may take {} bytes without stored data. A flatbuffer holds {} "
        "bytes. Split the program into several files.",
        bound, kMostTables);
  }
  const auto stored = writer::GatherStoredData(program);
  if (!stored.ok()) return stored.error();
  const writer::SegmentArea area = writer::LayOutSegments(program, stored.value());
  writer::TableWriter writer{.stored = stored.value(), .area = area};
  writer::WriteProgramTables(writer, program);
  const Bytes tables =
      std::as_bytes(std::span(writer.builder.GetBufferPointer(), writer.builder.GetSize()));
  if (area.size > 0) return WithSegments(tables, area);
  return std::vector<std::byte>(tables.begin(), tables.end());
}

}  // namespace pteproof

#include "runtime/reader/segments.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked_math.h"
#include "runtime/file_rules.h"

namespace pteproof::reader {
namespace {

constexpr uint64_t kSegmentCharge = 8;
constexpr uint64_t kInlineCharge = 16;
constexpr uint64_t kNamedCharge = 16;

// Why a segment of at least one byte cannot be where it says; empty: it can.
std::string SegmentFault(const Context& context, const schema::Segment& segment) {
  const auto begin = CheckedAdd(context.segment_base, segment.offset());
  const auto end = begin.has_value() ? CheckedAdd(*begin, segment.size()) : std::nullopt;
  if (!end.has_value()) return "its end does not fit in 64 bits";
  if (*end > context.segment_end) {
    return fmt::format("it ends at byte {}, but the segment area ends at {}", *end,
                       context.segment_end);
  }
  if (*begin < context.tables_size) {
    return fmt::format("it begins at byte {}, inside the flatbuffer, which ends at {}", *begin,
                       context.tables_size);
  }
  return {};
}

void CheckSegment(Context& context, const schema::Segment& segment, uint32_t index) {
  if (segment.size() == 0) return;
  const std::string fault = SegmentFault(context, segment);
  if (fault.empty()) return;
  context.segments_known = false;
  Refuse(context, rule::kFileSegments, {.bytes = At(context, &segment)},
         fmt::format("Segment {} (offset {}, {} bytes) is misplaced: {}.", index, segment.offset(),
                     segment.size(), fault));
}

bool RefuseConstants(Context& context, const void* wire, std::string explanation) {
  context.constants_known = false;
  Refuse(context, rule::kFileConstantData, {.bytes = At(context, wire)}, std::move(explanation));
  return false;
}

bool RefuseInitialValues(Context& context, const void* wire, std::string explanation) {
  context.initial_values_known = false;
  Refuse(context, rule::kFileMutableData, {.bytes = At(context, wire)}, std::move(explanation));
  return false;
}

// Cuts a segment at the offsets of `wire`; entry 0 is reserved and stays empty. `refuse` says what
// is wrong.
template <class RefuseFn>
bool CutSegment(Context& context, const schema::SegmentOffsets& wire, RefuseFn refuse,
                std::vector<Bytes>& out) {
  const WireVector<uint64_t>& offsets = *wire.offsets();
  const auto segment = SegmentBytes(context, wire.segment_index());
  if (!segment.has_value()) {
    return refuse(&wire, fmt::format("Its entries lie in segment {}. The file has {} segments.",
                                     wire.segment_index(), Count(context.segments)));
  }
  if (!Charge(context, uint64_t{8} * offsets.size())) return false;
  out.resize(offsets.size());
  if (!context.segments_known) return false;
  for (uint32_t i = 1; i < offsets.size(); ++i) {
    const uint64_t offset = Element(offsets, i);
    if (offset <= segment->size()) {
      out[i] = segment->subspan(offset);
      continue;
    }
    refuse(&offsets, fmt::format("Entry {} begins at byte {} of a segment of {} bytes.", i, offset,
                                 segment->size()));
    if (context.Stopped()) return false;
  }
  return true;
}

void ReadInlineConstants(Context& context, const WireTables<schema::InlineConstant>* wire,
                         Program& out) {
  const uint32_t count = Count(wire);
  if (!Charge(context, kInlineCharge * count)) return;
  out.constants.resize(count);
  for (uint32_t i = 1; i < count; ++i) {
    const WireVector<uint8_t>* bytes = wire->Get(i)->bytes();
    if (bytes != nullptr) out.constants[i] = InFile(context, *bytes);
  }
}

bool CheckNamedEntry(Context& context, const schema::NamedSegment& entry, uint32_t index) {
  if (entry.key() == nullptr) {
    Refuse(context, rule::kFileNamedData, {.bytes = At(context, &entry)},
           fmt::format("Entry {} of the named data has no key.", index));
    return false;
  }
  if (SegmentBytes(context, entry.segment_index()).has_value()) return true;
  Refuse(context, rule::kFileNamedData, {.bytes = At(context, &entry)},
         fmt::format("The data named \"{}\" lie in segment {}. The file has {} segments.",
                     View(entry.key()), entry.segment_index(), Count(context.segments)));
  return false;
}

void CheckKeysDiffer(Context& context, const std::vector<NamedBlob>& blobs) {
  std::vector<std::string_view> keys;
  keys.reserve(blobs.size());
  for (const NamedBlob& blob : blobs) keys.push_back(blob.key);
  std::ranges::sort(keys);
  for (auto same = std::ranges::adjacent_find(keys); same != keys.end();
       same = std::adjacent_find(same + 1, keys.end())) {
    Refuse(context, rule::kFileNamedData, {},
           fmt::format("Two entries of the named data have the key \"{}\".\nA delegate would get "
                       "one of the two by chance.",
                       *same));
    if (context.Stopped()) return;
  }
}

}  // namespace

void ReadSegments(Context& context, const schema::Program& wire, const Layout& layout) {
  context.segments = wire.segments();
  const uint32_t count = Count(context.segments);
  if (!Charge(context, kSegmentCharge * count)) return;
  for (uint32_t i = 0; i < count && !context.Stopped(); ++i) {
    const schema::Segment& segment = *context.segments->Get(i);
    if (!layout.has_header && segment.size() > 0) {
      context.segments_known = false;
      Refuse(
          context, rule::kFileHeader, {.bytes = ByteRange{8, 12}},
          fmt::format("Segment {} has {} bytes, but the file has no extended header with the place "
                      "of the segments.\nBytes 8 to 11 of a file with a header are \"eh00\".",
                      i, segment.size()));
      return;
    }
    CheckSegment(context, segment, i);
  }
}

std::optional<Bytes> SegmentBytes(const Context& context, uint64_t index) {
  if (index >= Count(context.segments)) return std::nullopt;
  const schema::Segment& segment = *context.segments->Get(static_cast<uint32_t>(index));
  if (!context.segments_known || segment.size() == 0) return Bytes{};
  return context.file.subspan(context.segment_base + segment.offset(), segment.size());
}

void ReadConstants(Context& context, const schema::Program& wire, Program& out) {
  const schema::SegmentOffsets* constants = wire.constants();
  const uint32_t count = constants == nullptr ? 0 : Count(constants->offsets());
  if (count == 0) return ReadInlineConstants(context, wire.inline_constants(), out);
  const auto refuse = [&](const void* at, std::string_view explanation) {
    return RefuseConstants(context, at,
                           fmt::format("The table of constants is wrong. {}", explanation));
  };
  if (count == 1) {
    out.constants.resize(1);
  } else if (Count(wire.inline_constants()) > 0) {
    refuse(constants,
           "Constants are stored both inline and in a segment. Only one of the two is allowed.");
  } else if (!CutSegment(context, *constants, refuse, out.constants)) {
    context.constants_known = false;
  }
}

void ReadInitialValues(Context& context, const schema::Program& wire, Program& out) {
  if (Count(wire.initial_values()) == 0) return;
  const schema::SegmentOffsets& values = *wire.initial_values()->Get(0);
  if (!Charge(context, kInlineCharge) || Count(values.offsets()) < 2) return;
  const auto refuse = [&](const void* at, std::string_view explanation) {
    return RefuseInitialValues(
        context, at, fmt::format("The table of initial values is wrong. {}", explanation));
  };
  if (!CutSegment(context, values, refuse, out.initial_values))
    context.initial_values_known = false;
}

void ReadNamedData(Context& context, const schema::Program& wire, Program& out) {
  const uint32_t count = Count(wire.named_data());
  if (count == 0 || !Charge(context, kNamedCharge * count)) return;
  out.named_data.reserve(count);
  for (uint32_t i = 0; i < count && !context.Stopped(); ++i) {
    const schema::NamedSegment& entry = *wire.named_data()->Get(i);
    if (!CheckNamedEntry(context, entry, i)) continue;
    if (!Charge(context, kStringCharge + entry.key()->size())) return;
    out.named_data.push_back(
        {std::string(View(entry.key())), *SegmentBytes(context, entry.segment_index())});
  }
  CheckKeysDiffer(context, out.named_data);
}

}  // namespace pteproof::reader

// Idea. Stored bytes follow the tables in one area, in segments that each start at a multiple of
// kSegmentAlignment; constants lie at multiples of 16 in the first of them.
//
//   tables | pad | segment 0: constants | pad | segment 1: initial values | pad | blobs ...
//
// Equal blobs of delegates and named data share a segment. Invariant: content ascends by offset
// without overlap, and a segment without bytes lies at the start of the area. Cost: O(bytes) for
// the comparison of blobs by content, else O(blobs).
#include "runtime/writer/segment_area.h"

namespace pteproof::writer {
namespace {

constexpr uint64_t Aligned(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

void Append(SegmentArea& area, Bytes bytes) {
  area.content.push_back({area.size, bytes});
  area.size += bytes.size();
}

// Begins a segment behind what there is.
SegmentPlace& Begin(SegmentArea& area) {
  const uint64_t start = Aligned(area.size, kSegmentAlignment);
  return area.segments.emplace_back(SegmentPlace{start, 0});
}

// One segment of many blobs; their offsets in it, after a reserved one. Blobs of no bytes lie at
// its start, which is never past its end.
std::vector<uint64_t> AppendTable(SegmentArea& area, const std::vector<Bytes>& blobs,
                                  uint64_t alignment) {
  SegmentPlace& segment = Begin(area);
  std::vector<uint64_t> offsets = {0};
  for (const Bytes blob : blobs) {
    const uint64_t offset = blob.empty() ? 0 : Aligned(segment.size, alignment);
    offsets.push_back(offset);
    if (blob.empty()) continue;
    area.size = segment.offset + offset;
    Append(area, blob);
    segment.size = offset + blob.size();
  }
  return offsets;
}

// A segment without bytes lies at the area's start, where loaders find no fault with it.
void AppendSegment(SegmentArea& area, Bytes blob) {
  if (blob.empty()) {
    area.segments.push_back({});
    return;
  }
  SegmentPlace& segment = Begin(area);
  segment.size = blob.size();
  area.size = segment.offset;
  Append(area, blob);
}

}  // namespace

SegmentArea LayOutSegments(const Program& program, const StoredData& stored) {
  SegmentArea area;
  area.constant_offsets = AppendTable(area, stored.constants.kept.blobs, kConstantAlignment);
  if (!stored.initial_values.kept.blobs.empty())
    area.initial_offsets = AppendTable(area, stored.initial_values.kept.blobs, 1);
  const auto first = static_cast<uint32_t>(area.segments.size());
  BlobTable blobs;
  for (const Method& method : program.methods) {
    for (const Delegate& delegate : method.delegates) {
      area.delegate_segments.push_back(
          delegate.blob.empty() ? kInline : first + NumberOf(blobs, delegate.blob));
    }
  }
  for (const NamedBlob& named : program.named_data)
    area.named_segments.push_back(first + NumberOf(blobs, named.blob));
  for (const Bytes blob : blobs.blobs) AppendSegment(area, blob);
  return area;
}

}  // namespace pteproof::writer

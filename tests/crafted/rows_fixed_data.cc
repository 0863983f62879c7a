#include <limits>
#include <utility>

#include "runtime/file_rules.h"
#include "tests/crafted/rows.h"

namespace pteproof::crafted {
namespace {

Row RootRow(std::string file, std::function<uint32_t(const std::string&)> offset,
            std::string subject) {
  return Patched(
      std::move(file), rule::kFileRoot, "B-19", std::move(subject),
      [offset = std::move(offset)](std::string& bytes) { Patch32(bytes, 0, offset(bytes)); });
}

// As the header says it; below 64 KiB.
uint32_t FlatbufferSize(const std::string& bytes) {
  return static_cast<uint32_t>(static_cast<unsigned char>(bytes.at(16))) |
         static_cast<uint32_t>(static_cast<unsigned char>(bytes.at(17))) << 8;
}

// Constants in the legacy place: entry 0 is a placeholder, entry 1 is w.
void UseInlineConstant(Draft& d, Ref bytes) {
  Ref entry = Table();
  entry->Set(0, std::move(bytes));
  d.header = false;
  d.root->Remove(program::kSegments);
  d.root->Remove(program::kConstants);
  d.root->Set(program::kInlineConstants, References({Table(), entry}));
}

Rows ContainerRows() {
  return {
      Patched("file-ends-inside-segment.pte", rule::kFileHeader, "B-07",
              "the file was cut 8 bytes before the end that its header names",
              [](std::string& bytes) { bytes.resize(bytes.size() - 8); }),
      RootRow(
          "root-offset-zero.pte", [](const std::string&) { return 0U; },
          "the root table is said to be at byte 0"),
      RootRow(
          "root-offset-in-identifier.pte", [](const std::string&) { return 4U; },
          "the root table is said to be at byte 4"),
      RootRow(
          "root-offset-at-last-bytes.pte",
          [](const std::string& bytes) { return FlatbufferSize(bytes) - 2; },
          "the root table is said to be two bytes before the end"),
      RootRow(
          "root-offset-4-gib.pte", [](const std::string&) { return 0xFFFFFFFFU; },
          "the root table is said to be 4 GiB away"),
      Patched("header-sum-wraps.pte", rule::kFileHeader, "B-20",
              "segment base plus data size of the header wrap 64 bits",
              [](std::string& bytes) { Patch64(bytes, 24, std::numeric_limits<uint64_t>::max()); }),
  };
}

Rows SegmentRows() {
  return {
      Spoiled("segment-end-wraps.pte", rule::kFileSegments, "B-12",
              "offset plus size of a segment wrap 64 bits",
              [](Draft& d) { SegmentAt(d, 0).SetScalar(segment::kOffset, 8, ~uint64_t{7}); }),
      Spoiled("constant-offset-wraps.pte", rule::kFileConstantData, "B-20",
              "offset plus size of a constant wrap 64 bits",
              [](Draft& d) {
                d.root->Get(program::kConstants)->Set(segment::kOffsets, ULongs({0, ~uint64_t{7}}));
              }),
      Spoiled("delegate-segment-wraps-to-file-start.pte", rule::kFileSegments, "B-26",
              "a delegate's segment lies at the file's start, by wrapping",
              [](Draft& d) {
                const int32_t added = AddSegment(d, "delegate's blob.");
                AddDelegate(d, 1, static_cast<uint32_t>(added));
                SegmentAt(d, 1).SetScalar(segment::kOffset, 8, 0);
                SegmentAt(d, 1).SetScalar(segment::kOffset, 8, 0 - SegmentBase(d));
              }),
      Spoiled("initial-values-segment-wraps-to-file-start.pte", rule::kFileSegments, "B-26",
              "the segment of initial values lies at the file's start, by wrapping",
              [](Draft& d) {
                AddInitialised(d, 1, "sixteen bytes...");
                SegmentAt(d, 1).SetScalar(segment::kOffset, 8, 0 - SegmentBase(d));
              }),
      Spoiled("delegate-segment-without-segments.pte", rule::kFileDelegate, "B-28",
              "a delegate's blob lies in a segment; the file has a header but no segments",
              [](Draft& d) {
                d = ProgramWithoutSegments();
                d.header = true;
                d.area = "sixteen bytes...";
                d.root->Remove(program::kSegments);
                AddDelegate(d, 1, 0);
              }),
      Spoiled("initial-values-without-segments.pte", rule::kFileMutableData, "B-28",
              "a tensor has an initial value; the file has a header but no segments",
              [](Draft& d) {
                d = ProgramWithoutSegments();
                AddInitialised(d, 1, "sixteen bytes...");
                d.header = true;
                d.root->Remove(program::kSegments);
              }),
  };
}

Rows StoredRows() {
  return {
      Spoiled("inline-constant-too-short.pte", rule::kFileConstantData, "B-13",
              "a constant in the legacy place has 4 of its tensor's 16 bytes",
              [](Draft& d) { UseInlineConstant(d, Bytes8("four", 16)); }),
      Spoiled("inline-constant-without-bytes.pte", rule::kFileConstantData, "B-13",
              "a constant in the legacy place has no bytes",
              [](Draft& d) { UseInlineConstant(d, nullptr); }),
      Spoiled("constants-in-both-places.pte", rule::kFileConstantData, "B-34",
              "constants are stored in a segment and in the legacy place",
              [](Draft& d) {
                Ref entry = Table();
                entry->Set(0, Bytes8("sixteen bytes...", 16));
                d.root->Set(program::kInlineConstants, References({Table(), entry}));
              }),
      Spoiled("inline-blob-without-table.pte", rule::kFileDelegate, "B-30 C-06 S-25",
              "a delegate's blob is inline; the file has no inline blobs",
              [](Draft& d) { AddDelegate(d, 0, 0); }),
      Spoiled("method-without-name.pte", rule::kFileMethodName, "B-11 S-49", "a method has no name",
              [](Draft& d) { Plan(d).Remove(method::kName); }),
      Spoiled("method-without-delegate-list.pte", rule::kFilePlan, "B-31 S-31",
              "a method has no list of delegates",
              [](Draft& d) { Plan(d).Remove(method::kDelegates); }),
      Spoiled("input-out-of-range.pte", rule::kFileIo, "B-01 S-18",
              "an input names a value past the last",
              [](Draft& d) { SetIo(d, {kX, kValueCount}, {kY}); }),
      Spoiled("input-minus-one.pte", rule::kFileIo, "B-01 S-18", "an input names value -1",
              [](Draft& d) { SetIo(d, {kX, -1}, {kY}); }),
      Spoiled("output-out-of-range.pte", rule::kFileIo, "B-01 S-18",
              "an output names a value past the last",
              [](Draft& d) { SetIo(d, {kX}, {kY, kValueCount}); }),
      Spoiled("output-minus-one.pte", rule::kFileIo, "B-01 S-18", "an output names value -1",
              [](Draft& d) { SetIo(d, {kX}, {kY, -1}); }),
  };
}

}  // namespace

Rows FixedDataRows() {
  Rows rows = ContainerRows();
  for (Rows part : {SegmentRows(), StoredRows()}) {
    for (Row& row : part) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace pteproof::crafted

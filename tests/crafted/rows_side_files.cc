#include <utility>

#include "runtime/data_rules.h"
#include "tests/crafted/rows.h"

namespace pteproof::crafted {
namespace {

Row SpoiledData(std::string file, std::string_view rule, std::string_view row, std::string subject,
                std::function<void(DataDraft&)> change) {
  return {std::move(file), rule, row, "read", std::move(subject), [change = std::move(change)] {
            DataDraft draft = BaseData();
            change(draft);
            return FileBytes(draft);
          }};
}

Row PatchedData(std::string file, std::string_view rule, std::string_view row, std::string subject,
                std::function<void(std::string&)> patch) {
  return {std::move(file), rule, row, "read", std::move(subject), [patch = std::move(patch)] {
            std::string bytes = FileBytes(BaseData());
            patch(bytes);
            return bytes;
          }};
}

Row SpoiledBundle(std::string file, std::string_view rule, std::string_view row,
                  std::string subject, std::function<void(BundleDraft&)> change) {
  return {std::move(file), rule, row, "read", std::move(subject), [change = std::move(change)] {
            BundleDraft draft = BaseBundle();
            change(draft);
            return FileBytes(draft);
          }};
}

Rows DataHeaderRows() {
  return {
      PatchedData("data-header-sum-wraps.ptd", rule::kDataHeader, "C-14",
                  "segment base plus data size of the header wrap 64 bits",
                  [](std::string& bytes) { Patch64(bytes, 40, ~uint64_t{15}); }),
      PatchedData("data-file-cut.ptd", rule::kDataTruncated, "G-01",
                  "the file ends 8 bytes before the end that its header names",
                  [](std::string& bytes) { bytes.resize(bytes.size() - 8); }),
      PatchedData("data-root-offset-4-gib.ptd", rule::kDataRoot, "G-04",
                  "the root table is said to be 4 GiB away",
                  [](std::string& bytes) { Patch32(bytes, 0, 0xFFFFFFF0); }),
      PatchedData("data-vtable-outside-file.ptd", rule::kDataFlatbuffer, "G-07",
                  "the root table's vtable lies before the file's start",
                  [](std::string& bytes) {
                    Patch32(bytes, static_cast<unsigned char>(bytes[0]), 0x7FFFFFFF);
                  }),
      SpoiledData("data-forged-length-of-entries.ptd", rule::kDataFlatbuffer, "G-07",
                  "the length in front of the entries is 2^28",
                  [](DataDraft& d) { d.root->Get(data::kEntries)->forged_length = 0x10000000; }),
      SpoiledData("data-schema-version-newer.ptd", rule::kDataIdentifier, "1.5.1",
                  "the schema version is 1, and runtimes know 0",
                  [](DataDraft& d) { d.root->SetScalar(data::kVersion, 4, 1); }),
      SpoiledData("data-forged-length-of-key.ptd", rule::kDataFlatbuffer, "G-07",
                  "the length in front of a key is 2^28",
                  [](DataDraft& d) { EntryAt(d, 0).Get(data::kKey)->forged_length = 0x10000000; }),
  };
}

Rows DataEntryRows() {
  return {
      SpoiledData("data-layout-without-sizes.ptd", rule::kDataLayout, "C-15",
                  "a tensor's layout has no sizes",
                  [](DataDraft& d) { LayoutAt(d, 0).Remove(data::kSizes); }),
      SpoiledData("data-layout-without-dim-order.ptd", rule::kDataLayout, "C-15",
                  "a tensor's layout has no dim_order",
                  [](DataDraft& d) { LayoutAt(d, 0).Remove(data::kDimOrder); }),
      SpoiledData(
          "data-dim-order-too-short.ptd", rule::kDataLayout, "B-15",
          "a tensor of two dimensions has one entry in its dim_order",
          [](DataDraft& d) { LayoutAt(d, 0).Set(data::kDimOrder, Bytes8(std::string("\0", 1))); }),
      SpoiledData("data-segment-shorter-than-tensor.ptd", rule::kDataShort, "C-16 G-05 G-08",
                  "a tensor of 4,096 bytes has a segment of 16",
                  [](DataDraft& d) { LayoutAt(d, 0).Set(data::kSizes, Ints({32, 32})); }),
      SpoiledData("data-layout-size-overflow.ptd", rule::kDataLayout, "G-02",
                  "three sizes of 2^31 - 1 multiply to more than 64 bits",
                  [](DataDraft& d) {
                    LayoutAt(d, 0)
                        .Set(data::kSizes, Ints({2147483647, 2147483647, 2147483647}))
                        .Set(data::kDimOrder, Bytes8(std::string("\0\1\2", 3)));
                  }),
      SpoiledData(
          "data-segment-end-wraps.ptd", rule::kDataSegment, "G-03",
          "offset plus size of a segment wrap 64 bits",
          [](DataDraft& d) { DataSegmentAt(d, 1).SetScalar(segment::kOffset, 8, ~uint64_t{7}); }),
      SpoiledData("data-segment-past-end.ptd", rule::kDataSegment, "G-06",
                  "a segment's last 8 bytes lie past the file's end",
                  [](DataDraft& d) { DataSegmentAt(d, 1).SetScalar(segment::kOffset, 8, 24); }),
      SpoiledData("data-key-twice.ptd", rule::kDataDuplicateKey, "G-12",
                  "two entries have the same key",
                  [](DataDraft& d) { EntryAt(d, 1).Set(data::kKey, Text("a")); }),
  };
}

Rows BundleRows() {
  const std::string four_floats(16, '\0');
  return {
      Checked(SpoiledBundle("bundle-case-with-extra-input.bpte", rule::kBundleArity, "C-02 G-10",
                            "a test case has two inputs; the method has one",
                            [four_floats](BundleDraft& d) {
                              CaseAt(d, 0, 0)
                                  .Get(bundle::kInputs)
                                  ->references.push_back(BundleTensorValue({2, 2}, four_floats));
                            })),
      Checked(SpoiledBundle(
          "bundle-case-without-input.bpte", rule::kBundleArity, "C-02 G-10",
          "a test case has no input; the method has one",
          [](BundleDraft& d) { CaseAt(d, 0, 0).Get(bundle::kInputs)->references.clear(); })),
      Checked(SpoiledBundle("bundle-case-with-extra-output.bpte", rule::kBundleArity, "G-10",
                            "a test case expects two outputs; the method has one",
                            [four_floats](BundleDraft& d) {
                              CaseAt(d, 0, 0)
                                  .Get(bundle::kExpected)
                                  ->references.push_back(BundleTensorValue({2, 2}, four_floats));
                            })),
      SpoiledBundle("bundle-tensor-shorter-than-sizes.bpte", rule::kBundleDataLength, "G-09",
                    "an input of 4,096 bytes has 4",
                    [](BundleDraft& d) {
                      CaseAt(d, 0, 0).Get(bundle::kInputs)->references[0] =
                          BundleTensorValue({1024}, std::string(4, '\0'));
                    }),
      SpoiledBundle("bundle-suite-without-method.bpte", rule::kBundleSuite, "G-11",
                    "a test suite names no method",
                    [](BundleDraft& d) { SuiteAt(d, 0).Remove(bundle::kMethod); }),
      SpoiledBundle("bundle-suite-without-cases.bpte", rule::kBundleSuite, "G-11",
                    "a test suite has no list of cases",
                    [](BundleDraft& d) { SuiteAt(d, 0).Remove(bundle::kCases); }),
      SpoiledBundle("bundle-program-too-short.bpte", rule::kBundleProgram, "G-11",
                    "the program inside has 63 bytes",
                    [](BundleDraft& d) {
                      d.root->Set(bundle::kProgram,
                                  Bytes8(FileBytes(BaseProgram()).substr(0, 63), 32));
                    }),
      SpoiledBundle("bundle-without-program.bpte", rule::kBundleProgram, "G-11",
                    "there is no program inside",
                    [](BundleDraft& d) { d.root->Remove(bundle::kProgram); }),
  };
}

}  // namespace

Rows SideFileRows() {
  Rows rows = DataHeaderRows();
  for (Rows part : {DataEntryRows(), BundleRows()}) {
    for (Row& row : part) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace pteproof::crafted

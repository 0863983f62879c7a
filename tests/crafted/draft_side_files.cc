#include <utility>

#include "tests/crafted/draft.h"

namespace pteproof::crafted {
namespace {

constexpr size_t kDataHeaderGap = 48;  // 40 bytes, padded
constexpr size_t kDataHeaderLength = 40;

Ref DataSegment(uint64_t offset, uint64_t size) {
  Ref table = Table();
  table->SetScalar(segment::kOffset, 8, offset).SetScalar(segment::kSize, 8, size);
  return table;
}

Ref Entry(std::string_view key, uint32_t segment_index) {
  Ref layout = Table();
  layout->SetScalar(data::kType, 1, kFloat32)
      .Set(data::kSizes, Ints({2, 2}))
      .Set(data::kDimOrder, Bytes8(std::string("\0\1", 2)));
  Ref table = Table();
  table->Set(data::kKey, Text(key))
      .SetScalar(data::kSegmentIndex, 4, segment_index)
      .Set(data::kLayoutTable, layout);
  return table;
}

Ref EarlyTensor(std::string_view name, uint64_t offset) {
  Ref table = Table();
  table->Set(early_data::kName, Text(name))
      .SetScalar(early_data::kType, 1, kFloat32)
      .Set(early_data::kSizes, Ints({2, 2}))
      .Set(early_data::kDimOrder, Bytes8(std::string("\0\1", 2)))
      .SetScalar(early_data::kSegmentIndex, 4, 0)
      .SetScalar(early_data::kOffset, 8, offset);
  return table;
}

std::string FourFloats(char high) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += std::string("\0\0\x80", 3) + high;
  return bytes;
}

}  // namespace

DataDraft BaseData() {
  DataDraft draft;
  draft.root = Table();
  draft.root->SetScalar(data::kVersion, 4, 0)
      .Set(data::kSegments, References({DataSegment(0, 16), DataSegment(16, 16)}))
      .Set(data::kEntries, References({Entry("a", 0), Entry("b", 1)}));
  draft.area = FourFloats('\x3f') + FourFloats('\x40');
  return draft;
}

DataDraft EarlyData() {
  DataDraft draft;
  draft.root = Table();
  draft.root->SetScalar(early_data::kVersion, 4, 0)
      .SetScalar(early_data::kAlignment, 4, 16)
      .Set(early_data::kTensors, References({EarlyTensor("a", 0), EarlyTensor("b", 16)}))
      .Set(early_data::kSegments, References({DataSegment(0, 32)}));
  draft.area = FourFloats('\x3f') + FourFloats('\x40');
  return draft;
}

std::string FileBytes(const DataDraft& draft) {
  std::string bytes = Serialize(draft.root, "FT01", kDataHeaderGap).bytes;
  bytes.resize((bytes.size() + 15) / 16 * 16, '\0');
  bytes.replace(8, 4, "FH01");
  Patch32(bytes, 12, kDataHeaderLength);
  Patch64(bytes, 16, kDataHeaderGap);
  Patch64(bytes, 24, bytes.size() - kDataHeaderGap);
  Patch64(bytes, 32, bytes.size());
  Patch64(bytes, 40, draft.area.size());
  return bytes + draft.area;
}

Object& EntryAt(const DataDraft& draft, size_t entry) {
  return *draft.root->Get(data::kEntries)->references.at(entry);
}

Object& DataSegmentAt(const DataDraft& draft, size_t segment) {
  return *draft.root->Get(data::kSegments)->references.at(segment);
}

Object& LayoutAt(const DataDraft& draft, size_t entry) {
  return *EntryAt(draft, entry).Get(data::kLayoutTable);
}

Ref BundleTensorValue(const std::vector<int32_t>& sizes, std::string_view bytes) {
  std::string dim_order;
  for (size_t i = 0; i < sizes.size(); ++i) dim_order.push_back(static_cast<char>(i));
  Ref tensor = Table();
  tensor->SetScalar(bundle::kType, 1, kFloat32)
      .Set(bundle::kSizes, Ints(sizes))
      .Set(bundle::kBytes, Bytes8(bytes, 16))
      .Set(bundle::kDimOrder, Bytes8(dim_order));
  Ref held = Table();
  held->SetScalar(bundle::kTag, 1, bundle::kTensor).Set(bundle::kHeld, tensor);
  return held;
}

BundleDraft BaseBundle() {
  Ref test = Table();
  test->Set(bundle::kInputs, References({BundleTensorValue({2, 2}, FourFloats('\x3f'))}))
      .Set(bundle::kExpected,
           References({BundleTensorValue({2, 2}, std::string("\0\0\0\x40\0\0\0\x40"
                                                             "\0\0\0\x40\0\0\0\x40",
                                                             16))}));
  Ref suite = Table();
  suite->Set(bundle::kMethod, Text("forward")).Set(bundle::kCases, References({test}));
  BundleDraft draft;
  draft.root = Table();
  draft.root->SetScalar(bundle::kVersion, 4, 2)
      .Set(bundle::kSuites, References({suite}))
      .Set(bundle::kProgram, Bytes8(FileBytes(BaseProgram()), 32));
  return draft;
}

std::string FileBytes(const BundleDraft& draft) {
  return Serialize(draft.root, "BP08", 16).bytes;
}

Object& SuiteAt(const BundleDraft& draft, size_t suite) {
  return *draft.root->Get(bundle::kSuites)->references.at(suite);
}

Object& CaseAt(const BundleDraft& draft, size_t suite, size_t test) {
  return *SuiteAt(draft, suite).Get(bundle::kCases)->references.at(test);
}

}  // namespace pteproof::crafted

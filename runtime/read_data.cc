#include "runtime/read_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/within_memory.h"
#include "flat_tensor_early_generated.h"
#include "flat_tensor_generated.h"
#include "runtime/data_container.h"
#include "runtime/data_rules.h"
#include "runtime/decode_budget.h"
#include "runtime/finding_list.h"
#include "runtime/schema_version.h"
#include "runtime/verify_flatbuffer.h"

namespace pteproof {
namespace {

namespace current = schema::flat_tensor;
namespace early = schema::flat_tensor_early;

struct DataDecoder {
  const DataContainer& container;
  DecodeBudget budget;
  FindingList findings;
  std::vector<Bytes> segments;
  DataFile file;
};

// What both formats say of one entry. The blob is empty where it could not be had.
struct RawEntry {
  const flatbuffers::String* key = nullptr;
  bool is_tensor = false;
  int element_type = 0;
  const flatbuffers::Vector<int32_t>* sizes = nullptr;
  const flatbuffers::Vector<uint8_t>* dim_order = nullptr;
  Bytes blob;
};

void AddAmplification(DataDecoder& d) {
  d.findings.Add(rule::kDataAmplification,
                 "The entries refer to the same bytes so often that their content is far larger "
                 "than the file.");
}

// Fetches every segment; a bad one stays empty.
template <class Segments>
void ReadSegments(DataDecoder& d, const Segments* segments) {
  if (segments == nullptr) {
    d.findings.Add(rule::kDataSegment, "The file has no list of segments.");
    return;
  }
  if (!d.budget.Spend(sizeof(Bytes) * uint64_t{segments->size()})) return AddAmplification(d);
  d.segments.reserve(segments->size());
  for (flatbuffers::uoffset_t i = 0; i < segments->size(); ++i) {
    const auto* segment = segments->Get(i);
    const auto bytes = SegmentOf(d.container, segment->offset(), segment->size());
    if (!bytes) {
      d.findings.Add(
          rule::kDataSegment,
          fmt::format("Segment {} has {} bytes at offset {}. The segment area has {} bytes.", i,
                      segment->size(), segment->offset(), d.container.segments.size()));
    }
    d.segments.push_back(bytes.value_or(Bytes{}));
  }
}

std::optional<Bytes> SegmentAt(DataDecoder& d, const flatbuffers::String* key, uint32_t index) {
  if (index < d.segments.size()) return d.segments[index];
  d.findings.Add(rule::kDataSegment,
                 fmt::format("Entry '{}' lies in segment {}. The file has {} segments.",
                             Shown(View(key)), index, d.segments.size()));
  return std::nullopt;
}

std::optional<DenseLayout> LayoutOf(DataDecoder& d, const RawEntry& raw) {
  if (raw.sizes == nullptr || raw.dim_order == nullptr) {
    d.findings.Add(rule::kDataLayout, fmt::format("Tensor '{}' has no {}.", Shown(View(raw.key)),
                                                  raw.sizes == nullptr ? "sizes" : "dim_order"));
    return std::nullopt;
  }
  const std::vector<int32_t> sizes = FirstOf(*raw.sizes, kMaxRank + 1);
  const std::vector<uint8_t> dim_order = FirstOf(*raw.dim_order, kMaxRank + 1);
  auto layout = MakeDenseLayout(raw.element_type, sizes, dim_order);
  if (!layout) {
    d.findings.Add(rule::kDataLayout,
                   fmt::format("Tensor '{}' {}.", Shown(View(raw.key)), layout.error()));
    return std::nullopt;
  }
  return std::move(layout).value();
}

// Both of these are false when the budget does not suffice.
bool ReserveEntries(DataDecoder& d, uint64_t count) {
  if (!d.budget.Spend(sizeof(DataEntry) * count)) return false;
  d.file.entries.reserve(count);
  return true;
}

bool AddEntry(DataDecoder& d, const RawEntry& raw) {
  const size_t key_size = raw.key == nullptr ? 0 : raw.key->size();
  const size_t shape_size = raw.is_tensor ? kMaxRank * 5 : 0;
  if (!d.budget.Spend(key_size + shape_size)) return false;
  if (key_size == 0) {
    d.findings.Add(rule::kDataKey, fmt::format("Entry {} has no name.", d.file.entries.size()));
  }
  DataEntry entry{std::string(View(raw.key)), std::nullopt, raw.blob};
  if (raw.is_tensor) entry.layout = LayoutOf(d, raw);
  if (entry.layout && raw.blob.data() != nullptr && raw.blob.size() < entry.layout->nbytes) {
    d.findings.Add(rule::kDataShort,
                   fmt::format("The sizes of tensor '{}' need {} bytes. {} are stored.",
                               Shown(entry.key), entry.layout->nbytes, raw.blob.size()));
  }
  d.file.entries.push_back(std::move(entry));
  return true;
}

void ReadCurrent(DataDecoder& d, const current::FlatTensor& root) {
  ReadSegments(d, root.segments());
  if (root.named_data() == nullptr) {
    d.findings.Add(rule::kDataKey, "The file has no list of entries.");
    return;
  }
  if (!ReserveEntries(d, root.named_data()->size())) return AddAmplification(d);
  for (flatbuffers::uoffset_t i = 0; i < root.named_data()->size(); ++i) {
    const current::NamedSegment& named = *root.named_data()->Get(i);
    RawEntry raw;
    raw.key = named.key();
    if (const current::TensorLayout* layout = named.layout()) {
      raw.is_tensor = true;
      raw.element_type = static_cast<int>(layout->element_type());
      raw.sizes = layout->sizes();
      raw.dim_order = layout->dim_order();
    }
    raw.blob = SegmentAt(d, named.key(), named.segment_index()).value_or(Bytes{});
    if (!AddEntry(d, raw)) return AddAmplification(d);
  }
}

void ReadEarly(DataDecoder& d, const early::FlatTensor& root) {
  ReadSegments(d, root.segments());
  if (root.tensors() == nullptr) {
    d.findings.Add(rule::kDataKey, "The file has no list of entries.");
    return;
  }
  if (!ReserveEntries(d, root.tensors()->size())) return AddAmplification(d);
  for (flatbuffers::uoffset_t i = 0; i < root.tensors()->size(); ++i) {
    const early::NamedTensor& named = *root.tensors()->Get(i);
    const auto segment = SegmentAt(d, named.name(), named.segment_index());
    if (segment && named.offset() > segment->size()) {
      d.findings.Add(rule::kDataSegment,
                     fmt::format("Tensor '{}' begins at byte {} of a segment of {} bytes.",
                                 Shown(View(named.name())), named.offset(), segment->size()));
      continue;
    }
    RawEntry raw{named.name(), true, named.element_type(), named.sizes(), named.dim_order(), {}};
    if (segment) raw.blob = segment->subspan(named.offset());
    if (!AddEntry(d, raw)) return AddAmplification(d);
  }
}

void CheckKeysDiffer(DataDecoder& d) {
  SortKeys(d.file);
  const auto key_at = [&](size_t i) -> std::string_view {
    return d.file.entries[d.file.by_key[i]].key;
  };
  for (size_t i = 1; i < d.file.by_key.size(); ++i) {
    const std::string_view key = key_at(i);
    const bool first_repeat = key == key_at(i - 1) && (i == 1 || key != key_at(i - 2));
    if (!first_repeat || key.empty()) continue;
    d.findings.Add(rule::kDataDuplicateKey,
                   fmt::format("Two entries have the name '{}'.", Shown(key)));
  }
}

// Only the early format has a fourth field in its root table.
bool IsEarly(const AlignedBytes& bytes) {
  if (!VerifyFlatbuffer<early::FlatTensor>(bytes, early::FlatTensorIdentifier())) return false;
  return early::GetFlatTensor(bytes.data())->segments() != nullptr;
}

void ReadEntriesOf(DataDecoder& d, const current::FlatTensor& wire) {
  if (wire.version() <= kSchemaVersion) return ReadCurrent(d, wire);
  Finding finding;
  finding.rule = rule::kDataIdentifier;
  finding.explanation =
      fmt::format("The data file has the schema version {}. The highest known version is {}.",
                  wire.version(), kSchemaVersion);
  finding.fix = kFixOfVersion;
  d.findings.Add(std::move(finding));
}

Result<DataFile, std::vector<Finding>> ReadEntries(Bytes file) {
  const auto container = ReadDataContainer(file);
  if (!container) return container.error();

  const AlignedBytes bytes(container.value().flatbuffer);
  DataDecoder d{container.value(), DecodeBudget(file.size()), {}, {}, {}};
  d.file.tables = container.value().flatbuffer.size();
  if (IsEarly(bytes)) {
    ReadEarly(d, *early::GetFlatTensor(bytes.data()));
  } else if (VerifyFlatbuffer<current::FlatTensor>(bytes, current::FlatTensorIdentifier())) {
    ReadEntriesOf(d, *current::GetFlatTensor(bytes.data()));
  } else {
    d.findings.Add(rule::kDataFlatbuffer,
                   "An offset, a length or the end of a text inside the flatbuffer is wrong.",
                   ByteRange{0, bytes.size()});
  }
  CheckKeysDiffer(d);
  if (!d.findings.empty()) return std::move(d.findings).Take();
  return std::move(d.file);
}

}  // namespace

const DataEntry* DataFile::Find(std::string_view key) const {
  if (by_key.size() != entries.size()) {
    const auto found = std::ranges::find(entries, key, &DataEntry::key);
    return found == entries.end() ? nullptr : &*found;
  }
  const auto key_at = [&](uint32_t i) -> std::string_view { return entries[i].key; };
  const auto found = std::ranges::lower_bound(by_key, key, {}, key_at);
  return found == by_key.end() || key_at(*found) != key ? nullptr : &entries[*found];
}

void SortKeys(DataFile& file) {
  file.by_key.resize(file.entries.size());
  std::iota(file.by_key.begin(), file.by_key.end(), 0U);
  const auto key_at = [&](uint32_t i) -> std::string_view { return file.entries[i].key; };
  std::ranges::stable_sort(file.by_key, {}, key_at);
}

Result<DataFile, std::vector<Finding>> ReadDataFile(Bytes file) {
  return WithinMemory([&] { return ReadEntries(file); }, [] { return std::vector<Finding>(); });
}

}  // namespace pteproof

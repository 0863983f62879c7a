#include "runtime/bind_external.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "runtime/data_rules.h"
#include "runtime/finding_list.h"

namespace pteproof {
namespace {

struct Keyed {
  std::string_view key;
  const DataEntry* entry = nullptr;  // null: the program's own named data
};

std::vector<Keyed> SortedKeys(const Program& program, std::span<const DataFile> files) {
  std::vector<Keyed> keys;
  for (const NamedBlob& named : program.named_data) keys.push_back({named.key, nullptr});
  for (const DataFile& file : files) {
    for (const DataEntry& entry : file.entries) keys.push_back({entry.key, &entry});
  }
  std::sort(keys.begin(), keys.end(), [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
  return keys;
}

void CheckKeysDiffer(std::span<const Keyed> keys, FindingList& findings) {
  for (size_t i = 1; i < keys.size(); ++i) {
    const bool first_repeat =
        keys[i].key == keys[i - 1].key && (i == 1 || keys[i].key != keys[i - 2].key);
    if (!first_repeat) continue;
    const bool in_program = keys[i].entry == nullptr || keys[i - 1].entry == nullptr;
    findings.Add(rule::kDataDuplicateKey,
                 fmt::format("The name '{}' occurs in {}.", Shown(keys[i].key),
                             in_program ? "the program's own named data and in a data file"
                                        : "two data files"));
  }
}

const DataEntry* Find(std::span<const Keyed> keys, std::string_view name) {
  auto at = std::lower_bound(keys.begin(), keys.end(), name,
                             [](const Keyed& k, std::string_view n) { return k.key < n; });
  for (; at != keys.end() && at->key == name; ++at) {
    if (at->entry != nullptr) return at->entry;
  }
  return nullptr;
}

// How the entry differs from the tensor; empty when it fits.
std::string DifferenceOf(const Method& method, const Tensor& tensor, const DataEntry& entry) {
  if (!entry.layout) return "is stored without a type and a shape";
  const DenseLayout& layout = *entry.layout;
  if (layout.dtype != tensor.dtype) {
    return fmt::format("is stored as {}, and the program needs {}", Name(layout.dtype),
                       Name(tensor.dtype));
  }
  const auto sizes = method.Ints(tensor.sizes);
  if (!std::equal(sizes.begin(), sizes.end(), layout.sizes.begin(), layout.sizes.end())) {
    return fmt::format("is stored with sizes [{}], and the program needs [{}]",
                       fmt::join(layout.sizes, ", "), fmt::join(sizes, ", "));
  }
  const auto order = method.Ints(tensor.dim_order);
  if (!std::equal(order.begin(), order.end(), layout.dim_order.begin(), layout.dim_order.end())) {
    return fmt::format("is stored with dim_order [{}], and the program needs [{}]",
                       fmt::join(layout.dim_order, ", "), fmt::join(order, ", "));
  }
  return {};
}

void CheckTensor(const Method& method, int32_t value, std::span<const Keyed> keys,
                 FindingList& findings) {
  const Tensor& tensor = *method.TensorOf(value);
  const std::string_view name = method.Text(tensor.name);
  Finding finding;
  finding.method = method.name;
  finding.values = {value};
  const DataEntry* entry = Find(keys, name);
  if (entry == nullptr) {
    finding.rule = rule::kDataMissing;
    finding.explanation = fmt::format(
        "Method '{}' needs the external tensor '{}'. No data file has an entry of that name.",
        Shown(method.name), Shown(name));
    return findings.Add(std::move(finding));
  }
  const std::string difference = DifferenceOf(method, tensor, *entry);
  if (!difference.empty()) {
    finding.rule = rule::kDataMismatch;
    finding.explanation =
        fmt::format("Tensor '{}' of method '{}' {}.", Shown(name), Shown(method.name), difference);
    return findings.Add(std::move(finding));
  }
  if (entry->blob.size() >= tensor.nbytes) return;
  finding.rule = rule::kDataShort;
  finding.explanation =
      fmt::format("Tensor '{}' of method '{}' needs {} bytes. The entry has {}.", Shown(name),
                  Shown(method.name), tensor.nbytes, entry->blob.size());
  findings.Add(std::move(finding));
}

}  // namespace

std::vector<Finding> BindExternal(const Program& program, std::span<const DataFile> files) {
  FindingList findings;
  const std::vector<Keyed> keys = SortedKeys(program, files);
  CheckKeysDiffer(keys, findings);
  for (const Method& method : program.methods) {
    for (size_t v = 0; v < method.values.size() && !findings.full(); ++v) {
      const auto value = static_cast<int32_t>(v);
      const Tensor* tensor = method.TensorOf(value);
      if (tensor != nullptr && tensor->external) CheckTensor(method, value, keys, findings);
    }
  }
  return std::move(findings).Take();
}

}  // namespace pteproof

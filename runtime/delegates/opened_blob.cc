#include "runtime/delegates/opened_blob.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/dense_layout.h"
#include "runtime/finding_list.h"

namespace pteproof::delegates {
namespace {

std::optional<OpenedBlob> OpenOne(Bytes blob) {
  if (auto opened = OpenXnnpack(blob)) return opened;
  if (auto opened = OpenVulkan(blob)) return opened;
  if (auto opened = OpenEthosU(blob)) return opened;
  if (auto opened = OpenMlx(blob)) return opened;
  return OpenTosa(blob);
}

// Findings quote a blob, one for each argument of each call: names are short, and of sizes that no
// tensor has the first ones tell.
void Shorten(OpenedBlob& opened) {
  for (BlobValue& value : opened.values) {
    value.name = Shown(value.name);
    if (value.sizes && value.sizes->size() > kMaxRank) value.sizes->resize(kMaxRank + 1);
  }
  for (BlobNode& node : opened.nodes) node.op = Shown(node.op);
  opened.unknown_op = Shown(opened.unknown_op);
}

void NoteUpdates(OpenedBlob& opened) {
  std::vector<bool> written(opened.values.size());
  for (const BlobNode& node : opened.nodes) {
    for (const int32_t w : node.writes) written[static_cast<size_t>(w)] = true;
  }
  for (BlobState& state : opened.states) {
    if (state.value >= 0) state.updated = written[static_cast<size_t>(state.value)];
  }
}

// What is made inside, and what is made for nobody.
void Follow(OpenedBlob& opened) {
  std::vector<bool> used(opened.values.size());
  for (BlobValue& value : opened.values) value.made = value.constant || value.state;
  for (size_t v = 0; v < used.size(); ++v) used[v] = opened.values[v].made;
  for (const BlobSlot& slot : opened.inputs) {
    if (slot.value >= 0) opened.values[static_cast<size_t>(slot.value)].made = true;
  }
  for (const BlobSlot& slot : opened.outputs) {
    if (slot.value >= 0) used[static_cast<size_t>(slot.value)] = true;
  }
  for (const BlobNode& node : opened.nodes) {
    for (const int32_t r : node.reads) used[static_cast<size_t>(r)] = true;
    for (const int32_t w : node.writes) opened.values[static_cast<size_t>(w)].made = true;
  }
  const auto is_used = [&](int32_t v) { return used[static_cast<size_t>(v)]; };
  const auto is_idle = [&](const BlobNode& node) {
    return !node.writes.empty() && std::ranges::none_of(node.writes, is_used);
  };
  const auto idle = std::ranges::find_if(opened.nodes, is_idle);
  if (idle != opened.nodes.end()) {
    opened.idle_node = static_cast<int32_t>(idle - opened.nodes.begin());
  }
}

// How many bytes belong to some blob, or to named data, which may be one.
uint64_t BytesOfBlobs(const Program& program) {
  std::vector<Bytes> blobs;
  for (const Method& method : program.methods) {
    for (const Delegate& delegate : method.delegates) blobs.push_back(delegate.blob);
  }
  for (const NamedBlob& named : program.named_data) blobs.push_back(named.blob);
  std::ranges::sort(blobs, std::less<>(), [](Bytes blob) { return blob.data(); });
  uint64_t sum = 0;
  const std::byte* end = nullptr;
  for (const Bytes blob : blobs) {
    const std::byte* last = blob.data() + blob.size();
    const bool apart = end == nullptr || !std::less<>()(blob.data(), end);
    if (apart) {
      sum += blob.size();
    } else if (std::less<>()(end, last)) {
      sum += static_cast<uint64_t>(last - end);
    }
    if (end == nullptr || std::less<>()(end, last)) end = last;
  }
  return sum;
}

using Shared = std::shared_ptr<const OpenedBlob>;

class Opener {
 public:
  explicit Opener(const Program& program) : left_(2 * BytesOfBlobs(program)) {
    for (const NamedBlob& named : program.named_data) named_.emplace(named.key, named.blob);
  }

  Shared Open(Bytes blob, std::string_view method) {
    const auto model = CoreMlReference(blob);
    if (!model) return EntryOf(Entries(blob), method);
    const auto named = named_.find(model->key);
    if (named != named_.end()) return EntryOf(Entries(named->second), model->function);
    return std::make_shared<const OpenedBlob>(
        OpenedBlob{.backend = "Core ML",
                   .damage = "its model is named data that the program does not have",
                   .data_keys = {model->key}});
  }

 private:
  const std::vector<Shared>& Entries(Bytes blob) {
    const auto [known, is_new] = known_.try_emplace({blob.data(), blob.size()});
    std::vector<Shared>& entries = known->second;
    if (is_new && blob.size() <= left_) {
      left_ -= blob.size();
      for (OpenedBlob& opened : OpenBlob(blob)) {
        AddNamedData(opened);
        entries.push_back(std::make_shared<const OpenedBlob>(std::move(opened)));
      }
    }
    return entries;
  }

  void AddNamedData(OpenedBlob& opened) const {
    for (const std::string& key : opened.data_keys) {
      const auto named = named_.find(key);
      if (named != named_.end()) opened.parts.push_back(named->second);
    }
    for (BlobValue& value : opened.values) {
      for (StoredBytes& each : value.stored) {
        if (each.key < 0) continue;
        const auto named = named_.find(opened.data_keys[static_cast<size_t>(each.key)]);
        each.is_there = named != named_.end();
        if (each.is_there) each.bytes = named->second;
      }
    }
  }

  static Shared EntryOf(const std::vector<Shared>& entries, std::string_view method) {
    const auto is_its = [&](const Shared& each) { return each->method == method; };
    const auto found = std::ranges::find_if(entries, is_its);
    if (found != entries.end()) return *found;
    return entries.empty() ? nullptr : Other(entries);
  }

  // A blob of one method is meant for the method that has it, whatever its name.
  static Shared Other(const std::vector<Shared>& entries) {
    if (entries.size() == 1) return entries.front();
    return std::make_shared<const OpenedBlob>(OpenedBlob{
        .backend = entries.front()->backend, .damage = "it holds no method of that name"});
  }

  uint64_t left_;  // bytes that may still be opened
  std::map<std::pair<const std::byte*, size_t>, std::vector<Shared>> known_;
  std::map<std::string_view, Bytes> named_;
};

}  // namespace

std::vector<OpenedBlob> OpenBlob(Bytes blob) {
  std::vector<OpenedBlob> all = OpenNative(blob);
  if (all.empty()) all = OpenCoreMl(blob);
  if (auto one = OpenOne(blob)) all = {std::move(*one)};
  for (OpenedBlob& opened : all) {
    Shorten(opened);
    NoteUpdates(opened);
    Follow(opened);
    if (opened.parts.empty()) opened.parts.push_back(blob);
  }
  return all;
}

void OpenBlobs(Program& program) {
  Opener opener(program);
  for (Method& method : program.methods) {
    for (Delegate& delegate : method.delegates) {
      delegate.opened = opener.Open(delegate.blob, method.name);
    }
  }
}

}  // namespace pteproof::delegates

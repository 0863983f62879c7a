// Blobs of Ethos-U, as Vela's output is packed for it: `vela_bin_stream`, a row of named blocks.
//
//   name, 16 bytes    length, 4 bytes    1: named data    11 bytes unused    data, to a multiple of
//   16
//
// The blocks `inputs` and `outputs` hold a number and as many entries: six sizes, the bytes of an
// element, the offset in the scratch memory, and the region. The driver copies the arguments to and
// from there, element by element, whatever the dimensions are. There is no inner graph: the
// commands are those of the processor.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/checked_math.h"
#include "runtime/delegates/flat_table.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof::delegates {
namespace {

constexpr std::string_view kFirst = "vela_bin_stream";
constexpr std::string_view kLast = "vela_end_stream";
constexpr uint64_t kNameBytes = 16;
constexpr uint64_t kHeaderBytes = 32;
constexpr uint64_t kUnit = 16;
constexpr uint64_t kSizes = 6;
constexpr uint64_t kEntryBytes = 36;

std::string_view NameAt(Bytes blob, uint64_t at) {
  const std::string_view name(reinterpret_cast<const char*>(blob.data()) + at, kNameBytes);
  return name.substr(0, name.find('\0'));
}

struct Block {
  Bytes data = {};
  bool external = false;  // data is a key of named data

  [[nodiscard]] std::string Key() const {
    const std::string_view text(reinterpret_cast<const char*>(data.data()), data.size());
    return std::string(text.substr(0, text.find('\0')));
  }
};

class EthosUReader {
 public:
  explicit EthosUReader(Bytes blob) : blob_(blob) {}

  OpenedBlob Run() && {
    if (!Walk()) return Damaged();
    opened_.own_bytes = Scratch();
    opened_.not_checked = {"the commands of the processor"};
    for (const auto& [name, block] : blocks_) {
      if (block.external) opened_.data_keys.push_back(block.Key());
    }
    if (!AddSlots("inputs", opened_.inputs) || !AddSlots("outputs", opened_.outputs)) {
      return Damaged();
    }
    return std::move(opened_);
  }

 private:
  bool Walk() {
    uint64_t at = 0;
    while (true) {
      if (blob_.size() - at < kHeaderBytes) return Fail("its last block is missing");
      const std::string_view name = NameAt(blob_, at);
      const uint64_t size = NumberAt<uint32_t>(blob_, at + kNameBytes);
      const bool external = NumberAt<uint8_t>(blob_, at + kNameBytes + 4) == 1;
      const uint64_t padded = (size + kUnit - 1) / kUnit * kUnit;
      at += kHeaderBytes;
      if (size > blob_.size() - at) return Fail(fmt::format("block '{}' is cut off", name));
      blocks_.try_emplace(name, Block{blob_.subspan(at, size), external});
      if (name == kLast) return true;
      if (padded > blob_.size() - at) return Fail("its last block is missing");
      at += padded;
    }
  }

  // Early streams hold the scratch memory itself.
  [[nodiscard]] std::optional<uint64_t> Scratch() const {
    const auto size = blocks_.find("scratch_size");
    if (size != blocks_.end() && !size->second.external && size->second.data.size() >= 4) {
      return NumberAt<uint32_t>(size->second.data, 0);
    }
    const auto data = blocks_.find("scratch_data");
    if (data == blocks_.end() || data->second.external) return std::nullopt;
    return data->second.data.size();
  }

  bool AddSlots(std::string_view block, std::vector<BlobSlot>& slots) {
    const auto found = blocks_.find(block);
    if (found == blocks_.end()) return true;  // none
    if (found->second.external) return Fail(fmt::format("its {} are named data", block));
    const Bytes data = found->second.data;
    if (data.size() < 4) return Fail(fmt::format("block '{}' is cut off", block));
    const uint64_t count = NumberAt<uint32_t>(data, 0);
    if (count > (data.size() - 4) / kEntryBytes) {
      return Fail(fmt::format("block '{}' has room for fewer than {} entries", block, count));
    }
    for (uint64_t i = 0; i < count; ++i) {
      slots.push_back({static_cast<int32_t>(opened_.values.size())});
      AddValue(data.subspan(4 + i * kEntryBytes, kEntryBytes), block == "inputs");
    }
    return true;
  }

  void AddValue(Bytes entry, bool is_input) {
    BlobValue value;
    std::optional<uint64_t> elements = 1;
    for (uint64_t d = 0; d < kSizes; ++d) {
      const auto size = NumberAt<int32_t>(entry, 4 * d);
      if (elements) elements = CheckedMul<uint64_t>(*elements, size < 0 ? 0 : uint32_t(size));
    }
    value.elements = elements;
    value.width = NumberAt<uint32_t>(entry, 4 * kSizes);
    value.name = fmt::format("scratch byte {}", NumberAt<uint32_t>(entry, 4 * kSizes + 4));
    if (is_input) value.types = InputTypes(value.width);
    opened_.values.push_back(std::move(value));
  }

  // The driver takes no others.
  static std::vector<ScalarType> InputTypes(uint32_t width) {
    if (width == 1) return {ScalarType::kInt8, ScalarType::kUInt8, ScalarType::kBool};
    if (width == 2) return {ScalarType::kInt16};
    if (width == 4) return {ScalarType::kInt32};
    return {};
  }

  bool Fail(std::string what) {
    damage_ = std::move(what);
    return false;
  }
  OpenedBlob Damaged() { return {.backend = opened_.backend, .damage = damage_}; }

  Bytes blob_;
  OpenedBlob opened_{.backend = "Ethos-U"};
  std::map<std::string_view, Block> blocks_;
  std::string damage_;
};

}  // namespace

std::optional<OpenedBlob> OpenEthosU(Bytes blob) {
  if (blob.size() < kHeaderBytes || NameAt(blob, 0) != kFirst) return std::nullopt;
  // Early streams have other headers; in this one the first block is empty.
  if (NumberAt<uint32_t>(blob, kNameBytes) != 0) return std::nullopt;
  return EthosUReader(blob).Run();
}

}  // namespace pteproof::delegates

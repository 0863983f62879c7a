#include "cli/standard/loader_file.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/io/load_file.h"
#include "cli/io/quote.h"
#include "cli/standard/toml_tree.h"
#include "properties/manifest/place.h"

namespace pteproof {
namespace {

constexpr std::array<std::string_view, 1> kLoaderKeys = {"bank"};
constexpr std::array<std::string_view, 3> kLoaderBankKeys = {"shared", "size", "device"};
// In the order of device types.
constexpr std::array<std::string_view, 2> kDeviceWords = {"cpu", "cuda"};

// A memory id, from 1.
std::optional<uint32_t> BankId(std::string_view key) {
  int32_t id = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
  if (error != std::errc() || end != key.data() + key.size() || id < 1) return std::nullopt;
  return static_cast<uint32_t>(id);
}

LoaderBank ReadLoaderBank(const Place& place) {
  LoaderBank bank;
  if (!CheckObject(place, "a bank", kLoaderBankKeys)) return bank;
  if (const auto at = place.Member("shared")) bank.shared = ReadBool(*at).value_or(false);
  if (const auto at = place.Member("size")) {
    const auto size = ReadWhole(*at, "a bank's size in bytes");
    if (size) bank.size = static_cast<uint64_t>(*size);
  }
  if (const auto at = place.Member("device")) {
    const auto choice = ReadChoice(*at, "a device", kDeviceWords);
    bank.has_device = choice.has_value();
    bank.device_type = static_cast<uint8_t>(choice.value_or(0));
  }
  return bank;
}

void ReadLoaderBanks(const Place& place, LoaderTable& table) {
  if (!place.value->is_object()) return place.Expected("tables of banks, such as [bank.2]");
  for (const auto& [key, unused] : place.value->items()) {
    const Place at = *place.Member(key);
    const auto id = BankId(key);
    if (!id) {
      at.Error("is not a memory id; ids are whole numbers from 1 on");
      continue;
    }
    table.banks[*id] = ReadLoaderBank(at);
  }
}

ManifestFailure WrongTable(const std::string& path, const TomlTree& tree, ManifestErrors& errors) {
  std::string why = fmt::format("the loader file {} is wrong", QuotePath(path, kLongestLine));
  for (const ManifestError& error : errors.Take()) {
    const size_t line = error.where.starts_with('/') ? tree.LineOf(error.where) : 0;
    why += fmt::format("\n  {}{}: {}", line > 0 ? fmt::format("line {}: ", line) : "", error.where,
                       error.what);
  }
  return {Outcome::kWrongManifest, std::move(why)};
}

}  // namespace

Result<LoaderTable, ManifestFailure> LoadLoaderFile(const std::string& path) {
  const auto bytes = LoadFile(path);
  if (!bytes) {
    return ManifestFailure{Outcome::kUnreadable,
                           fmt::format("the loader file {} cannot be read: {}",
                                       QuotePath(path, kLongestLine), bytes.error().why)};
  }
  const Bytes& read = *bytes.value();
  ManifestErrors errors;
  const TomlTree tree =
      ParseToml({reinterpret_cast<const char*>(read.data()), read.size()}, errors);
  if (!errors.empty()) return WrongTable(path, tree, errors);
  LoaderTable table{path, {}};
  const Place root = {&tree.tree, "", &errors};
  (void)CheckObject(root, "a loader", kLoaderKeys);
  if (const auto banks = root.Member("bank")) ReadLoaderBanks(*banks, table);
  if (!errors.empty()) return WrongTable(path, tree, errors);
  return table;
}

}  // namespace pteproof

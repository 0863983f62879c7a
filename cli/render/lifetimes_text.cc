#include "cli/render/lifetimes_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "cli/io/csv.h"
#include "properties/storages.h"

namespace pteproof {
namespace {

// Its first value tells a storage from all others.
std::string StorageId(const PlannedStorage& storage) {
  constexpr size_t kMostNamed = 4;
  std::string id;
  for (size_t i = 0; i < std::min(storage.values.size(), kMostNamed); ++i) {
    id += fmt::format("{}v{}", i == 0 ? "" : "+", storage.values[i]);
  }
  if (storage.values.size() > kMostNamed) id += "+...";
  return id;
}

}  // namespace

std::string LifetimesHeader() {
  return "id,bank,lower,upper,size,alignment\n";
}

std::optional<std::string> LifetimesText(const Method& method, uint32_t bank) {
  const auto planned = StoragesOf(method);
  if (!planned) return std::nullopt;
  std::string text;
  for (const PlannedStorage& storage : planned->storages) {
    if (bank != 0 && storage.bank != bank) continue;
    for (const PointSpan& span : storage.live) {
      text += CsvLine(
          std::array{StorageId(storage), fmt::format("{}:{}", method.name, storage.bank),
                     fmt::to_string(span.lower), fmt::to_string(span.upper),
                     fmt::to_string(storage.hi - storage.lo), fmt::to_string(planned->alignment)});
    }
  }
  return text;
}

}  // namespace pteproof

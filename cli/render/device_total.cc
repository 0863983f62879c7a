#include "cli/render/device_total.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/render/compare_text.h"

namespace pteproof {
namespace {

std::string ChangeWords(const DeviceTotal& total) {
  if (total.after < total.before) return fmt::format("{} fewer", total.before - total.after);
  if (total.after > total.before) return fmt::format("{} more", total.after - total.before);
  return "as before";
}

std::string RangeWords(uint64_t least, uint64_t most) {
  return least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most);
}

}  // namespace

std::vector<DeviceTotal> DeviceTotals(const Program& before, const Program& after,
                                      std::optional<Policy> policy) {
  std::vector<DeviceTotal> totals;
  for (const Policy each : kAllPolicies) {
    if (policy && each != *policy) continue;
    const memory::LoaderKind loader = memory::LoaderOf(each);
    DeviceTotal total = {PolicySet::None(), memory::BankBytesOf(before, loader),
                         memory::BankBytesOf(after, loader)};
    auto known = std::ranges::find_if(totals, [&](const DeviceTotal& other) {
      return other.before == total.before && other.after == total.after;
    });
    if (known == totals.end()) known = totals.insert(known, total);
    known->policies.Add(each);
  }
  return totals;
}

std::string DeviceTotalsText(const std::vector<DeviceTotal>& totals) {
  std::string text;
  for (const DeviceTotal& total : totals) {
    text +=
        fmt::format("{}{} bytes, {}", text.empty() ? "" : "; ", total.after, ChangeWords(total));
    if (total.policies == PolicySet::All()) continue;
    text += fmt::format(", under {}", PolicyWords(total.policies));
  }
  return text;
}

nlohmann::ordered_json DeviceTotalsJson(const std::vector<DeviceTotal>& totals) {
  auto json = nlohmann::ordered_json::object();
  for (const Policy policy : kAllPolicies) {
    for (const DeviceTotal& total : totals) {
      if (!total.policies.Has(policy)) continue;
      json[std::string(Name(policy))] = {{"before", total.before}, {"after", total.after}};
    }
  }
  return json;
}

std::string MemoryLine(const memory::ProgramMemory& memory) {
  std::vector<memory::LoaderMemory> loaders = memory.loaders;
  std::erase_if(loaders, [](const memory::LoaderMemory& each) { return !each.refused.empty(); });
  if (loaders.empty()) return "memory: no loader takes the program";
  const auto peaks = std::ranges::minmax(loaders, {}, &memory::LoaderMemory::at_peak);
  const auto banks = std::ranges::minmax(loaders, {}, &memory::LoaderMemory::planned);
  return fmt::format("memory: {} bytes at the peak, {} of them banks{}",
                     RangeWords(peaks.min.at_peak, peaks.max.at_peak),
                     RangeWords(banks.min.planned, banks.max.planned),
                     peaks.min.at_peak == peaks.max.at_peak ? "" : ", by loader");
}

}  // namespace pteproof

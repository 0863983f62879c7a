#include "properties/loaders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <system_error>
#include <vector>

#include "base/finding_names.h"
#include "base/nearest.h"
#include "reference/op_wheel.h"

namespace pteproof {
namespace {

// Versions whose code was read, ascending; of 1.5 the wheel was run.
constexpr std::array<std::string_view, 13> kVersions = {"0.4.0", "0.5.0", "0.6.0", "0.7.0", "1.0.0",
                                                        "1.0.1", "1.1.0", "1.2.0", "1.3.0", "1.3.1",
                                                        "1.4.0", "1.4.1", "1.5.1"};
constexpr std::string_view kFirst = "0.4";
constexpr std::string_view kLast = "1.5";

constexpr std::array kRows = {
    LoaderRow{"Module", kFirst, kLast, Policy::kPrivate},
    LoaderRow{"Module-shared-arenas", "1.2", kLast, Policy::kShare12},
    LoaderRow{"_load_for_executorch", kFirst, "0.7", Policy::kShareAll},
    LoaderRow{"_load_for_executorch", "1.0", kLast, Policy::kPrivate},
    LoaderRow{"executorch.runtime", kFirst, kLast, Policy::kShareAll},
};

std::string_view MinorOf(std::string_view version) {
  return version.substr(0, version.find('.', version.find('.') + 1));
}

// Two or three numbers with dots between.
bool ReadVersion(std::string_view text, std::array<int, 3>& parts) {
  for (size_t p = 0; p < parts.size(); ++p) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parts[p]);
    if (error != std::errc() || parts[p] < 0) return false;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (text.empty()) return p > 0;
    if (text.front() != '.') return false;
    text.remove_prefix(1);
  }
  return false;
}

// The place of "1.4" or "1.4.1" in the list: of the first version that it may be.
std::optional<size_t> PlaceOf(std::string_view version) {
  for (size_t v = 0; v < kVersions.size(); ++v) {
    if (kVersions[v] == version || MinorOf(kVersions[v]) == version) return v;
  }
  return std::nullopt;
}

// "1.6" or "2.0.1": later than all that are known.
bool IsNewer(std::string_view version) {
  std::array<int, 3> parts = {};
  std::array<int, 3> last = {};
  return ReadVersion(version, parts) && ReadVersion(kVersions.back(), last) && parts > last;
}

std::string Suggestion(std::string_view typed, const std::vector<std::string>& words) {
  const std::string_view nearest = NearestName(typed, words);
  return nearest.empty() ? std::string() : fmt::format("; did you mean '{}'?", nearest);
}

std::string UnknownName(std::string_view name) {
  std::vector<std::string> names;
  for (const LoaderRow& row : kRows) {
    if (std::ranges::find(names, row.name) == names.end()) names.emplace_back(row.name);
  }
  return fmt::format("'{}' is not a loader; the loaders are {}{}", name, fmt::join(names, ", "),
                     Suggestion(name, names));
}

std::string UnknownVersion(std::string_view version) {
  std::vector<std::string> versions(kVersions.begin(), kVersions.end());
  for (const std::string_view each : kVersions) versions.emplace_back(MinorOf(each));
  return fmt::format("'{}' is not a known version of ExecuTorch; known are {}{}", version,
                     fmt::join(kVersions, ", "), Suggestion(version, versions));
}

std::string Ranges(std::span<const LoaderRow> rows) {
  std::vector<std::string> ranges;
  for (const LoaderRow& row : rows) {
    ranges.push_back(fmt::format("{} to {} is {}", row.first, row.last, Name(row.policy)));
  }
  return fmt::format("{}", fmt::join(ranges, ", "));
}

}  // namespace

std::span<const LoaderRow> LoaderRows() {
  return kRows;
}

Result<Policy, std::string> PolicyOfLoader(std::string_view text) {
  const size_t at = text.find('@');
  const std::string_view name = text.substr(0, at);
  std::vector<LoaderRow> rows;
  std::ranges::copy_if(kRows, std::back_inserter(rows),
                       [&](const LoaderRow& row) { return row.name == name; });
  if (rows.empty()) return UnknownName(name);
  if (at == std::string_view::npos) {
    if (rows.size() == 1) return rows.front().policy;
    return fmt::format("'{}' needs a version, such as {}@{}: {}", name, name, kVersions.back(),
                       Ranges(rows));
  }
  std::string_view version = text.substr(at + 1);
  if (IsNewer(version)) version = kVersions.back();
  const auto place = PlaceOf(version);
  if (!place) return UnknownVersion(version);
  for (const LoaderRow& row : rows) {
    const std::string_view minor = MinorOf(kVersions[*place]);
    if (PlaceOf(row.first) <= PlaceOf(minor) && PlaceOf(minor) <= PlaceOf(row.last)) {
      return row.policy;
    }
  }
  return fmt::format("'{}' does not exist in {}: {}", name, version, Ranges(rows));
}

std::string WarningOfLoader(std::string_view text) {
  const size_t at = text.find('@');
  if (at == std::string_view::npos || !IsNewer(text.substr(at + 1))) return {};
  return fmt::format("ExecuTorch {} is newer than this pteproof: '{}' is taken for {}@{}",
                     text.substr(at + 1), text, text.substr(0, at), kVersions.back());
}

bool IsOfWheel(std::string_view text) {
  const size_t at = text.find('@');
  if (at == std::string_view::npos || text.starts_with("Module")) return false;
  const auto place = PlaceOf(text.substr(at + 1));
  return place && kVersions[*place] == ReleaseOfWheel();
}

std::string LoaderNames(Policy policy) {
  std::vector<std::string> names = {std::string(LoaderName(policy))};
  for (const LoaderRow& row : kRows) {
    const bool all = row.first == kFirst && row.last == kLast;
    if (row.policy != policy || all) continue;
    std::string_view name = row.name;
    if (name == "Module-shared-arenas") {
      names.clear();
      name = LoaderName(policy);
    }
    names.push_back(row.last == kLast ? fmt::format("{} from {}", name, row.first)
                                      : fmt::format("{} up to {}", name, row.last));
  }
  return fmt::format("{}", fmt::join(names, " and "));
}

}  // namespace pteproof

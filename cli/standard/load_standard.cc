#include "cli/standard/load_standard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/file_name.h"
#include "cli/io/load_file.h"
#include "cli/standard/read_config.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

Result<Standard, StandardFailure> ReadConfigFile(const std::string& path) {
  const auto bytes = LoadFile(path);
  if (!bytes) {
    return StandardFailure{ExitCode::kUnreadable, fmt::format("the config {} cannot be read: {}",
                                                              path, bytes.error().why)};
  }
  const Bytes& read = *bytes.value();
  auto standard = ReadConfig({reinterpret_cast<const char*>(read.data()), read.size()}, path);
  if (standard) return std::move(standard).value();
  std::string why = fmt::format("the config {} is wrong", path);
  for (const ManifestError& error : standard.error()) {
    why += fmt::format("\n  {}: {}", error.where, error.what);
  }
  return StandardFailure{ExitCode::kUsage, std::move(why)};
}

// Sets `to`, unless the flag is not there.
std::optional<StandardFailure> TakeLimits(std::string_view flag,
                                          const std::vector<std::string>& texts, bool takes_percent,
                                          std::vector<Limit>& to) {
  if (!texts.empty()) to.clear();
  for (const std::string& text : texts) {
    auto limit = ParseLimit(text, takes_percent);
    if (!limit)
      return StandardFailure{ExitCode::kUsage, fmt::format("{}: {}", flag, limit.error())};
    to.push_back(std::move(limit).value());
  }
  return std::nullopt;
}

std::optional<StandardFailure> TakeFlags(const StandardChoice& choice, Standard& standard) {
  if (choice.select) {
    standard.select = choice.select;
    standard.select_source = "--select";
  }
  if (choice.ignore) {
    standard.ignore = *choice.ignore;
    standard.ignore_source = "--ignore";
  }
  if (choice.fail_on) {
    const auto has = [&](std::string_view word) {
      return std::ranges::find(*choice.fail_on, word) != choice.fail_on->end();
    };
    standard.fail_on = {has("error"), has("warning"), has("undecided"), has("depends")};
  }
  if (!choice.baseline.empty()) standard.baseline = choice.baseline;
  if (!choice.write_baseline.empty()) standard.baseline.clear();
  auto wrong = TakeLimits("--max-bytes", choice.max_bytes, false, standard.max_bytes);
  return wrong ? wrong : TakeLimits("--max-waste", choice.max_waste, true, standard.max_waste);
}

bool AsksForOne(const StandardChoice& choice) {
  return choice.select || choice.ignore || choice.fail_on || !choice.max_bytes.empty() ||
         !choice.max_waste.empty() || !choice.baseline.empty() || !choice.write_baseline.empty();
}

}  // namespace

std::string FindConfig(const std::string& folder, const std::string& home) {
  for (fs::path at = FilePath(folder);; at = at.parent_path()) {
    std::error_code ignored;  // what cannot be looked at is not there
    const fs::path config = at / kConfigName;
    if (fs::is_regular_file(config, ignored)) return FileName(config);
    const bool is_root = fs::exists(at / ".git", ignored);
    if (is_root || at == FilePath(home) || at == at.parent_path()) return "";
  }
}

std::string ConfigOf(const StandardChoice& choice) {
  if (choice.no_config) return "";
  if (!choice.config.empty()) return choice.config;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error) return "";
  const char* home = std::getenv("HOME");
  const std::string found = FindConfig(FileName(here), home == nullptr ? "" : home);
  return found.empty() ? "" : FileName(FilePath(found).lexically_proximate(here));
}

Result<std::optional<Standard>, StandardFailure> LoadStandard(const StandardChoice& choice) {
  const std::string config = ConfigOf(choice);
  if (config.empty() && !AsksForOne(choice)) return std::optional<Standard>();
  Standard standard;
  std::error_code ignored;
  standard.folder = FileName(fs::current_path(ignored));
  if (!config.empty()) {
    auto read = ReadConfigFile(config);
    if (!read) return read.error();
    standard = std::move(read).value();
  }
  if (auto wrong = TakeFlags(choice, standard)) return *std::move(wrong);
  return std::optional(std::move(standard));
}

}  // namespace pteproof

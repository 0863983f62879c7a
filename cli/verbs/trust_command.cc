#include "cli/verbs/trust_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "base/file_name.h"
#include "cli/io/load_file.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"
#include "cli/load/beside.h"
#include "cli/load/data_files.h"
#include "cli/load/judge.h"
#include "cli/load/load_program.h"
#include "cli/render/trust_report.h"
#include "cli/standard/load_standard.h"
#include "cli/standard/trust_entry.h"
#include "pteproof/manifest.h"
#include "runtime/sha256.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

struct TrustFailure {
  ExitCode code = ExitCode::kUsage;
  std::string why;
};

// The config and its text; a file that is not there yet has none.
struct ConfigFile {
  std::string path;
  std::string text;
  Standard standard;
};

Result<ConfigFile, TrustFailure> ReadConfigFor(const TrustRequest& request) {
  StandardChoice choice;
  choice.config = request.config;
  ConfigFile config;
  config.path = ConfigOf(choice);
  std::error_code ignored;  // what cannot be looked at is not there
  if (config.path.empty()) config.path = kConfigName;
  if (!fs::exists(FilePath(config.path), ignored)) {
    const fs::path folder = FilePath(config.path).parent_path();
    config.standard.folder =
        FileName(fs::absolute(folder.empty() ? "." : folder, ignored).lexically_normal());
    return config;
  }
  choice.config = config.path;
  auto standard = LoadStandard(choice);
  if (!standard) return TrustFailure{standard.error().code, standard.error().why};
  auto text = LoadText(config.path);
  if (!text) return TrustFailure{ExitCode::kUnreadable, ""};
  config.standard = *std::move(standard).value();
  config.text = *std::move(text);
  return config;
}

Result<std::string, TrustFailure> ManifestToTrust(const TrustRequest& request) {
  const std::string file = QuotePath(request.file, kLongestLine);
  std::error_code ignored;
  if (request.file == kStandardInput) {
    return TrustFailure{ExitCode::kUsage, "standard input has no name to be trusted: name a file"};
  }
  if (fs::is_directory(FilePath(request.file), ignored)) {
    return TrustFailure{ExitCode::kUsage, fmt::format("{} is a folder: name a program", file)};
  }
  if (!request.manifest.empty()) return request.manifest;
  std::string beside = Beside(request.file, kManifestSuffix);
  if (!beside.empty()) return beside;
  const fs::path expected = FilePath(request.file).filename().replace_extension(kManifestSuffix);
  return TrustFailure{
      ExitCode::kUsage,
      fmt::format("{}: no manifest lies beside it, as {}: `save` of an export and `pteproof plan "
                  "--write-manifest` write one, and --manifest names one",
                  file, Quote(FileName(expected)))};
}

// As `check` with that config judges it.
FileReport JudgeFor(const TrustRequest& request, const ConfigFile& config,
                    std::span<const DataFile> data, const std::string& manifest) {
  JudgeOptions options;
  options.all_first = config.standard.all_first;
  options.data = data;
  options.optimum = OptimumSearch::kNone;
  options.manifest.operators =
      request.operators.empty() ? config.standard.operators : request.operators;
  options.manifest.named = manifest;
  options.manifest.none = manifest.empty();
  options.policy = PolicyFor(config.standard, request.file);
  if (manifest.empty()) return Judge({request.file, ""}, options);
  const std::string name = NameIn(config.standard.folder, manifest);
  for (const TrustedManifest& known : config.standard.trusted) {
    const bool is_it = NameIn(config.standard.folder, known.path) == name;
    if (is_it && known.policy) options.policy = known.policy;
  }
  if (request.policy) options.policy = request.policy;
  return Judge({request.file, ""}, options);
}

// Of a manifest that was read before.
bool NamesItsProgram(Bytes manifest) {
  const auto parsed =
      ParseManifest({reinterpret_cast<const char*>(manifest.data()), manifest.size()});
  return parsed && !parsed.value().program_sha256.empty();
}

// Why there is nothing to trust: there is no verdict.
std::optional<TrustFailure> NoVerdict(const FileReport& report) {
  if (report.outcome == Outcome::kJudged) return std::nullopt;
  std::string why = report.error;
  if (why.empty() && !report.report.findings.empty()) {
    why = report.report.findings.front().explanation;
  }
  return TrustFailure{ExitCodeOf(report),
                      fmt::format("{}: {}", QuotePath(report.file, kLongestLine), why)};
}

Result<TrustReport, TrustFailure> ReportFor(const TrustRequest& request, const ConfigFile& config,
                                            const std::string& manifest) {
  const bool own_data = !request.data.empty();
  const DataFiles data = LoadDataFiles(own_data ? request.data : config.standard.data);
  if (!data.failures.empty()) {
    const auto& [file, failure] = data.failures.front();
    return TrustFailure{ExitCodeOf(failure), TextOf(file, failure)};
  }
  TrustReport report;
  report.alone = JudgeFor(request, config, data.files, "");
  if (auto failure = NoVerdict(report.alone)) return *std::move(failure);
  report.with = JudgeFor(request, config, data.files, manifest);
  if (auto failure = NoVerdict(report.with)) return *std::move(failure);
  report.both = report.with;
  Distrust(report.alone.report, report.alone.policy, report.both);
  return report;
}

}  // namespace

ExitCode RunTrust(const TrustRequest& request) {
  const auto fail = [](const TrustFailure& failure) {
    if (!failure.why.empty()) Complain(failure.why);
    return failure.code;
  };
  const auto config = ReadConfigFor(request);
  if (!config) return fail(config.error());
  const auto manifest = ManifestToTrust(request);
  if (!manifest) return fail(manifest.error());
  const auto bytes = LoadFile(manifest.value());
  if (!bytes) {
    return fail({ExitCode::kUnreadable,
                 fmt::format("{}: {}", QuotePath(manifest.value()), bytes.error().why)});
  }
  auto made = ReportFor(request, config.value(), manifest.value());
  if (!made) return fail(made.error());
  TrustReport& report = made.value();
  report.config = config.value().path;
  report.entry = {NameIn(config.value().standard.folder, manifest.value()),
                  Sha256Hex(*bytes.value()), request.policy};
  if (!NamesItsProgram(*bytes.value())) {
    report.remark = "It has no program_sha256: it counts for any program that it lies beside.";
  }
  const std::string beside = Beside(request.file, kManifestSuffix);
  if (beside.empty() || NameIn("/", beside) != NameIn("/", manifest.value())) {
    report.remark = "The entry counts only where the manifest lies beside the program.";
  }
  const auto text = WithTrustEntry(config.value().text, report.entry);
  if (!text) return fail({ExitCode::kUsage, fmt::format("{}: {}", report.config, text.error())});
  report.change = text.value().change;
  if (!request.dry_run && report.change != EntryChange::kKept) {
    const ExitCode stored = StoreFile(report.config, text.value().text);
    if (stored != ExitCode::kSafe) return stored;
    report.written = true;
  }
  WriteReport(request.json, [&] { return TrustJson(report); }, [&] { return TrustText(report); });
  return ExitCode::kSafe;
}

}  // namespace pteproof

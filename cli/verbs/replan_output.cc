#include "cli/verbs/replan_output.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/file_name.h"
#include "base/stop.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"
#include "cli/load/beside.h"
#include "cli/load/certificate_file.h"
#include "cli/load/judge.h"
#include "cli/load/load_manifest.h"
#include "cli/load/load_operators.h"
#include "cli/map/html_page.h"
#include "properties/loader_table.h"
#include "properties/manifest/render.h"
#include "pteproof/manifest.h"
#include "pteproof/read.h"
#include "runtime/file_kind.h"
#include "runtime/read_bundle.h"
#include "runtime/sha256.h"
#include "runtime/write_bundle.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// The plans before and after. A manifest whose numbers are those of the old file alone may not fit
// the new one, which is judged without it then.
std::string PageOf(const ReplanRequest& request, const ProgramParts& parts,
                   std::span<const std::byte> bytes, std::string_view text) {
  JudgeOptions options;
  options.policy = request.policy;
  options.all_first = request.all_first;
  options.manifest = request.manifest;
  options.picture = true;
  const FileReport before =
      JudgeLoaded(parts.source(), *parts.program.bytes, request.file, options);
  FileReport after;
  if (auto program = ReadProgram(bytes); program.ok()) {
    // The same operators: their signatures fitted the old program.
    (void)BindOperatorFiles(request.manifest.operators, program.value());
    after = JudgeLoaded(program.value(), {}, request.file, options);
    options.manifest.none = true;
    if (after.outcome != Outcome::kJudged) {
      after = JudgeLoaded(program.value(), {}, request.file, options);
    }
  }
  after.file = request.output;
  HtmlPage page(false, "pteproof replan");
  page.AddPair(before, after, text);
  return page.Text();
}

// Of a new program file. Standard output has nothing beside it.
ExitCode StoreManifest(const ReplanRequest& request, const Manifest* manifest,
                       std::span<const std::byte> file) {
  const bool to_file = request.output != kStandardOutput && !request.output.empty();
  if (manifest == nullptr || !to_file) return ExitCode::kSafe;
  Manifest stated = *manifest;
  stated.program_sha256 = Sha256Hex(file);
  const fs::path beside = FilePath(request.output).replace_extension(kManifestSuffix);
  return StoreFile(FileName(beside), RenderManifest(stated));
}

// A manifest that lies beside the new program, is not replaced, and states another one; empty: none
// does.
std::string StaleManifest(const ReplanRequest& request, const NewProgram& made) {
  if (made.manifest != nullptr || request.output == kStandardOutput) return "";
  const std::string beside = Beside(request.output, kManifestSuffix);
  const auto loaded = beside.empty() ? std::nullopt : LoadText(beside);
  if (!loaded) return "";
  const auto manifest = ParseManifest(*loaded);
  return manifest.ok() && !IsOfProgram(manifest.value(), made.bytes) ? beside : "";
}

// Whether the target has room for the new banks; it complains if it has not.
bool FitsTarget(const ReplanRequest& request, std::span<const std::byte> bytes) {
  const auto program = ReadProgram(bytes);
  if (!program.ok()) return true;  // which the certificate has refused
  const std::string refused = fmt::format("{}: nothing is written: ", QuotePath(request.file));
  if (request.table) {
    const std::vector<Finding> refusals = RefusalsBy(*request.table, program.value());
    for (const Finding& each : refusals) {
      Complain(
          fmt::format("{}the new plan does not fit the loader{}", refused, FindingLines(each)));
    }
    if (!refusals.empty()) return false;
  }
  bool fits = true;
  for (const Method& method : program.value().methods) {
    for (const auto& [bank, most] : request.options.bank_sizes) {
      const uint64_t size = bank < method.bank_sizes.size() ? method.bank_sizes[bank] : 0;
      if (size <= most) continue;
      Complain(fmt::format("{}bank {} of '{}' needs {} bytes, {} more than it has", refused, bank,
                           Quote(method.name), size, size - most));
      fits = false;
    }
  }
  return fits;
}

// A program that came in a bundle goes into one with the same cases.
ExitCode StoreInItsForm(const ReplanRequest& request, const ProgramParts& parts,
                        const NewProgram& made) {
  const auto store = [&](std::span<const std::byte> file) {
    const ExitCode stored = StoreFile(request.output, file);
    return stored == ExitCode::kSafe ? StoreManifest(request, made.manifest, file) : stored;
  };
  const auto& old_file = *parts.program.bytes;
  if (Sniff(old_file) != FileKind::kBundle) return store(made.bytes);
  auto bundle = ReadBundle(old_file);
  if (!bundle.ok()) return ExitCode::kMalformed;  // which LoadParts has told
  bundle.value().program = made.bytes;
  const auto written = WriteBundle(bundle.value());
  if (!written.ok()) {
    Complain(fmt::format("{}: {}", QuotePath(request.output), written.error()));
    return ExitCode::kUnreadable;
  }
  return store(written.value());
}

}  // namespace

bool AllFirst(const ReplanRequest& request, const ProgramParts& parts) {
  const bool stated = parts.manifest != nullptr && parts.manifest->all_first.value_or(false);
  return request.all_first.value_or(stated);
}

std::string FindingLines(const Finding& finding) {
  return fmt::format("\n  {}: {}\n  {}", finding.rule,
                     Quote(FirstLine(finding.explanation), kLongestLine),
                     Quote(finding.fix, kLongestLine));
}

ExitCode KeepFailure(const ReplanRequest& request, const ProgramParts& parts,
                     const std::string& why, std::span<const std::byte> written,
                     const std::string& certificate) {
  const bool to_file = request.output != kStandardOutput && !request.output.empty();
  const fs::path folder = FilePath((to_file ? request.output : "replan") + ".failed");
  std::error_code error;
  fs::create_directories(folder, error);
  const auto& bytes = *parts.program.bytes;
  const std::span<const std::byte> old_bytes(bytes.data(), bytes.size());
  const bool kept =
      !error && StoreFile(FileName(folder / "old.pte"), old_bytes) == ExitCode::kSafe &&
      StoreFile(FileName(folder / "new.pte"), written) == ExitCode::kSafe &&
      StoreFile(FileName(folder / "certificate.json"), std::string_view(certificate)) ==
          ExitCode::kSafe;
  Complain(
      fmt::format("{}: nothing is written: {}\n  This is a bug in pteproof, please report it{}",
                  QuotePath(request.file), Quote(FirstLine(why), kLongestLine),
                  kept ? fmt::format(" with the folder {}", QuotePath(FileName(folder))) : ""));
  return ExitCode::kInternal;
}

ExitCode WriteReplanned(const ReplanRequest& request, const ProgramParts& parts,
                        const NewProgram& made, const std::string& text,
                        const std::string& certificate) {
  const WorksFor nobody(nullptr);  // what is shown right is written whole, even after a stop
  if (!FitsTarget(request, made.bytes)) return ExitCode::kUnsafe;
  if (const std::string stale = StaleManifest(request, made); !stale.empty()) {
    Complain(
        fmt::format("{}: nothing is written: {} is the manifest of another program: remove "
                    "it, or name another file with -o",
                    QuotePath(request.file), QuotePath(stale)));
    return ExitCode::kUsage;
  }
  // The program last: it may replace the old one, which is kept if anything fails.
  ExitCode stored = ExitCode::kSafe;
  if (!request.certificate.empty()) {
    stored = StoreFile(request.certificate, CertificateFile(made.bytes, certificate));
  }
  if (stored == ExitCode::kSafe && !request.html.empty()) {
    stored = StoreFile(request.html, PageOf(request, parts, made.bytes, text));
  }
  if (stored == ExitCode::kSafe) stored = StoreInItsForm(request, parts, made);
  if (stored != ExitCode::kSafe) return stored;
  const std::string& report = request.json ? certificate : text;
  if (request.output == kStandardOutput) {
    std::fputs(report.c_str(), stderr);
  } else {
    WriteOutput(report);
  }
  return ExitCode::kSafe;
}

}  // namespace pteproof

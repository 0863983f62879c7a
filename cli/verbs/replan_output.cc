#include "cli/verbs/replan_output.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
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
  const fs::path folder = (to_file ? request.output : std::string("replan")) + ".failed";
  std::error_code error;
  fs::create_directories(folder, error);
  const auto& bytes = *parts.program.bytes;
  const std::span<const std::byte> old_bytes(bytes.data(), bytes.size());
  const bool kept =
      !error && StoreFile((folder / "old.pte").string(), old_bytes) == ExitCode::kSafe &&
      StoreFile((folder / "new.pte").string(), written) == ExitCode::kSafe &&
      StoreFile((folder / "certificate.json").string(), std::string_view(certificate)) ==
          ExitCode::kSafe;
  Complain(fmt::format(
      "{}: nothing is written: {}\n  This is a mistake of pteproof itself, please report it{}",
      QuotePath(request.file), Quote(FirstLine(why), kLongestLine),
      kept ? fmt::format(" with the folder {}", QuotePath(folder.string())) : ""));
  return ExitCode::kInternal;
}

ExitCode WriteReplanned(const ReplanRequest& request, std::span<const std::byte> bytes,
                        const std::string& report, const std::string& certificate) {
  ExitCode stored = StoreFile(request.output, bytes);
  if (stored == ExitCode::kSafe && !request.certificate.empty()) {
    stored = StoreFile(request.certificate, std::string_view(certificate));
  }
  if (stored != ExitCode::kSafe) return stored;
  if (request.output == kStandardOutput) {
    std::fputs(report.c_str(), stderr);
  } else {
    WriteOutput(report);
  }
  return ExitCode::kSafe;
}

}  // namespace pteproof

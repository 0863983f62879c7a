#include "cli/verbs/replan_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <utility>

#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"
#include "cli/load/program_parts.h"
#include "cli/render/replan_report.h"
#include "pteproof/check.h"
#include "pteproof/write.h"
#include "runtime/same_program.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

bool AllFirst(const ReplanRequest& request, const ProgramParts& parts) {
  const bool stated = parts.manifest != nullptr && parts.manifest->all_first.value_or(false);
  return request.all_first.value_or(stated);
}

std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// A program without a plan that is known to be right has none to keep.
ExitCode RefuseVerdict(const ReplanRequest& request, const Report& report, Overall verdict) {
  const bool unsafe = verdict == Overall::kUnsafe;
  std::string text =
      fmt::format("{}: the plan is {}, so that a new one cannot be shown to compute the same",
                  QuotePath(request.file), unsafe ? "unsafe" : "undecided");
  for (const Finding& finding : report.findings) {
    const bool decides = unsafe ? finding.severity == Severity::kError : finding.undecided;
    if (!decides) continue;
    text += fmt::format("\n  {}: {}\n  {}", finding.rule,
                        Quote(FirstLine(finding.explanation), kLongestLine),
                        Quote(finding.fix, kLongestLine));
  }
  Complain(text);
  return unsafe ? ExitCode::kUnsafe : ExitCode::kUndecided;
}

// Nothing is written but what reproduces the failure.
ExitCode Fail(const ReplanRequest& request, const ProgramParts& parts, const std::string& why,
              std::span<const std::byte> written, const std::string& certificate) {
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

ExitCode Write(const ReplanRequest& request, std::span<const std::byte> bytes,
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

ExitCode Replan(const ReplanRequest& request, const ProgramParts& parts) {
  const planner::Replanned replanned = planner::MovePlaces(parts.source(), request.options);
  const auto bytes = WriteProgram(replanned.program);
  if (!bytes.ok()) {
    Complain(fmt::format("{}: {}", QuotePath(request.file), bytes.error()));
    return ExitCode::kUnsafe;
  }
  const ReplanFiles files = {request.file, request.output};
  const auto back = ReadProgram(bytes.value());
  const std::string lost = back.ok() ? ProgramDifference(back.value(), replanned.program)
                                     : std::string("the new file cannot be read");
  if (!lost.empty()) return Fail(request, parts, lost, bytes.value(), "");
  const compare::ComparedSide old_side = {&parts.source(), parts.data_file(), parts.manifest.get()};
  const compare::ComparedSide new_side = {&replanned.program, parts.data_file(),
                                          parts.manifest.get()};
  const certify::Certificate certificate = certify::Certify(
      old_side, new_side,
      {.all_first = AllFirst(request, parts), .calls = request.calls, .seed = request.seed});
  const std::string json = CertificateJson(files, replanned, certificate);
  if (!certificate.holds()) {
    return Fail(request, parts, certificate.failure, bytes.value(), json);
  }
  return Write(request, bytes.value(),
               request.json ? json : ReplanText(files, replanned, certificate), json);
}

}  // namespace

ExitCode RunReplan(const ReplanRequest& request) {
  if (!std::has_single_bit(static_cast<uint64_t>(request.options.alignment))) {
    Complain(fmt::format("alignment {} is not a power of two", request.options.alignment));
    return ExitCode::kUsage;
  }
  const auto parts = LoadParts({request.file, request.data, request.manifest});
  if (!parts.ok()) {
    Complain(parts.error().why);
    return parts.error().code;
  }
  const Manifest* manifest = parts.value().manifest.get();
  const Report report =
      Check(parts.value().source(),
            {.manifest = manifest, .all_first = AllFirst(request, parts.value())});
  const auto stated = manifest == nullptr ? std::nullopt : manifest->policy;
  const Overall verdict = OverallOf(report.verdicts, request.policy ? request.policy : stated);
  if (verdict == Overall::kUnsafe || verdict == Overall::kUndecided) {
    return RefuseVerdict(request, report, verdict);
  }
  return Replan(request, parts.value());
}

}  // namespace pteproof

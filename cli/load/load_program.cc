#include "cli/load/load_program.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "base/unwind.h"
#include "cli/io/quote.h"
#include "cli/load/known_file.h"
#include "cli/load/load_assembly.h"
#include "pteproof/read.h"
#include "pteproof/rules.h"
#include "runtime/data_rules.h"
#include "runtime/file_kind.h"
#include "runtime/file_rules.h"

namespace pteproof {
namespace {

// The command as a whole says that memory ran out.
LoadFailure Malformed(std::vector<Finding> findings) {
  if (RanOutOfMemory(findings)) GiveUp(std::bad_alloc());
  return {Outcome::kMalformed, "", Explained(std::move(findings))};
}

// Of a file that is something else: `rule` is what it breaks.
LoadFailure SomethingElse(const KnownFile& known, std::string_view rule) {
  Finding finding;
  finding.rule = rule;
  finding.explanation = ExplanationOf(known);
  finding.fix = FixOf(known);
  const bool other_verbs = known.kind == KnownKind::kModule;
  LoadFailure failure;
  failure.outcome = other_verbs ? Outcome::kOtherVerbs : Outcome::kMalformed;
  failure.findings.push_back(std::move(finding));
  failure.known = true;
  return failure;
}

// The bytes are those of the `.pte` that the text makes.
Result<LoadedProgram, LoadFailure> LoadAssembly(const std::string& path, Bytes bytes) {
  auto made = AssembleFile(path, bytes);
  if (!made) return LoadFailure{Outcome::kMalformed, "", FindingsOf(made.error())};
  pteasm::Assembled assembled = std::move(made).value();
  HeldBytes file(std::move(assembled.file));
  auto program = ReadProgram(*file);
  if (!program) return Malformed(program.error());
  return LoadedProgram{std::move(file), std::move(program).value(),
                       std::make_shared<pteasm::ProgramText>(std::move(assembled.text))};
}

std::string_view FirstLineOf(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

Result<LoadedProgram, LoadFailure> LoadProgram(const std::string& path) {
  auto bytes = LoadFile(path);
  if (!bytes) return LoadFailure{Outcome::kUnreadable, bytes.error().why, {}};
  if (IsAssembly(path, *bytes.value())) return LoadAssembly(path, *bytes.value());
  const auto known = KnownFileOf(*bytes.value());
  if (known && known->kind == KnownKind::kData) {
    return LoadFailure{Outcome::kUnreadable, SentencesOf(*known), {}};
  }
  if (known && known->kind != KnownKind::kProgram) {
    return SomethingElse(*known, rule::kFileIdentifier);
  }
  auto program = ReadPackedProgram(*bytes.value());
  if (!program) return Malformed(program.error());
  return LoadedProgram{std::move(bytes).value(), std::move(program).value()};
}

std::string TextOf(const std::string& file, const LoadFailure& failure) {
  const std::string name = QuotePath(file, kLongestLine);
  if (failure.findings.empty()) return fmt::format("{}: {}", name, failure.error);
  const Finding& first = failure.findings.front();
  if (failure.known) return fmt::format("{}: {} {}", name, first.explanation, first.fix);
  return fmt::format("{}: malformed ({}): {}", name, first.rule,
                     Quote(FirstLineOf(first.explanation), kLongestLine));
}

ExitCode ExitCodeOf(const LoadFailure& failure) {
  FileReport report;
  report.outcome = failure.outcome;
  return ExitCodeOf(report);
}

Result<LoadedData, LoadFailure> LoadData(const std::string& path) {
  auto bytes = LoadFile(path);
  if (!bytes) return LoadFailure{Outcome::kUnreadable, bytes.error().why, {}};
  const auto known = KnownFileOf(*bytes.value());
  if (known && known->kind != KnownKind::kData) return SomethingElse(*known, rule::kDataIdentifier);
  auto file = ReadDataFile(*bytes.value());
  if (!file) return Malformed(file.error());
  return LoadedData{std::move(bytes).value(), std::move(file).value()};
}

}  // namespace pteproof

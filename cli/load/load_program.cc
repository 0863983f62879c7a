#include "cli/load/load_program.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "cli/io/load_file.h"
#include "pteproof/read.h"
#include "pteproof/rules.h"
#include "runtime/file_kind.h"
#include "runtime/read_bundle.h"

namespace pteproof {
namespace {

// The command as a whole says that memory ran out.
LoadFailure Malformed(std::vector<Finding> findings) {
  if (RanOutOfMemory(findings)) throw std::bad_alloc();
  return {Outcome::kMalformed, "", Explained(std::move(findings))};
}

// What is wrong with a program inside, with places in the whole file.
std::vector<Finding> FoundInside(std::vector<Finding> findings, uint64_t start) {
  for (Finding& finding : findings) {
    if (finding.bytes) {
      finding.bytes->lo += start;
      finding.bytes->hi += start;
    }
    finding.explanation +=
        fmt::format("\nThis is about the program inside, from byte {} of the file on.", start);
  }
  return findings;
}

Result<Program, std::vector<Finding>> ReadBundledProgram(Bytes file) {
  auto bundle = ReadBundle(file);
  if (!bundle) return bundle.error();
  const Bytes inside = bundle.value().program;
  auto program = ReadProgram(inside);
  if (!program) {
    return FoundInside(program.error(), static_cast<uint64_t>(inside.data() - file.data()));
  }
  std::vector<Finding> findings = CheckBundle(program.value(), bundle.value());
  if (!findings.empty()) return findings;
  return program;
}

}  // namespace

Result<LoadedProgram, LoadFailure> LoadProgram(const std::string& path) {
  auto bytes = LoadFile(path);
  if (!bytes) return LoadFailure{Outcome::kUnreadable, bytes.error().why, {}};
  const FileKind kind = Sniff(bytes.value());
  if (kind == FileKind::kData) {
    return LoadFailure{
        Outcome::kUnreadable,
        "it holds data (.ptd), not a program: name it with --data, beside its program",
        {}};
  }
  auto program =
      kind == FileKind::kBundle ? ReadBundledProgram(bytes.value()) : ReadProgram(bytes.value());
  if (!program) return Malformed(program.error());
  return LoadedProgram{std::move(bytes).value(), std::move(program).value()};
}

Result<LoadedData, LoadFailure> LoadData(const std::string& path) {
  auto bytes = LoadFile(path);
  if (!bytes) return LoadFailure{Outcome::kUnreadable, bytes.error().why, {}};
  auto file = ReadDataFile(bytes.value());
  if (!file) return Malformed(file.error());
  return LoadedData{std::move(bytes).value(), std::move(file).value()};
}

}  // namespace pteproof

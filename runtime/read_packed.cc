#include <fmt/format.h>

#include <utility>

#include "pteproof/read.h"
#include "runtime/file_kind.h"
#include "runtime/read_bundle.h"

namespace pteproof {
namespace {

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

Result<Program, std::vector<Finding>> ReadPackedProgram(Bytes file) {
  return Sniff(file) == FileKind::kBundle ? ReadBundledProgram(file) : ReadProgram(file);
}

}  // namespace pteproof

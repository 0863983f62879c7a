#include "cli/load/load_program.h"

#include <memory>
#include <new>
#include <utility>

#include "cli/io/load_file.h"
#include "pteproof/read.h"
#include "pteproof/rules.h"
#include "runtime/file_kind.h"

namespace pteproof {
namespace {

// The command as a whole says that memory ran out.
LoadFailure Malformed(std::vector<Finding> findings) {
  if (RanOutOfMemory(findings)) throw std::bad_alloc();
  return {Outcome::kMalformed, "", Explained(std::move(findings))};
}

}  // namespace

Result<LoadedProgram, LoadFailure> LoadProgram(const std::string& path) {
  auto bytes = LoadFile(path);
  if (!bytes) return LoadFailure{Outcome::kUnreadable, bytes.error().why, {}};
  if (Sniff(bytes.value()) == FileKind::kData) {
    return LoadFailure{
        Outcome::kUnreadable,
        "it holds data (.ptd), not a program: name it with --data, beside its program",
        {}};
  }
  auto held = std::make_shared<const std::vector<std::byte>>(std::move(bytes).value());
  auto program = ReadPackedProgram(*held);
  if (!program) return Malformed(program.error());
  return LoadedProgram{std::move(held), std::move(program).value()};
}

Result<LoadedData, LoadFailure> LoadData(const std::string& path) {
  auto bytes = LoadFile(path);
  if (!bytes) return LoadFailure{Outcome::kUnreadable, bytes.error().why, {}};
  auto file = ReadDataFile(bytes.value());
  if (!file) return Malformed(file.error());
  return LoadedData{std::move(bytes).value(), std::move(file).value()};
}

}  // namespace pteproof

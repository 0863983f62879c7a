#include <memory>
#include <utility>

#include "base/within_memory.h"
#include "pteproof/read.h"
#include "runtime/file_bytes.h"

namespace pteproof {
namespace {

Result<ProgramFile, ReadFailure> ReadFileOf(const std::filesystem::path& path) {
  auto bytes = ReadFileBytes(path);
  if (!bytes) return ReadFailure{ReadFailure::Kind::kUnreadable, bytes.error().why};
  auto held = std::make_shared<const std::vector<std::byte>>(std::move(bytes).value());
  auto program = ReadPackedProgram(*held);
  if (program) return ProgramFile{std::move(held), std::move(program).value()};
  if (RanOutOfMemory(program.error())) return ReadFailure{ReadFailure::Kind::kOutOfMemory, ""};
  return ReadFailure{ReadFailure::Kind::kMalformed, "", program.error()};
}

}  // namespace

Result<ProgramFile, ReadFailure> ReadProgramFile(const std::filesystem::path& path) {
  return WithinMemory([&] { return ReadFileOf(path); },
                      []() -> Result<ProgramFile, ReadFailure> {
                        return ReadFailure{ReadFailure::Kind::kOutOfMemory, ""};
                      });
}

}  // namespace pteproof

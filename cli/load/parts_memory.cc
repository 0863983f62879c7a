#include "cli/load/parts_memory.h"

#include <utility>
#include <vector>

#include "pteproof/rules.h"
#include "runtime/bind_external.h"

namespace pteproof {

std::vector<DataFile> DataOf(const ProgramParts& parts) {
  std::vector<DataFile> data;
  for (const LoadedData& each : parts.data) data.push_back(each.file);
  return data;
}

Result<memory::ProgramMemory, PartsFailure> MemoryOfParts(
    const std::string& file, const ProgramParts& parts, std::span<const std::string> methods,
    std::span<const memory::LoaderKind> loaders) {
  const std::vector<DataFile> data = DataOf(parts);
  std::vector<Finding> misfits =
      data.empty() ? std::vector<Finding>() : BindExternal(parts.source(), data);
  if (!misfits.empty()) {
    const LoadFailure failure = {Outcome::kMalformed, "", Explained(std::move(misfits))};
    return PartsFailure{ExitCodeOf(failure), TextOf(file, failure)};
  }
  return memory::MemoryOf({&parts.source(), *parts.program.bytes, data}, methods, loaders);
}

}  // namespace pteproof

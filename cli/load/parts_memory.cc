#include "cli/load/parts_memory.h"

#include <utility>
#include <vector>

#include "pteproof/rules.h"
#include "runtime/bind_external.h"
#include "runtime/data_container.h"

namespace pteproof {
namespace {

// What is wrong with the data files, if they are not those of the program.
std::vector<Finding> MisfitsOf(const ProgramParts& parts) {
  std::vector<DataFile> data;
  for (const LoadedData& each : parts.data) data.push_back(each.file);
  return data.empty() ? std::vector<Finding>() : BindExternal(parts.source(), data);
}

std::vector<memory::DataSource> DataSourcesOf(const ProgramParts& parts) {
  std::vector<memory::DataSource> sources;
  for (const LoadedData& each : parts.data) {
    const auto container = ReadDataContainer(*each.bytes);
    sources.push_back({&each.file, container ? container.value().flatbuffer.size() : 0});
  }
  return sources;
}

}  // namespace

Result<memory::ProgramMemory, PartsFailure> MemoryOfParts(
    const std::string& file, const ProgramParts& parts, std::span<const std::string> methods,
    std::span<const memory::LoaderKind> loaders) {
  if (std::vector<Finding> misfits = MisfitsOf(parts); !misfits.empty()) {
    const LoadFailure failure = {Outcome::kMalformed, "", Explained(std::move(misfits))};
    return PartsFailure{ExitCodeOf(failure), TextOf(file, failure)};
  }
  const std::vector<memory::DataSource> data = DataSourcesOf(parts);
  return memory::MemoryOf({&parts.source(), *parts.program.bytes, data}, methods, loaders);
}

}  // namespace pteproof

// From a program with what lies beside it to the memory that a device needs for it.
#ifndef PTEPROOF_CLI_LOAD_PARTS_MEMORY_H_
#define PTEPROOF_CLI_LOAD_PARTS_MEMORY_H_

#include <span>
#include <string>
#include <vector>

#include "cli/load/program_parts.h"
#include "properties/memory/device_memory.h"
#include "pteproof/result.h"

namespace pteproof {

[[nodiscard]] std::vector<DataFile> DataOf(const ProgramParts& parts);

// Of these methods, without names of all, for each of the loaders. `file` is the program's name.
// Data files that are not those of the program are a failure.
[[nodiscard]] Result<memory::ProgramMemory, PartsFailure> MemoryOfParts(
    const std::string& file, const ProgramParts& parts, std::span<const std::string> methods,
    std::span<const memory::LoaderKind> loaders);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_PARTS_MEMORY_H_

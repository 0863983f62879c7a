// The files that are named with --data, for the verbs that judge programs.
#ifndef PTEPROOF_CLI_LOAD_DATA_FILES_H_
#define PTEPROOF_CLI_LOAD_DATA_FILES_H_

#include <span>
#include <string>
#include <vector>

#include "cli/load/file_report.h"
#include "cli/load/load_program.h"
#include "runtime/read_data.h"

namespace pteproof {

struct UnusableData {
  std::string file;
  LoadFailure failure;
};

struct DataFiles {
  std::vector<LoadedData> loaded;      // hold the bytes
  std::vector<DataFile> files;         // in the order of the names; point into them
  std::vector<UnusableData> failures;  // those that cannot be used: then nothing can be judged
};

[[nodiscard]] DataFiles LoadDataFiles(std::span<const std::string> names);

// Of a file that holds no program, or no data.
[[nodiscard]] FileReport ReportOf(const std::string& file, const LoadFailure& failure);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_DATA_FILES_H_

// Files and folders, as named on the command line, to a list of program files.
#ifndef PTEPROOF_CLI_LOAD_FILE_WALK_H_
#define PTEPROOF_CLI_LOAD_FILE_WALK_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pteproof/finding.h"

namespace pteproof {

// A file to check, or why there is none.
struct FoundFile {
  std::string path;
  std::string error;                  // empty: nothing wrong so far
  std::optional<Policy> policy = {};  // of this file, unless one is asked for of all
};

// In the order of `names`, each file once. A file is taken as it is named, whatever its ending. A
// folder stands for all .pte and .bpte files in it and below it, sorted by path; one without any is
// an error, and so is each folder that cannot be read. Links to folders are not followed, so there
// is always an end.
[[nodiscard]] std::vector<FoundFile> FindFiles(std::span<const std::string> names);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_FILE_WALK_H_

// A failing case as a folder that a person can read, and a later campaign can try first.
#ifndef PTEPROOF_PROPERTIES_DIFFERENTIAL_STORED_CASE_H_
#define PTEPROOF_PROPERTIES_DIFFERENTIAL_STORED_CASE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "properties/differential/case_run.h"
#include "properties/generators/build_module.h"
#include "pteproof/result.h"

namespace pteproof {

struct StoredCase {
  generators::RandomCase c;
  uint64_t setting = 0;  // the number of its setting
};

// Files by name: case.module, case.pte (where the Module has a plan), setting.txt, and calls.json
// with calls.bin, in which the reference's outputs are the truth.
[[nodiscard]] std::map<std::string, std::vector<std::byte>> FilesOf(const StoredCase& stored);

// Reads case.module, setting.txt and the calls again. The error names the file.
[[nodiscard]] Result<StoredCase, std::string> ReadStoredCase(const std::string& folder);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_DIFFERENTIAL_STORED_CASE_H_

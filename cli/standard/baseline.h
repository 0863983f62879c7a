// The baseline: findings that a repository had when it began to look. Known ones do not fail, new
// ones do, and those that are gone are told.
#ifndef PTEPROOF_CLI_STANDARD_BASELINE_H_
#define PTEPROOF_CLI_STANDARD_BASELINE_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/result.h"

namespace pteproof {

// Findings of one fingerprint (cli/load/fingerprint.h). All but that and the count is for readers.
struct KnownFinding {
  std::string fingerprint;
  int64_t count = 1;
  std::string rule;
  std::string method;
  std::string explanation;  // of the first, its first line
};

// By file, relative to the baseline's folder.
struct Baseline {
  std::map<std::string, std::vector<KnownFinding>> files;
};

// An error names the place as a JSON pointer.
[[nodiscard]] Result<Baseline, std::vector<ManifestError>> ParseBaseline(std::string_view json);

// As JSON that is easily merged: a finding a line, sorted.
[[nodiscard]] std::string BaselineText(const Baseline& baseline);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_STANDARD_BASELINE_H_

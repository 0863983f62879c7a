// The standard that a repository holds its programs to: which findings count, what fails, and how
// much memory may be used. It is read from pteproof.toml and from flags, and changes no verdict:
// what it accepts stays in the report.
#ifndef PTEPROOF_CLI_STANDARD_STANDARD_H_
#define PTEPROOF_CLI_STANDARD_STANDARD_H_

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/load/trust.h"
#include "cli/standard/limit.h"
#include "pteproof/finding.h"

namespace pteproof {

// What fails a file, if it is not accepted.
struct FailOn {
  bool error = true;      // an unsafe verdict
  bool warning = false;   // a warning
  bool undecided = true;  // an undecided verdict
  bool depends = true;    // a verdict that depends on the loader
};
inline constexpr std::array<std::string_view, 4> kFailOnWords = {"error", "warning", "undecided",
                                                                 "depends"};

// Findings that are known, and why.
struct KnownRule {
  std::string rule;
  std::string method;  // empty: all
  std::string glob;    // empty: all files
  std::string reason;
  size_t line = 0;
};

// What a finding of a rule counts as, whatever its own severity is.
using Severities = std::map<std::string, Severity, std::less<>>;

// What differs for some files.
struct PathRule {
  std::string glob;
  std::optional<Policy> policy;
  std::vector<std::string> ignore;
  Severities severity;
  std::vector<Limit> max_bytes;
  std::vector<Limit> max_waste;
};

struct Standard {
  std::string source = "the command line";  // the config as a reader finds it
  std::string folder;                       // paths and patterns are relative to it; absolute
  std::optional<Policy> policy;
  std::optional<bool> all_first;
  bool trust_manifests = false;
  std::vector<std::string> operators;  // files, as this process finds them; likewise below
  std::vector<std::string> data;
  std::string baseline;  // empty: none
  std::optional<std::vector<std::string>> select;
  std::vector<std::string> ignore;
  std::string select_source;  // whose word they are
  std::string ignore_source;
  Severities severity;
  FailOn fail_on;
  std::vector<Limit> max_bytes;
  std::vector<Limit> max_waste;
  std::vector<KnownRule> suppress;
  std::vector<PathRule> paths;
  std::vector<TrustedManifest> trusted;
};

// The file's path relative to the folder, as patterns and baselines have it. "-" stays.
[[nodiscard]] std::string NameIn(const std::string& folder, const std::string& file);

// The policy that the last fitting path rule gives a file, else the standard's.
[[nodiscard]] std::optional<Policy> PolicyFor(const Standard& standard, const std::string& file);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_STANDARD_STANDARD_H_

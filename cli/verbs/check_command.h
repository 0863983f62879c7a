// The verb `check`: files in, verdicts out.
#ifndef PTEPROOF_CLI_VERBS_CHECK_COMMAND_H_
#define PTEPROOF_CLI_VERBS_CHECK_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "cli/load/trust.h"
#include "cli/standard/load_standard.h"
#include "pteproof/check.h"
#include "pteproof/finding.h"

namespace pteproof {

// kNone: standard output is for something else.
enum class OutputForm : uint8_t {
  kText,
  kJson,
  kSarif,
  kJunit,
  kGithub,
  kHtml,
  kMarkdown,
  kPatch,
  kNone
};

struct CheckRequest {
  std::vector<std::string> files;  // files and folders; "-" is standard input
  std::vector<std::string> data;   // .ptd files
  OutputForm form = OutputForm::kText;
  std::string
      html;  // where a page with everything goes too; empty: nowhere, -: instead of the reports
  std::string certificate;  // a file, or of several programs a folder; empty: none is written
  std::optional<Policy> policy;
  std::string loader;        // as it is spelt, with its policy above; empty: none is named
  std::string loader_file;   // a loader's table; empty: none
  std::string operators_of;  // of the runtime: "wheel" or a file; empty: the loader's own
  std::optional<bool> all_first;
  Use use = Use::kInTurn;
  ManifestChoice manifest;
  StandardChoice standard;
  bool optimum = false;
  std::optional<double> optimum_seconds;  // for each bank; none: equal work on every machine
  bool quiet = false;
  bool all = false;
  bool patch = false;  // with kJson: findings with their patches; alone: nothing but these
  size_t jobs = 1;
  bool watch = false;  // again each time that a file changes, without an end
};

// Writes the reports to standard output in the order of the files, whatever the number of jobs, and
// says what the worst of them amounts to. kUnreadable if the page or a baseline cannot be written.
[[nodiscard]] ExitCode RunCheck(const CheckRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_CHECK_COMMAND_H_

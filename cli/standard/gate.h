// Holds reports to a standard, one after the other, and remembers what the run has shown of the
// standard itself: which suppressions fit nothing, which known findings are gone.
#ifndef PTEPROOF_CLI_STANDARD_GATE_H_
#define PTEPROOF_CLI_STANDARD_GATE_H_

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/load/file_report.h"
#include "cli/standard/baseline.h"
#include "cli/standard/load_standard.h"
#include "cli/standard/standard.h"

namespace pteproof {

// What is to be told of the standard, not of a file.
struct Remark {
  std::string file;  // the config or the baseline
  size_t line = 0;   // 0: none
  std::string text;
};

class Gate {
 public:
  // `written`: the file that findings are recorded for; empty: they are not.
  Gate(Standard standard, Baseline known, std::string written);
  Gate(Gate&&) = default;
  Gate(const Gate&) = delete;  // it knows budgets by their addresses
  ~Gate() = default;

  [[nodiscard]] const Standard& standard() const { return standard_; }

  // Gives what is accepted its reason, and the report its standing. A file without a verdict stays
  // as it is.
  void Hold(FileReport& report);

  // After the last report.
  [[nodiscard]] std::vector<Remark> Remarks() const;
  [[nodiscard]] const Baseline& recorded() const { return recorded_; }

 private:
  // What holds for one file.
  struct Demands {
    std::set<std::string, std::less<>> path_ignore;
    Severities severity;
    std::vector<const Limit*> max_bytes;
    std::vector<const Limit*> max_waste;
  };

  [[nodiscard]] Demands DemandsOf(const std::string& name) const;
  // Why the finding is accepted; empty: it is not.
  std::string Reason(const Finding& finding, const std::string& name, const Demands& demands);
  bool TakeKnown(const std::string& file, const std::string& fingerprint);
  void Record(const FileReport& report, size_t finding);
  Weight Weigh(FileReport& report, size_t finding, const std::string& name, const Demands& demands);
  void TellGone(const std::string& file);
  void HoldMemory(const FileReport& report, const Demands& demands, Standing& standing);

  Standard standard_;
  Baseline known_;
  std::string written_;
  std::string baseline_folder_;
  Baseline recorded_;
  std::set<size_t> fitted_;            // suppressions with a finding
  std::set<size_t> met_;               // suppressions whose files were checked
  std::set<const Limit*> limits_met_;  // budgets of memory that a program has
  std::vector<Remark> gone_;
};

// The gate of a command's flags; nothing if they and the place where it was called ask for none.
[[nodiscard]] Result<std::optional<Gate>, StandardFailure> OpenGate(const StandardChoice& choice);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_STANDARD_GATE_H_

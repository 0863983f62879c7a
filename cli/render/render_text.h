// The form for people: verdict first, then what is wrong, where, and how well the memory is used.
#ifndef PTEPROOF_CLI_RENDER_RENDER_TEXT_H_
#define PTEPROOF_CLI_RENDER_RENDER_TEXT_H_

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "cli/io/exit_code.h"
#include "cli/io/paint.h"
#include "cli/load/file_report.h"

namespace pteproof {

struct TextOptions {
  Paint paint;
  bool quiet = false;  // only the verdict line of each file
  bool all = false;    // no limit to how many findings of one rule are shown
  std::set<std::string_view>* told = nullptr;  // rules whose text the run has named; null: none yet
};

// How many findings of one rule a file shows unless all are asked for: the first ones tell the
// explanation.
inline constexpr int kShownPerRule = 10;

// Where a policy was chosen, findings that do not hold under it are only counted.
[[nodiscard]] std::string RenderText(const FileReport& report, const TextOptions& options);

// True without a standard.
[[nodiscard]] bool MeetsStandard(const FileReport& report);

// How many files got which verdict.
struct Tally {
  int files = 0;
  int safe = 0;
  int unsafe = 0;
  int undecided = 0;
  int depends = 0;
  int malformed = 0;
  int failed = 0;      // unreadable, wrong manifest, internal error
  int accepted = 0;    // findings that make a verdict
  int suppressed = 0;  // other findings
  int refused = 0;     // files that the loader does not take
  int by_word = 0;     // files that a found manifest would better
  int below_standard = 0;
  ExitCode worst = ExitCode::kSafe;

  void Add(const FileReport& report);
};

// One line: "58 files: 30 safe, 20 unsafe, 8 depends".
[[nodiscard]] std::string RenderTally(const Tally& tally, const Paint& paint);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_RENDER_TEXT_H_

// What is known of one checked file: the common source of the text, JSON and SARIF forms.
#ifndef PTEPROOF_CLI_LOAD_FILE_REPORT_H_
#define PTEPROOF_CLI_LOAD_FILE_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/io/exit_code.h"
#include "cli/load/bank_optimum.h"
#include "cli/load/source_lines.h"
#include "properties/memory/device_memory.h"
#include "properties/picture/picture.h"
#include "properties/verdict.h"
#include "pteproof/finding.h"
#include "pteproof/report.h"

namespace pteproof {

enum class Outcome : uint8_t {
  kJudged,         // there are verdicts
  kMalformed,      // the findings say why
  kOtherVerbs,     // it is what other verbs take: the findings say so
  kWrongManifest,  // `error` says where and why
  kUnreadable,     // `error` says why
  kNotJudged,  // data that it was to be judged with cannot be used: that has a report of its own
  kInternal,   // out of memory, or a mistake of the program's own
};

// What a finding counts as when a file is held to a standard.
enum class Weight : uint8_t { kNothing, kWarning, kUndecided, kError };

// What a standard makes of a judged file (cli/standard/). It changes no verdict.
struct Standing {
  std::string source;               // the standard's file, or "the command line"
  ExitCode code = ExitCode::kSafe;  // of the file
  std::vector<Weight> weights;      // per finding; what is accepted counts as nothing
  std::vector<std::string> broken;  // one sentence for each demand that is not met
};

struct FileReport {
  std::string file;  // as named on the command line, or found in a folder
  Outcome outcome = Outcome::kJudged;
  std::string error;                      // empty, or one line for each reason
  std::string manifest;                   // the manifest in use, empty without one
  bool trusted = true;                    // false: it was found, and nobody vouches for it
  std::optional<Overall> by_word;         // the verdict if it were trusted (cli/load/trust.h)
  std::vector<std::string> settled = {};  // by_word: rules and "the loader", which it would settle
  bool in_standard = false;               // a config may trust the manifest
  std::optional<Policy> policy;           // the command's, else the manifest's
  Report report;                          // kMalformed, kOtherVerbs: findings only
  std::vector<bool> file_alone;     // per finding: only without the manifest; empty: none of them
  SourceLines source;               // of the model; read if there are findings or a picture
  std::vector<BankOptimum> optima;  // as report.banks; empty: not asked for
  std::optional<memory::ProgramMemory> memory = {};  // kJudged, of the loaders that are judged
  std::optional<picture::Picture> picture;           // kJudged, where asked for
  std::string loader = {};  // as the command spells it; empty: none is named
  bool by_table = false;    // `loader` is the file of a table: all verdicts are those under it
  std::optional<bool> loads = {};              // whether it takes the program, if that is known
  std::string certificate = {};                // kJudged and not undecided, where asked for
  std::vector<std::string> fingerprints = {};  // kJudged: per finding (cli/load/fingerprint.h)
  std::optional<Standing> standing = {};       // kJudged, if there is a standard
};

// "pteproof.toml, met", "pteproof.toml, not met:". As it stands in the file: not quoted.
[[nodiscard]] std::string StandardLine(const Standing& standing);

// "safe", "unsafe", "undecided", "depends", "malformed", "wrong-manifest", "unreadable",
// "not-judged" or "internal-error".
[[nodiscard]] std::string_view VerdictWord(const FileReport& report);

// The verdict under one policy, in the same words but "depends".
[[nodiscard]] std::string_view VerdictWord(const FileReport& report, Policy policy);

// Whether the finding of that index shows only without the manifest, which is not trusted.
[[nodiscard]] bool IsOfFileAlone(const FileReport& report, size_t finding);

// How many of the findings that make the verdict are accepted ones.
[[nodiscard]] size_t AcceptedOf(const FileReport& report);

// Whether the loader refuses the program, and that is not accepted.
[[nodiscard]] bool IsRefused(const FileReport& report);

// What the finding of that index counts as: with a standard, as that has it.
[[nodiscard]] Weight WeightOf(const FileReport& report, size_t finding);

// Findings that a trusted manifest accepts fail nothing. With a standard it is the standard's.
[[nodiscard]] ExitCode ExitCodeOf(const FileReport& report);
[[nodiscard]] ExitCode ExitCodeOf(Overall verdict);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_FILE_REPORT_H_

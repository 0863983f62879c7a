// A proof of one file, as text or JSON.
#ifndef PTEPROOF_CLI_RENDER_PROOF_REPORT_H_
#define PTEPROOF_CLI_RENDER_PROOF_REPORT_H_

#include <memory>
#include <optional>
#include <string>

#include "cli/io/exit_code.h"
#include "cli/io/paint.h"
#include "properties/explain/why_refuted.h"
#include "properties/proofs/prove.h"
#include "properties/verdict.h"
#include "pteproof/finding.h"

namespace pteproof {

struct ProofReport {
  std::string file;
  std::string manifest;            // in use; empty: none
  bool trusted = true;             // false: it was found, and nobody vouches for it
  std::optional<Overall> by_word;  // the verdict if it were trusted, if that would be better
  std::optional<Policy> policy;    // the command's, else the manifest's
  proofs::Proof proof;
  Verdicts verdicts{};  // those of the proof; the worse ones where the file alone is proved too
  std::unique_ptr<ProofReport> alone;  // what only the file alone leaves unproved; null: nothing
  const Manifest* known = nullptr;     // whose suppressions count; null: none
  Report check;                        // of the same program; asked only where something is refuted
  double seconds = 0;
  std::string solvers;                // "Z3 4.8.12"
  std::optional<explain::Whys> whys;  // where they were asked for

  [[nodiscard]] Overall overall() const { return OverallOf(verdicts, policy); }
};

// Refutations that a trusted manifest accepts fail nothing.
[[nodiscard]] ExitCode ExitCodeOf(const ProofReport& report);

// `quiet`: the lines with the verdict and the counts only.
[[nodiscard]] std::string RenderText(const ProofReport& report, const Paint& paint, bool quiet);

// One object on one line.
[[nodiscard]] std::string RenderJson(const ProofReport& report);

// What has to be shown, one obligation a line, then the counts by kind.
[[nodiscard]] std::string RenderList(const std::string& file,
                                     const proofs::Obligations& obligations);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_PROOF_REPORT_H_

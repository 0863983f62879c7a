// Judges files: reads each with its manifest and data, checks it, and forms its report. Prints
// nothing.
#ifndef PTEPROOF_CLI_LOAD_JUDGE_H_
#define PTEPROOF_CLI_LOAD_JUDGE_H_

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/load/bank_optimum.h"
#include "cli/load/file_report.h"
#include "cli/load/file_walk.h"
#include "cli/load/trust.h"
#include "properties/loader_table.h"
#include "properties/loads.h"
#include "pteproof/check.h"
#include "pteproof/program.h"
#include "runtime/read_data.h"

namespace pteproof {

struct JudgeOptions {
  std::optional<Policy> policy;   // over the manifest's
  std::optional<bool> all_first;  // over the manifest's
  Use use = Use::kInTurn;
  ManifestChoice manifest;
  OptimumSearch optimum = OptimumSearch::kNone;  // how small each bank could be, too
  std::optional<double> optimum_seconds;         // kFull: each bank; none: equal work everywhere
  std::span<const DataFile> data;  // what programs may expect from outside; empty: not looked at
  bool picture = false;            // the picture of the plan, too
  std::optional<TargetRuntime> runtime;  // whether it takes the program, too
  const LoaderTable* table = nullptr;    // over the policy
  bool certificate = false;  // and what an independent reader needs to confirm the verdict
  std::vector<std::string> data_sha256 = {};  // of the files of `data`, for certificates
};

// Never fails: what goes wrong is the report's outcome.
[[nodiscard]] FileReport Judge(const FoundFile& file, const JudgeOptions& options);

// The same of a program that is read already, with its data and the operators' signatures. `file`
// is what the report calls it, and what its manifest lies beside. `bytes` are those of that file,
// to which its source lines must belong; empty: it is another program's.
[[nodiscard]] FileReport JudgeLoaded(const Program& program, Bytes bytes, const std::string& file,
                                     const JudgeOptions& options);

// Judges all files on `jobs` threads and hands the reports to `use`, in the order of the files, on
// the calling thread.
void JudgeAll(std::span<const FoundFile> files, const JudgeOptions& options, size_t jobs,
              const std::function<void(FileReport)>& use);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_JUDGE_H_

// Arguments of the verbs that run programs: `run`, `diff` and `test`.
#ifndef PTEPROOF_CLI_VERBS_RUN_ARGUMENTS_H_
#define PTEPROOF_CLI_VERBS_RUN_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "cli/verbs/diff_command.h"
#include "cli/verbs/eval_command.h"
#include "cli/verbs/test_command.h"

namespace pteproof {

struct RunOptionsText {
  EvalRequest request;
  std::string policy;
  std::string initial = "once";
  std::string fill = "zero";
  std::string mode = "planned";
};

struct DiffOptionsText {
  DiffRequest request;
  std::string policy;
};

// The texts must outlive the parse.
[[nodiscard]] CLI::App* AddRun(CLI::App& app, RunOptionsText& text);
[[nodiscard]] CLI::App* AddDiff(CLI::App& app, DiffOptionsText& text);
[[nodiscard]] CLI::App* AddTest(CLI::App& app, TestRequest& request);

[[nodiscard]] EvalRequest ToRequest(RunOptionsText text);
[[nodiscard]] DiffRequest ToRequest(DiffOptionsText text);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_RUN_ARGUMENTS_H_

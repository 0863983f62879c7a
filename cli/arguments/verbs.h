// The verbs of the command: what each takes, and what runs it. Each is described in a file of its
// own, VERB_arguments.cc.
#ifndef PTEPROOF_CLI_ARGUMENTS_VERBS_H_
#define PTEPROOF_CLI_ARGUMENTS_VERBS_H_

#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "cli/io/exit_code.h"

namespace pteproof {

struct Verb {
  CLI::App* app = nullptr;        // its description, which the parser fills in
  std::function<ExitCode()> run;  // with what was parsed
};

// Verbs for those who work on pteproof itself. Their own names are left out of the help text.
inline constexpr std::array<std::string_view, 4> kDevVerbs = {"random", "test", "fmt", "mutants"};

[[nodiscard]] Verb AddAssemble(CLI::App& app);
[[nodiscard]] Verb AddCheck(CLI::App& app);
[[nodiscard]] Verb AddCompare(CLI::App& app);
[[nodiscard]] Verb AddDev(CLI::App& app);
[[nodiscard]] Verb AddDiff(CLI::App& app);
[[nodiscard]] Verb AddEval(CLI::App& app);
[[nodiscard]] Verb AddFmt(CLI::App& app);
[[nodiscard]] Verb AddHelp(CLI::App& app);
[[nodiscard]] Verb AddInit(CLI::App& app);
[[nodiscard]] Verb AddInspect(CLI::App& app);
[[nodiscard]] Verb AddLink(CLI::App& app);
[[nodiscard]] Verb AddLint(CLI::App& app);
[[nodiscard]] Verb AddMap(CLI::App& app);
[[nodiscard]] Verb AddMemory(CLI::App& app);
[[nodiscard]] Verb AddMutants(CLI::App& app);
[[nodiscard]] Verb AddPlace(CLI::App& app);
[[nodiscard]] Verb AddPlan(CLI::App& app);
[[nodiscard]] Verb AddProve(CLI::App& app);
[[nodiscard]] Verb AddRandom(CLI::App& app);
[[nodiscard]] Verb AddReplan(CLI::App& app);
[[nodiscard]] Verb AddRules(CLI::App& app);
[[nodiscard]] Verb AddRun(CLI::App& app);
[[nodiscard]] Verb AddSplit(CLI::App& app);
[[nodiscard]] Verb AddTest(CLI::App& app);
[[nodiscard]] Verb AddTrust(CLI::App& app);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_ARGUMENTS_VERBS_H_

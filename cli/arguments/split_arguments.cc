#include <memory>
#include <optional>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/io/time_limit.h"
#include "cli/verbs/split_command.h"

namespace pteproof {

Verb AddSplit(CLI::App& app) {
  CLI::App& split =
      *app.add_subcommand("split", "Take methods out of a program, with the parts that they use");
  const auto request = std::make_shared<SplitRequest>();
  AddProgram(split, request->file);
  split.add_option("METHOD", request->methods, "The methods to take out, by name")
      ->required()
      ->type_name("");
  AddProgramOutput(split, request->output,
                   "Write the new program (.pte) here, and NAME.manifest.json beside it")
      ->required();
  AddManifest(split, request->manifest);
  AddData(split, request->data);
  AddSeed(split, request->seed, "Equal seeds make equal random calls");
  split
      .add_option("--runs", request->calls,
                  "Random calls of each method (default: as many as a second's work, at most 100)")
      ->check(WholeNumber(0, 1'000'000))
      ->type_name("NUMBER");
  const auto time = std::make_shared<std::optional<double>>();
  AddTime(split, *time, "then nothing is written");
  split.footer(
      "Exit codes: 0 written, 1 the methods cannot be taken out, 2 malformed, 3 the plan is not\n"
      "safe or undecided, 64 usage, 66 a file that cannot be read or written, 70 the new program\n"
      "cannot be shown right: nothing is written.\n"
      "Example: pteproof split model.pte decode -o decode.pte");
  return {&split,
          [request, time] { return Within(*time, "split", [&] { return RunSplit(*request); }); }};
}

}  // namespace pteproof

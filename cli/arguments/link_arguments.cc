#include <memory>
#include <optional>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/io/time_limit.h"
#include "cli/verbs/link_command.h"

namespace pteproof {
Verb AddLink(CLI::App& app) {
  CLI::App& link =
      *app.add_subcommand("link", "Join programs that were exported separately and share state");
  const auto request = std::make_shared<LinkRequest>();
  link.add_option("FILE", request->files, "Programs (.pte), each with its manifest beside it")
      ->required()
      ->type_name("");
  AddProgramOutput(link, request->output,
                   "Write the new program (.pte) here, and NAME.manifest.json beside it")
      ->required();
  AddList(link, "--share", request->options.share,
          "Buffers that methods share, by name, with * and ?; may be repeated (default: those "
          "that the manifests call shared)",
          "NAME");
  AddList(link, "--rename", request->renames,
          "Another name for a method of a file; may be repeated", "FILE:METHOD=NEW");
  AddChoice(link, "--initial", request->options.initial,
            Choices<planner::InitialState>{{"auto", planner::InitialState::kAuto},
                                           {"file", planner::InitialState::kFile},
                                           {"method", planner::InitialState::kMethod}},
            "The place of shared buffers' initial values: et_module_init if several methods share "
            "values that are not all zero (default: auto), the file, which is right if all methods "
            "are loaded first, or et_module_init in any case");
  AddAlignment(link, request->options.alignment,
               "The alignment of state, a power of two (default: 16). Activations keep theirs");
  link.add_option("--certificate", request->certificate,
                  "Write the certificate of the new program here, as JSON")
      ->type_name("FILE");
  AddPolicy(link, request->policy, "the manifests', or share-1-2");
  CLI::Option* manifests =
      AddList(link, "--manifest", request->manifests,
              "The facts of the source model; once for each program, in their order (default: "
              "NAME.manifest.json beside NAME.pte)",
              "FILE");
  link.add_flag("--no-manifest", request->manifest.none, "Use the program files alone")
      ->excludes(manifests);
  AddOperators(link, request->manifest.operators);
  AddData(link, request->data);
  AddSeed(link, request->seed, "Equal seeds make equal random calls");
  link.add_option("--runs", request->calls,
                  "Random calls of each method (default: as many as a second's work, at most 1000)")
      ->check(WholeNumber(0, 1'000'000))
      ->type_name("NUMBER");
  const auto time = std::make_shared<std::optional<double>>();
  AddTime(link, *time, "then nothing is written");
  AddJson(link, request->json, "One JSON object, the certificate");
  link.footer(
      "Exit codes: 0 written, 1 a plan is unsafe, or the programs cannot be joined, 2 malformed,\n"
      "3 undecided, 64 usage, 66 a file that cannot be read or written, 70 the new program cannot\n"
      "be shown right: nothing is written.\n"
      "Example: pteproof link prefill.pte decode.pte -o model.pte --share 'layers_*'");
  return {&link,
          [request, time] { return Within(*time, "link", [&] { return RunLink(*request); }); }};
}

}  // namespace pteproof

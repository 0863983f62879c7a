#include <memory>
#include <optional>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/io/time_limit.h"
#include "cli/verbs/compare_command.h"

namespace pteproof {

Verb AddCompare(CLI::App& app) {
  CLI::App& compare =
      *app.add_subcommand("compare", "Prove that two programs compute the same, and list changes");
  const auto request = std::make_shared<CompareRequest>();
  compare
      .add_option(
          "OLD", request->old_file,
          "The program before (.pte, .bpte, .pteasm), or the Module that NEW is made of (.module)")
      ->required()
      ->type_name("");
  compare
      .add_option("NEW", request->new_file, "The program after (.pte, .bpte, .pteasm), or a Module")
      ->required()
      ->type_name("");
  AddPolicy(compare, request->policy, "all three");
  AddManifest(compare, request->manifest);
  AddData(compare, request->data);
  compare.add_option("--only", request->method, "Compare the computation of this method alone")
      ->type_name("NAME");
  AddList(compare, "--rename", request->renames,
          "Compare a method of OLD under the name that it has in NEW; may be repeated",
          "METHOD=NEW");
  compare
      .add_option("--fail-on", request->fail_on,
                  "Parts that fail the comparison, with commas between them: interface, "
                  "computation, findings, memory, size (default: the first three)")
      ->delimiter(',')
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->check(OneOf({"interface", "computation", "findings", "memory", "size"}))
      ->type_name("PARTS");
  compare
      .add_option("--max-growth", request->max_growth,
                  "How much banks and the file may grow, in bytes or percent; more fails")
      ->type_name("SIZE");
  compare.add_flag("--meant", request->meant,
                   "Compare with what OLD is meant to compute, which is what `eval` computes, and "
                   "not with what its plan makes of it");
  AddSeed(compare, request->seed, "Equal seeds make equal random calls");
  compare
      .add_option(
          "--runs", request->calls,
          "Random calls of a method that is not proved the same (default: as many as a second's "
          "work, at most 100)")
      ->check(WholeNumber(0, 1'000'000))
      ->type_name("NUMBER");
  const auto time = std::make_shared<std::optional<double>>();
  AddTime(compare, *time, "then the exit code is 3");
  CLI::Option* json = AddJson(compare, request->json, "One JSON object");
  const auto format = std::make_shared<std::string>();
  compare
      .add_option("--format", *format,
                  "The form of standard output; --json is short for one of them (default: text)")
      ->check(OneOf({"text", "json", "markdown"}))
      ->type_name("WORD")
      ->excludes(json);
  AddHtml(compare, request->html, "a page with both plans side by side, beside the report");
  compare.footer(
      "Exit codes: 0 no part of --fail-on fails, 1 one does, 2 malformed, 3 the\n"
      "computation cannot be compared, 64 usage, 66 a file that cannot be read.\n"
      "Example: pteproof compare old.pte new.pte --max-growth 5%");
  return {&compare, [request, format, time] {
            CompareRequest asked = *request;
            asked.json = asked.json || *format == "json";
            asked.markdown = *format == "markdown";
            return Within(*time, "compare", [&] { return RunCompare(asked); });
          }};
}

}  // namespace pteproof

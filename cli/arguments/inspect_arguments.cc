#include <memory>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/inspect_command.h"

namespace pteproof {

Verb AddInspect(CLI::App& app) {
  CLI::App& inspect = *app.add_subcommand("inspect", "Print a program as readable text");
  const auto request = std::make_shared<InspectRequest>();
  AddProgram(inspect, request->file);
  inspect.add_option("--method", request->method, "Only this method")->type_name("NAME");
  AddData(inspect, request->data);
  CLI::Option* lifetimes = inspect.add_flag("--lifetimes", request->lifetimes,
                                            "The lifetimes of its storages, as 'place' reads them");
  CLI::Option* meaning =
      inspect
          .add_flag("--meaning", request->meaning,
                    "What its calls read and write, and which values are names of others' bytes")
          ->excludes(lifetimes);
  inspect.add_option("--memory-id", request->bank, "Only the lifetimes in this bank")
      ->check(WholeNumber(0, std::numeric_limits<uint32_t>::max()))
      ->type_name("NUMBER")
      ->needs(lifetimes);
  const auto json = std::make_shared<bool>(false);
  CLI::Option* json_flag = AddJson(inspect, *json, "One JSON object for the program");
  json_flag->excludes(lifetimes)->excludes(meaning);
  AddChoice(inspect, "--format", request->form,
            Choices<InspectForm>{{"text", InspectForm::kText},
                                 {"json", InspectForm::kJson},
                                 {"pteasm", InspectForm::kPteasm}},
            "The form of standard output; pteasm is what 'assemble' reads, --json is a short form "
            "of json (default: text)")
      ->excludes(json_flag)
      ->excludes(lifetimes)
      ->excludes(meaning);
  inspect.footer(
      "Exit codes: 0 printed, 2 malformed, 3 its control flow is beyond the limit on work\n"
      "(--lifetimes), 64 usage, 66 a file that cannot be read.\n"
      "Example: pteproof inspect model.pte --method forward\n"
      "Example: pteproof inspect --lifetimes model.pte | pteproof place -\n"
      "Example: pteproof inspect --meaning model.pte\n"
      "Example: pteproof inspect --format pteasm model.pte > model.pteasm");
  return {&inspect, [request, json] {
            if (*json) request->form = InspectForm::kJson;
            return RunInspect(*request);
          }};
}

}  // namespace pteproof

#include <memory>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/map_command.h"

namespace pteproof {

Verb AddMap(CLI::App& app) {
  CLI::App& map = *app.add_subcommand("map", "Draw a memory plan: bytes against time");
  const auto request = std::make_shared<MapRequest>();
  AddProgram(map, request->file);
  AddOutput(map, request->output, "Write the picture here (default: -, standard output)");
  AddPolicy(map, request->policy, "the manifest's, else the findings of all three are marked");
  AddLoad(map, request->all_first);
  AddManifest(map, request->manifest);
  AddData(map, request->data);
  map.add_option("--method", request->method, "Only this method")->type_name("NAME");
  map.add_option("--bank", request->bank, "Only this bank (memory id)")
      ->check(WholeNumber(0, std::numeric_limits<uint32_t>::max()))
      ->type_name("ID");
  map.add_option("--around", request->around, "Only the time around this instruction")
      ->check(WholeNumber(0, std::numeric_limits<int32_t>::max()))
      ->type_name("INSTRUCTION");
  CLI::Option* text = map.add_flag("--text", request->text, "Text for a terminal, instead of SVG");
  AddHtml(map, request->html, "a page with the picture to move about in, instead of SVG")
      ->excludes(text);
  map.footer(
      "Exit codes: 0 drawn, whatever the verdict; 2 malformed, 3 its control flow is beyond the\n"
      "limit on work, 64 usage, 66 a file that cannot be read or written.\n"
      "Example: pteproof map model.pte -o model.svg");
  return {&map, [request] { return RunMap(*request); }};
}

}  // namespace pteproof

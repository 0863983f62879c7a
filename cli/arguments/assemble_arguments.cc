#include <memory>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/assemble_command.h"

namespace pteproof {

Verb AddAssemble(CLI::App& app) {
  CLI::App& assemble = *app.add_subcommand("assemble", "Make a program from its text");
  const auto request = std::make_shared<AssembleRequest>();
  assemble.add_option("FILE", request->file, "A program's text (.pteasm), or - for standard input")
      ->required()
      ->type_name("FILE");
  AddProgramOutput(assemble, request->output, "Write the program (.pte) here")->required();
  assemble.footer(
      "Exit codes: 0 written, 2 not a program's text, 64 usage, 66 a file that cannot be read or\n"
      "written.\n"
      "Example: pteproof assemble model.pteasm -o model.pte");
  return {&assemble, [request] { return RunAssemble(*request); }};
}

}  // namespace pteproof

#include <memory>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/memory_command.h"

namespace pteproof {

Verb AddMemory(CLI::App& app) {
  CLI::App& verb =
      *app.add_subcommand("memory", "Say what a device allocates for a program, by loader");
  const auto request = std::make_shared<MemoryRequest>();
  verb.add_option("FILE", request->files,
                  "Programs (.pte, .bpte, .pteasm), folders, or - for standard input")
      ->required()
      ->type_name("FILE");
  AddPolicy(verb, request->policy, "the manifest's, else a column for each", &request->loader);
  AddLoaderFile(verb, request->loader_file);
  AddChoice<std::optional<memory::FileAccess>, memory::FileAccess>(
      verb, "--files", request->access,
      {{"read", memory::FileAccess::kRead}, {"mapped", memory::FileAccess::kMapped}},
      "How the loader takes files: read into memory, or mapped (default: the loader's own way; "
      "read with --loader-file)");
  AddList(verb, "--method", request->methods,
          "Only this method is loaded; may be repeated (default: all are)", "NAME");
  AddList(verb, "--at", request->at,
          "Also count the bytes in use if an input has these sizes instead of its bounds, as in "
          "x=1,512,512; the input by its name in the model, its value (v0) or its position; may be "
          "repeated",
          "INPUT=SIZES");
  verb.add_option(
          "--top", request->top,
          "Also list the storages in use at the peak of each bank, as a tree over the lines "
          "of the model, with at most this many lines for each bank")
      ->check(WholeNumber(1, 100'000))
      ->type_name("NUMBER");
  AddManifest(verb, request->manifest);
  AddData(verb, request->data);
  AddJson(verb, request->json, "One JSON object per file, each on a line");
  verb.footer(
      "Exit codes: 0 counted, whatever the verdict; 2 malformed, 64 usage, 66 a file that cannot\n"
      "be read. Of many files the worst counts.\n"
      "Example: pteproof memory model.pte --data model.ptd");
  return {&verb, [request] { return RunMemory(*request); }};
}

}  // namespace pteproof

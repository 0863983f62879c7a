// Writes the completions and the manual page, from the description that the command is parsed with,
// into a folder: for the build.
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "cli/arguments/command_line.h"
#include "cli/arguments/completions.h"
#include "cli/arguments/man_page.h"
#include "cli/io/store_file.h"

namespace pteproof {
namespace {

ExitCode WriteDescriptions(const std::string& folder) {
  const CommandLine command_line;
  const CommandInfo command = Describe(command_line.app());
  const std::pair<std::string_view, std::string> files[] = {
      {"pteproof", BashCompletion(command)},
      {"_pteproof", ZshCompletion(command)},
      {"pteproof.fish", FishCompletion(command)},
      {"pteproof.1", ManPage(command)},
  };
  ExitCode code = ExitCode::kSafe;
  for (const auto& [name, text] : files) {
    code = Worse(code, StoreFile(folder + "/" + std::string(name), text));
  }
  return code;
}

}  // namespace
}  // namespace pteproof

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: pteproof-describe FOLDER\n", stderr);
    return static_cast<int>(pteproof::ExitCode::kUsage);
  }
  try {
    return static_cast<int>(pteproof::WriteDescriptions(argv[1]));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "pteproof-describe: %s\n", e.what());
    return static_cast<int>(pteproof::ExitCode::kInternal);
  }
}

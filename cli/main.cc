// The command `pteproof`. Its verbs' arguments are described in cli/arguments.
#include <string>
#include <vector>

#include "cli/arguments/whole_command.h"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argc > 0 ? argv + 1 : argv, argv + argc);
  return static_cast<int>(pteproof::RunCommand(words));
}

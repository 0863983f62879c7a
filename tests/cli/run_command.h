// Runs the built command as a process of its own, without a shell.
#ifndef PTEPROOF_TESTS_CLI_RUN_COMMAND_H_
#define PTEPROOF_TESTS_CLI_RUN_COMMAND_H_

#include <string>
#include <vector>

namespace pteproof {

struct CommandResult {
  int exit_code = -1;  // -1: it did not start, or a signal ended it
  std::string out;
  std::string err;
};

// `input` is the file that standard input is read from; empty: it is closed.
[[nodiscard]] CommandResult RunCommand(const std::vector<std::string>& arguments,
                                       const std::string& input = "/dev/null");

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_CLI_RUN_COMMAND_H_

// Runs the built command as a process of its own, without a shell.
#ifndef PTEPROOF_TESTS_CLI_RUN_COMMAND_H_
#define PTEPROOF_TESTS_CLI_RUN_COMMAND_H_

#include <sys/types.h>

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
                                       const std::string& input = "/dev/null",
                                       const std::string& command = PTEPROOF_COMMAND);

// Starts any program with its three streams on files; no input: that stream is closed. -1: it
// cannot be started.
[[nodiscard]] pid_t StartCommand(std::vector<std::string> words, const std::string& in,
                                 const std::string& out, const std::string& err);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_CLI_RUN_COMMAND_H_

// The built command while it runs, for tests that interrupt it.
#ifndef PTEPROOF_TESTS_CLI_RUNNING_COMMAND_H_
#define PTEPROOF_TESTS_CLI_RUNNING_COMMAND_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/temp_folder.h"

namespace pteproof {

class RunningCommand {
 public:
  explicit RunningCommand(const std::vector<std::string>& arguments);
  ~RunningCommand();  // ends it if it still runs
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;

  // Returns as soon as `program` runs in this process and watches for signals, or after a minute. A
  // busy machine takes its time to start one.
  void WaitUntilItWatches(const std::string& program = PTEPROOF_COMMAND) const;
  void Send(int signal) const;
  [[nodiscard]] bool Runs();
  // Of standard output.
  [[nodiscard]] std::string OutputSoFar() const;
  // Its result, which must come within so many seconds: else the exit code is -1.
  [[nodiscard]] CommandResult Wait(double seconds);

 private:
  TempFolder folder_;
  std::string out_;
  std::string err_;
  pid_t process_ = -1;
  int status_ = 0;
};

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_CLI_RUNNING_COMMAND_H_

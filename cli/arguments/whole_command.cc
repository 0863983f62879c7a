#include "cli/arguments/whole_command.h"

#include "cli/arguments/command_line.h"
#include "cli/io/guarded.h"
#include "cli/io/interruption.h"
#include "cli/io/output.h"
#include "runtime/os/os.h"

namespace pteproof {

ExitCode RunCommand(const std::vector<std::string>& words) {
  os::HoldClosedStreams();
  WatchForInterruption();
  ExitCode code = ExitCode::kInternal;
  const auto failure = FailureOf([&] {
    CommandLine command_line;
    code = command_line.Run(words);
  });
  if (failure) {
    Complain(failure->why);
    return ExitCode::kInternal;
  }
  if (FlushOutput()) return code;
  Complain("the output cannot be written");
  return ExitCode::kInternal;
}

}  // namespace pteproof

// The command `pteproof`: words to a verb, and its exit code. The verbs' arguments are described in
// cli/arguments.
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/work.h"
#include "cli/arguments/command_line.h"
#include "cli/io/exit_code.h"
#include "cli/io/interruption.h"
#include "cli/io/output.h"
#include "cli/io/standard_streams.h"

namespace pteproof {
namespace {

ExitCode Run(const std::vector<std::string>& words) {
  CommandLine command_line;
  const ExitCode code = command_line.Run(words);
  if (FlushOutput()) return code;
  Complain("the output cannot be written");
  return ExitCode::kInternal;
}

}  // namespace
}  // namespace pteproof

int main(int argc, char** argv) {
  pteproof::HoldClosedStreams();
  pteproof::WatchForInterruption();
  const std::vector<std::string> words(argc > 0 ? argv + 1 : argv, argv + argc);
  try {
    return static_cast<int>(pteproof::Run(words));
  } catch (const pteproof::MemoryRanOut& e) {
    pteproof::Complain(std::string("out of memory: ") + e.what());
  } catch (const std::bad_alloc&) {
    pteproof::Complain("out of memory");
  } catch (const std::length_error&) {  // more than any memory holds
    pteproof::Complain("out of memory");
  } catch (const pteproof::OverLimit& over) {
    pteproof::Complain(pteproof::ExplanationOf(over));
  } catch (const std::exception& e) {
    pteproof::Complain(std::string("a mistake of pteproof itself, please report it: ") + e.what());
  }
  return static_cast<int>(pteproof::ExitCode::kInternal);
}

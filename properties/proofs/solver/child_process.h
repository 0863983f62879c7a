// A program that runs beside this one and is spoken to in lines. No shell is involved.
#ifndef PTEPROOF_PROPERTIES_PROOFS_SOLVER_CHILD_PROCESS_H_
#define PTEPROOF_PROPERTIES_PROOFS_SOLVER_CHILD_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/result.h"

namespace pteproof::proofs {

// Ends the program and waits for it when it goes out of scope.
class ChildProcess {
 public:
  // Looks for command[0] in PATH. At most `megabytes` of address space. The error says why it could
  // not be started; a program that cannot be run at all may also show as one that ends at once.
  [[nodiscard]] static Result<ChildProcess, std::string> Start(std::vector<std::string> command,
                                                               uint32_t megabytes);
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // False: the program has ended.
  [[nodiscard]] bool Write(std::string_view text);

  // The next line that it writes to either of its streams, without the line's end; nothing when
  // none comes in time or the program has ended.
  [[nodiscard]] std::optional<std::string> ReadLine(std::chrono::steady_clock::time_point until);

 private:
  ChildProcess(pid_t process, int socket) : process_(process), socket_(socket) {}
  void End();

  pid_t process_ = -1;
  int socket_ = -1;
  std::string read_;  // what came after the last line
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_SOLVER_CHILD_PROCESS_H_

// One call of the command from Python: its words, the files that lie in the caller's memory, and
// what came out.
#ifndef PTEPROOF_PYTHON_CORE_CALL_H_
#define PTEPROOF_PYTHON_CORE_CALL_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "cli/io/hosted.h"

namespace pteproof::python {

// How a call ended.
enum class End : uint8_t { kCode, kNoSolver, kOutOfMemory, kMistake, kStopped };

// Runs on a thread of its own, so that Python's main thread can look for Ctrl-C meanwhile.
class Call {
 public:
  Call(std::vector<std::string> words, Hosted hosted);

  // Starts `call`, which lives until its thread has ended, whoever else keeps it.
  static void Start(const std::shared_ptr<Call>& call);

  // Whether it has ended, after at most that time.
  [[nodiscard]] bool Wait(std::chrono::milliseconds most);

  // Asks `call` to end soon.
  static void Stop(const std::shared_ptr<Call>& call);

  // After it has ended.
  [[nodiscard]] End end() const { return end_; }
  [[nodiscard]] ExitCode code() const { return code_; }
  [[nodiscard]] const std::string& why() const { return why_; }  // of kNoSolver and kMistake
  [[nodiscard]] Hosted& hosted() { return hosted_; }

 private:
  void Run();
  void RunWords();

  std::vector<std::string> words_;
  Hosted hosted_;
  std::atomic<bool> stop_ = false;
  End end_ = End::kCode;
  ExitCode code_ = ExitCode::kInternal;
  std::string why_;

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  bool ended_ = false;
};

// Waits for calls that were left behind, which is to be done before Python ends.
void WaitForAllCalls();

}  // namespace pteproof::python

#endif  // PTEPROOF_PYTHON_CORE_CALL_H_

// One call of the command from within a process: its words, the files that lie in the caller's
// memory, and what came out. It runs on a thread of its own, so that its caller can wait for other
// things meanwhile.
#ifndef PTEPROOF_CAPI_CALL_H_
#define PTEPROOF_CAPI_CALL_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cli/io/hosted.h"
#include "pteproof/pteproof.h"

namespace pteproof::capi {

class Call {
 public:
  explicit Call(std::vector<std::string> words) : words_(std::move(words)) {}
  // Stops it, and waits for its end.
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // To be filled before the start, and read after the end.
  Hosted hosted;

  // Whether this was its first start.
  [[nodiscard]] bool Start();
  [[nodiscard]] bool HasStarted() const { return started_; }
  [[nodiscard]] bool HasEnded() const { return Wait(std::chrono::milliseconds(0)); }
  // Whether it has ended, after at most that time.
  [[nodiscard]] bool Wait(std::chrono::milliseconds most) const;
  void WaitForEnd() const;
  // Asks it to end soon.
  void Stop();
  // After it has ended.
  [[nodiscard]] int32_t code() const { return code_; }

 private:
  void Run();
  [[nodiscard]] int32_t CodeOfRun();

  std::vector<std::string> words_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> started_ = false;
  int32_t code_ = PTEPROOF_INTERNAL;

  mutable std::mutex mutex_;  // of what follows
  mutable std::condition_variable changed_;
  bool ended_ = false;
  std::thread runs_;
  std::thread interrupts_;  // the solver, once the call is to end
};

}  // namespace pteproof::capi

#endif  // PTEPROOF_CAPI_CALL_H_

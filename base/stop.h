// A wish that work in progress ends early. The command has no use for it, since it can end its
// process; a program that calls pteproof cannot.
#ifndef PTEPROOF_BASE_STOP_H_
#define PTEPROOF_BASE_STOP_H_

#include <atomic>

#include "base/unwind.h"

namespace pteproof {

// What stopped work throws. It is not a std::exception, so that nothing takes it for a failure on
// its way to the caller.
struct Stopped {};

// The flag of the work that this thread does; null: nothing stops it. Set by whoever starts the
// work.
inline const std::atomic<bool>*& StopFlagOfThread() {
  thread_local const std::atomic<bool>* flag = nullptr;
  return flag;
}

// Some nanoseconds.
[[nodiscard]] inline bool StopAsked() {
  const std::atomic<bool>* flag = StopFlagOfThread();
  return flag != nullptr && flag->load(std::memory_order_relaxed);
}

inline void EndIfStopped() {
  if (StopAsked()) GiveUp(Stopped());
}

// This thread works for that flag's owner while one lives. For threads that a work starts.
class WorksFor {
 public:
  explicit WorksFor(const std::atomic<bool>* flag) : before_(StopFlagOfThread()) {
    StopFlagOfThread() = flag;
  }
  ~WorksFor() { StopFlagOfThread() = before_; }
  WorksFor(const WorksFor&) = delete;
  WorksFor& operator=(const WorksFor&) = delete;

 private:
  const std::atomic<bool>* before_;
};

}  // namespace pteproof

#endif  // PTEPROOF_BASE_STOP_H_

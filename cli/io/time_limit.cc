#include "cli/io/time_limit.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/stop.h"
#include "cli/io/interruption.h"
#include "cli/io/output.h"

namespace pteproof {
namespace {

// Asks for a stop when the time is up, or when the caller of the command does.
class Alarm {
 public:
  explicit Alarm(double seconds)
      : caller_(StopFlagOfThread()), thread_([this, seconds] { Wait(seconds); }), work_(&stop_) {}
  ~Alarm() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    ends_.notify_one();
    thread_.join();
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  [[nodiscard]] bool IsOfCaller() const {
    return caller_ != nullptr && caller_->load(std::memory_order_relaxed);
  }

 private:
  void Wait(double seconds) {
    constexpr std::chrono::milliseconds kPause(20);  // a caller's wish has no signal
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    std::unique_lock lock(mutex_);
    while (!over_ && !IsOfCaller() && std::chrono::steady_clock::now() < end) {
      ends_.wait_for(lock, kPause, [this] { return over_; });
    }
    stop_ = true;
  }

  const std::atomic<bool>* caller_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool over_ = false;
  std::thread thread_;
  WorksFor work_;
};

}  // namespace

ExitCode Within(std::optional<double> seconds, std::string_view verb,
                const std::function<ExitCode()>& run) {
  if (!seconds) return run();
  const Alarm alarm(*seconds);
  try {
    return run();
  } catch (const Stopped&) {
    if (alarm.IsOfCaller()) throw;
  }
  Complain(fmt::format("{}: stopped after {} s (--time); so far: {}", verb, *seconds, DoneSoFar()));
  return ExitCode::kUndecided;
}

}  // namespace pteproof

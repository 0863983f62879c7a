// Many files at once: threads take the next file each, and the caller's thread takes the reports in
// order.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "cli/io/hosted.h"
#include "cli/load/judge.h"

namespace pteproof {
namespace {

// The files that are left to judge, and the reports that are ready.
class Workshop {
 public:
  Workshop(std::span<const FoundFile> files, const JudgeOptions& options)
      : files_(files), options_(options), ready_(files.size()) {}

  // Judges one file after the other until none is left, for the thread that made this.
  void Work() {
    const WorksFor caller(flag_);
    HostOfThread() = host_;
    try {
      while (const std::optional<size_t> index = Next()) {
        FileReport report = Judge(files_[*index], options_);
        const std::scoped_lock lock(mutex_);
        ready_[*index] = std::move(report);
        changed_.notify_all();
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  // Waits for the report of that file. Throws what a thread has thrown meanwhile.
  FileReport Take(size_t index) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ready_[index].has_value() || failure_; });
    if (failure_) std::rethrow_exception(failure_);
    FileReport report = *std::move(ready_[index]);
    ready_[index].reset();
    return report;
  }

  // Lets the threads end after the file that each is at.
  void Stop() {
    const std::scoped_lock lock(mutex_);
    next_ = files_.size();
  }

 private:
  std::optional<size_t> Next() {
    const std::scoped_lock lock(mutex_);
    if (next_ >= files_.size()) return std::nullopt;
    return next_++;
  }

  std::span<const FoundFile> files_;
  const JudgeOptions& options_;
  const std::atomic<bool>* flag_ = StopFlagOfThread();
  Hosted* host_ = HostOfThread();
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  size_t next_ = 0;
  std::vector<std::optional<FileReport>> ready_;
  std::exception_ptr failure_;
};

// Starts up to `count` threads; fewer where the system gives no more.
std::vector<std::jthread> StartThreads(Workshop& workshop, size_t count) {
  std::vector<std::jthread> threads;
  threads.reserve(count);
  try {
    while (threads.size() < count) threads.emplace_back([&workshop] { workshop.Work(); });
  } catch (const std::system_error&) {
    return threads;
  }
  return threads;
}

}  // namespace

void JudgeAll(std::span<const FoundFile> files, const JudgeOptions& options, size_t jobs,
              const std::function<void(FileReport)>& use) {
  Workshop workshop(files, options);
  const size_t wanted = std::min(jobs, files.size());
  const std::vector<std::jthread> threads = StartThreads(workshop, wanted > 1 ? wanted : 0);
  try {
    for (size_t i = 0; i < files.size(); ++i) {
      use(threads.empty() ? Judge(files[i], options) : workshop.Take(i));
    }
  } catch (...) {
    workshop.Stop();
    throw;
  }
}

}  // namespace pteproof

#include "python/core/call.h"

#include <exception>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/stop.h"
#include "cli/arguments/command_line.h"
#include "python/core/z3_library.h"

namespace pteproof::python {
namespace {

// The threads that run. Of the process, as they are.
struct Running {
  std::mutex mutex;
  std::condition_variable changed;
  int count = 0;
};

Running& TheRunning() {
  static Running& running = *new Running;
  return running;
}

// Counts a thread, from before its start until all that it holds is gone.
class Counted {
 public:
  Counted() { Add(1); }
  ~Counted() { Add(-1); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  static void Add(int change) {
    Running& running = TheRunning();
    const std::lock_guard lock(running.mutex);
    running.count += change;
    running.changed.notify_all();
  }
};

}  // namespace

Call::Call(std::vector<std::string> words, Hosted hosted)
    : words_(std::move(words)), hosted_(std::move(hosted)) {}

void Call::Start(const std::shared_ptr<Call>& call) {
  const auto counted = std::make_shared<Counted>();
  std::thread([held = call, counted]() mutable {
    held->Run();
    held.reset();  // before it is no more counted
  }).detach();
}

bool Call::Wait(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, most, [this] { return ended_; });
}

void Call::Stop(const std::shared_ptr<Call>& call) {
  constexpr std::chrono::milliseconds kPause(20);
  call->stop_ = true;
  InterruptZ3(&call->stop_);
  // Z3 forgets an interruption that comes just before it starts to compute, so that one may not do.
  const auto counted = std::make_shared<Counted>();
  std::thread([held = call, counted, kPause]() mutable {
    while (!held->Wait(kPause)) InterruptZ3(&held->stop_);
    held.reset();  // before it is no more counted
  }).detach();
}

void Call::RunWords() {
  CommandLine command_line(words_.empty() ? "" : words_.front());
  code_ = command_line.Run(words_);
}

void Call::Run() {
  {
    const WorksFor caller(&stop_);
    HostOfThread() = &hosted_;
    try {
      RunWords();
    } catch (const Stopped&) {
      end_ = End::kStopped;
    } catch (const NoSolver& none) {
      end_ = End::kNoSolver;
      why_ = none.what();
    } catch (const std::bad_alloc&) {
      end_ = End::kOutOfMemory;
    } catch (const std::length_error&) {
      end_ = End::kOutOfMemory;
    } catch (const std::exception& mistake) {
      end_ = End::kMistake;
      why_ = mistake.what();
    }
    HostOfThread() = nullptr;
  }
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void WaitForAllCalls() {
  Running& running = TheRunning();
  std::unique_lock lock(running.mutex);
  running.changed.wait(lock, [&] { return running.count == 0; });
}

}  // namespace pteproof::python

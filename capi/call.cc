#include "capi/call.h"

#include <string_view>

#include "base/stage.h"
#include "base/stop.h"
#include "capi/z3_library.h"
#include "cli/arguments/command_line.h"
#include "cli/io/guarded.h"
#include "cli/io/output.h"

namespace pteproof::capi {
namespace {

// Tells the caller of each stage, beside the counts that the verbs tell themselves.
class StagesToHost : public StageListener {
 public:
  explicit StagesToHost(Hosted& host) : host_(host), before_(ListenerOfThread()) {
    ListenerOfThread() = this;
  }
  ~StagesToHost() override { ListenerOfThread() = before_; }
  StagesToHost(const StagesToHost&) = delete;
  StagesToHost& operator=(const StagesToHost&) = delete;

  void Begins(std::string_view stage, size_t at, size_t of) override {
    if (host_.progress) host_.progress(stage, at, of);
  }

 private:
  Hosted& host_;
  StageListener* before_;
};

int32_t CodeOf(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::kMemory:
      return PTEPROOF_NO_MEMORY;
    case Failure::Kind::kUnavailable:
      return PTEPROOF_NO_SOLVER;
    default:
      return PTEPROOF_INTERNAL;
  }
}

}  // namespace

Call::~Call() {
  if (!started_) return;
  Stop();
  WaitForEnd();
  runs_.join();
  if (interrupts_.joinable()) interrupts_.join();
}

bool Call::Start() {
  const std::lock_guard lock(mutex_);
  if (started_) return false;
  runs_ = std::thread([this] { Run(); });
  started_ = true;
  return true;
}

bool Call::Wait(std::chrono::milliseconds most) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, most, [this] { return ended_; });
}

void Call::WaitForEnd() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_; });
}

void Call::Stop() {
  constexpr std::chrono::milliseconds kPause(20);
  const std::lock_guard lock(mutex_);
  if (ended_ || !started_ || interrupts_.joinable()) return;
  stop_ = true;
  // Z3 forgets an interruption that comes just before it starts to compute, so that one may not do.
  interrupts_ = std::thread([this, kPause] {
    do {
      InterruptZ3(&stop_);
    } while (!Wait(kPause));
  });
}

int32_t Call::CodeOfRun() {
  int32_t code = PTEPROOF_INTERNAL;
  try {
    const auto failure = FailureOf([&] {
      CommandLine command_line(words_.empty() ? "" : words_.front());
      code = static_cast<int32_t>(command_line.Run(words_));
    });
    if (!failure) return code;
    Complain(failure->why);
    return CodeOf(failure->kind);
  } catch (const Stopped&) {
    return PTEPROOF_STOPPED;
  }
}

void Call::Run() {
  {
    const WorksFor caller(&stop_);
    const StagesToHost stages(hosted);
    HostOfThread() = &hosted;
    code_ = CodeOfRun();
    HostOfThread() = nullptr;
  }
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

}  // namespace pteproof::capi

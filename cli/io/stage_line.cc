#include "cli/io/stage_line.h"

#include <fmt/format.h>

#include <cstdio>
#include <system_error>
#include <utility>

#include "cli/io/hosted.h"
#include "cli/io/interruption.h"
#include "runtime/os/os.h"

namespace pteproof {

StageLine::StageLine(std::string_view first) : before_(ListenerOfThread()), stage_(first) {
  ListenerOfThread() = this;
  if (HostOfThread() != nullptr) return;
  TellStageReached(first);
  if (!os::IsTerminal(os::kErrors)) return;
  Show();
  try {
    clock_ = std::thread([this] { Renew(); });
  } catch (const std::system_error&) {  // the line is shown when a stage begins
  }
}

StageLine::~StageLine() {
  ListenerOfThread() = before_;
  if (HostOfThread() != nullptr || !os::IsTerminal(os::kErrors)) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ends_.notify_one();
  if (clock_.joinable()) clock_.join();
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

void StageLine::Begins(std::string_view stage, size_t at, size_t of) {
  const std::lock_guard lock(mutex_);
  std::string next = of > 1 ? fmt::format("{} ({} of {})", stage, at, of) : std::string(stage);
  if (next == stage_) return;
  stage_ = std::move(next);
  if (HostOfThread() != nullptr) return;
  TellStageReached(stage_);
  if (os::IsTerminal(os::kErrors)) Show();
}

void StageLine::Show() const {
  const auto passed = std::chrono::steady_clock::now() - start_;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(passed).count();
  const std::string line = fmt::format("\r\x1b[K{}, {} s", stage_, seconds);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

void StageLine::Renew() {
  std::unique_lock lock(mutex_);
  while (!ends_.wait_for(lock, std::chrono::seconds(1), [this] { return over_; })) Show();
}

}  // namespace pteproof

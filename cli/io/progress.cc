#include "cli/io/progress.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/io/hosted.h"
#include "cli/io/interruption.h"
#include "runtime/os/os.h"

namespace pteproof {

Progress::Progress(size_t total, std::string_view what)
    : total_(total),
      what_(what),
      enabled_(total != 1 && HostOfThread() == nullptr && os::IsTerminal(os::kErrors)) {
  TellDone(what_, 0, total_);
}

void Progress::Clear() {
  if (!visible_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  visible_ = false;
}

void Progress::Advance() {
  constexpr std::chrono::milliseconds kPause(50);
  ++done_;
  TellDone(what_, done_, total_);
  if (const Hosted* host = HostOfThread(); host != nullptr && host->progress) {
    host->progress(what_, done_, total_);
  }
  if (!enabled_ || done_ == total_) return;
  const auto now = std::chrono::steady_clock::now();
  if (visible_ && now - shown_ < kPause) return;
  const std::string line = total_ == 0 ? fmt::format("\r\x1b[K{} {}", what_, done_)
                                       : fmt::format("\r\x1b[K{} {} of {}", what_, done_, total_);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  visible_ = true;
  shown_ = now;
}

}  // namespace pteproof

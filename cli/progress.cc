#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace pteproof {

Progress::Progress(size_t total)
    : total_(total), enabled_(total > 1 && isatty(STDERR_FILENO) == 1) {}

void Progress::Clear() {
  if (!visible_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  visible_ = false;
}

void Progress::Advance() {
  ++done_;
  if (!enabled_ || done_ == total_) return;
  const std::string line = fmt::format("\r\x1b[Kchecked {} of {}", done_, total_);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  visible_ = true;
}

}  // namespace pteproof

// The thread that is told of the signal leaves the process at once: a verb that runs holds nothing
// that has to be put back, but for a file or a line that it is about to write, and for that it
// holds the lock.
#include "cli/io/interruption.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/file_name.h"
#include "runtime/os/os.h"

namespace pteproof {
namespace {

constexpr std::chrono::milliseconds kPatience(400);  // with a write that does not end

// Of the process, as its signals and streams are.
struct Interrupted {
  std::timed_mutex writing;
  std::mutex mutex;  // of what follows
  std::string verb;
  std::string done = "nothing is finished";
  std::string stage;  // that has begun; empty: none
  std::string unfinished_file;
};

Interrupted& TheInterrupted() {
  static Interrupted& state = *new Interrupted;  // is there until the process has ended
  return state;
}

[[noreturn]] void Leave(int signal) {
  constexpr int kBySignal = 128;
  Interrupted& state = TheInterrupted();
  const bool whole = state.writing.try_lock_for(kPatience);
  const std::lock_guard lock(state.mutex);
  if (!whole && !state.unfinished_file.empty()) {
    std::error_code error;
    std::filesystem::remove(FilePath(state.unfinished_file), error);
  }
  const bool terminal = os::IsTerminal(os::kErrors);
  const std::string line = fmt::format(
      "{}pteproof: {}{}stopped by {}; so far: {}\n", terminal ? "\r\x1b[K" : "", state.verb,
      state.verb.empty() ? "" : ": ", signal == SIGINT ? "SIGINT" : "SIGTERM", state.done);
  os::WriteTo(os::kErrors, line);
  std::_Exit(kBySignal + signal);
}

}  // namespace

void WatchForInterruption() {
  static_cast<void>(TheInterrupted());
  os::WatchForEnd(Leave);
}

void NameInterrupted(std::string_view verb) {
  Interrupted& state = TheInterrupted();
  const std::lock_guard lock(state.mutex);
  state.verb = verb;
}

void TellDone(std::string_view what, size_t done, size_t total) {
  Interrupted& state = TheInterrupted();
  const std::lock_guard lock(state.mutex);
  state.done =
      total == 0 ? fmt::format("{} {}", what, done) : fmt::format("{} {} of {}", what, done, total);
}

void TellStageReached(std::string_view stage) {
  Interrupted& state = TheInterrupted();
  const std::lock_guard lock(state.mutex);
  state.done =
      state.stage.empty() ? "nothing is finished; " : fmt::format("{} finished; ", state.stage);
  state.stage = stage;
  state.done += fmt::format("{} not finished", stage);
}

std::string DoneSoFar() {
  Interrupted& state = TheInterrupted();
  const std::lock_guard lock(state.mutex);
  return state.done;
}

WholeWrite::WholeWrite() : lock_(TheInterrupted().writing) {}

void RemoveIfInterrupted(const std::string& path) {
  Interrupted& state = TheInterrupted();
  const std::lock_guard lock(state.mutex);
  state.unfinished_file = path;
}

}  // namespace pteproof

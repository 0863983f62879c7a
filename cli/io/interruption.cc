// A thread waits for the signals, so that nothing has to be done in a signal handler, where hardly
// anything is allowed, and so that no library's handler (Z3 installs one) gets them. It leaves the
// process at once: a verb that runs holds nothing that has to be put back, but for a file or a line
// that it is about to write, and for that it holds the lock.
#include "cli/io/interruption.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <system_error>
#include <thread>

namespace pteproof {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM};
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

sigset_t SignalsToWatch() {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int each : kSignals) {
    struct sigaction action{};
    const bool ignored = sigaction(each, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
    if (!ignored) sigaddset(&watched, each);
  }
  return watched;
}

[[noreturn]] void Leave(int signal) {
  constexpr int kBySignal = 128;
  Interrupted& state = TheInterrupted();
  const bool whole = state.writing.try_lock_for(kPatience);
  const std::lock_guard lock(state.mutex);
  if (!whole && !state.unfinished_file.empty()) unlink(state.unfinished_file.c_str());
  const bool terminal = isatty(STDERR_FILENO) == 1;
  const std::string line = fmt::format(
      "{}pteproof: {}{}stopped by {}; so far: {}\n", terminal ? "\r\x1b[K" : "", state.verb,
      state.verb.empty() ? "" : ": ", signal == SIGINT ? "SIGINT" : "SIGTERM", state.done);
  static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
  _exit(kBySignal + signal);
}

void WaitFor(const sigset_t& watched) {
  int signal = 0;
  if (sigwait(&watched, &signal) == 0) Leave(signal);
}

}  // namespace

void WatchForInterruption() {
  static_cast<void>(TheInterrupted());
  const sigset_t watched = SignalsToWatch();
  pthread_sigmask(SIG_BLOCK, &watched, nullptr);
  try {
    std::thread(WaitFor, watched).detach();
  } catch (const std::system_error&) {
    pthread_sigmask(SIG_UNBLOCK, &watched, nullptr);  // they end the process, without a word
  }
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

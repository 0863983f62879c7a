#include "tests/cli/running_command.h"

#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>

#include "tests/support/files.h"

namespace pteproof {
namespace {

// Signals are left to a thread of their own, so that a process which watches has two.
bool Watches(const std::filesystem::path& process, const std::filesystem::path& program) {
  std::error_code error;
  if (!std::filesystem::equivalent(process / "exe", program, error)) return false;
  const auto threads = std::filesystem::directory_iterator(process / "task", error);
  return !error && std::distance(begin(threads), end(threads)) > 1;
}

}  // namespace

RunningCommand::RunningCommand(const std::vector<std::string>& arguments)
    : out_(folder_.Write("out", "")), err_(folder_.Write("err", "")) {
  std::vector<std::string> all = {PTEPROOF_COMMAND};
  all.insert(all.end(), arguments.begin(), arguments.end());
  process_ = StartCommand(std::move(all), "/dev/null", out_, err_);
}

RunningCommand::~RunningCommand() {
  if (!Runs()) return;
  Send(SIGKILL);
  waitpid(process_, &status_, 0);
}

void RunningCommand::WaitUntilItWatches(const std::string& program) const {
  constexpr std::chrono::milliseconds kPause(10);
  constexpr std::chrono::minutes kPatience(1);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  const std::filesystem::path process = "/proc/" + std::to_string(process_);
  while (!Watches(process, program) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(kPause);
  }
}

void RunningCommand::Send(int signal) const {
  // A pid of -1 would send it to every process that the user owns.
  if (process_ > 0) kill(process_, signal);
}

bool RunningCommand::Runs() {
  if (process_ > 0 && waitpid(process_, &status_, WNOHANG) == process_) process_ = -1;
  return process_ > 0;
}

std::string RunningCommand::OutputSoFar() const {
  return ReadText(out_);
}

CommandResult RunningCommand::Wait(double seconds) {
  constexpr std::chrono::milliseconds kPause(10);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (Runs() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(kPause);
  CommandResult result;
  if (!Runs() && WIFEXITED(status_)) result.exit_code = WEXITSTATUS(status_);
  result.out = ReadText(out_);
  result.err = ReadText(err_);
  return result;
}

}  // namespace pteproof

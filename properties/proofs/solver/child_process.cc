// For Linux and macOS; child_process_windows.cc says what there is on Windows.
#ifndef _WIN32
#include "properties/proofs/solver/child_process.h"

#ifdef __APPLE__
#include <crt_externs.h>
#endif
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace pteproof::proofs {
namespace {

std::string ErrorText(int error) {
  return std::generic_category().message(error);
}

#ifdef __APPLE__

constexpr int kNoSignal = 0;  // the socket says it

bool MakeSockets(std::array<int, 2>& ends) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return false;
  const int on = 1;
  for (const int end : ends) {
    fcntl(end, F_SETFD, FD_CLOEXEC);
    setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof(on));
  }
  return true;
}

void LimitMemory(pid_t /*process*/, uint32_t /*megabytes*/) {}  // only a process itself can

char** Environment() {
  return *_NSGetEnviron();  // a shared library does not see the variable
}

#else

constexpr int kNoSignal = MSG_NOSIGNAL;

bool MakeSockets(std::array<int, 2>& ends) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0;
}

void LimitMemory(pid_t process, uint32_t megabytes) {
  const rlim_t bytes = rlim_t{megabytes} << 20U;
  const rlimit limit = {bytes, bytes};
  prlimit(process, RLIMIT_AS, &limit, nullptr);
}

char** Environment() {
  return environ;
}

#endif

}  // namespace

Result<ChildProcess, std::string> ChildProcess::Start(std::vector<std::string> command,
                                                      uint32_t megabytes) {
  std::array<int, 2> ends = {-1, -1};  // a socket: writing to one that was left raises no signal
  if (!MakeSockets(ends)) return ErrorText(errno);
  std::vector<char*> argv;
  for (std::string& argument : command) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_adddup2(&streams, ends[1], stream);
  }
  pid_t process = -1;
  // Signals that this process waits for in a thread are blocked here; they end the child.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int failed =
      posix_spawnp(&process, argv[0], &streams, &attributes, argv.data(), Environment());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&streams);
  close(ends[1]);
  if (failed != 0) {
    close(ends[0]);
    return ErrorText(failed);
  }
  LimitMemory(process, megabytes);
  return ChildProcess(process, ends[0]);
}

ChildProcess::~ChildProcess() {
  End();
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      socket_(std::exchange(other.socket_, -1)),
      read_(std::move(other.read_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  End();
  process_ = std::exchange(other.process_, -1);
  socket_ = std::exchange(other.socket_, -1);
  read_ = std::move(other.read_);
  return *this;
}

void ChildProcess::End() {
  if (process_ < 0) return;
  close(socket_);
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

bool ChildProcess::Write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = send(socket_, text.data(), text.size(), kNoSignal);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

std::optional<std::string> ChildProcess::ReadLine(std::chrono::steady_clock::time_point until) {
  for (;;) {
    if (const size_t end = read_.find('\n'); end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    pollfd waiting = {socket_, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::max<int64_t>(left.count(), 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return std::nullopt;
    std::array<char, 4096> block;
    const ssize_t count = recv(socket_, block.data(), block.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    read_.append(block.data(), static_cast<size_t>(count));
  }
}

}  // namespace pteproof::proofs
#endif

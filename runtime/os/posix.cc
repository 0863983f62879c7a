#ifndef _WIN32
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "runtime/os/os.h"

namespace pteproof::os {
namespace {

// Whether all was written and the file is closed.
bool WriteAndClose(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    text.remove_prefix(static_cast<size_t>(count));
  }
  const int reason = errno;
  const bool closed = close(descriptor) == 0;
  if (!text.empty()) errno = reason;
  return closed && text.empty();
}

bool WriteInPlace(const std::string& file, std::string_view text) {
  constexpr mode_t kAll = 0666;
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kAll);
  return descriptor >= 0 && WriteAndClose(descriptor, text);
}

// As `open` would give to a file that it makes.
mode_t UsualMode() {
  constexpr mode_t kAll = 0666;
  const mode_t mask = umask(0);
  umask(mask);
  return kAll & ~mask;
}

sigset_t SignalsToWatch() {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int each : {SIGINT, SIGTERM}) {
    struct sigaction action{};
    const bool ignored = sigaction(each, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
    if (!ignored) sigaddset(&watched, each);
  }
  return watched;
}

}  // namespace

void HoldClosedStreams() {
  for (const int stream : {kInput, kOutput, kErrors}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // The wrong way round, so that reading the input and writing the others are errors. It gets the
    // lowest free number, which is this one.
    const int mode = stream == kInput ? O_WRONLY : O_RDONLY;
    static_cast<void>(open("/dev/null", mode));
  }
}

bool IsTerminal(int stream) {
  return isatty(stream) == 1;
}

std::optional<size_t> OutputColumns() {
  winsize size{};
  const bool known = IsTerminal(kOutput) && ioctl(kOutput, TIOCGWINSZ, &size) == 0;
  return known && size.ws_col > 0 ? std::optional<size_t>(size.ws_col) : std::nullopt;
}

OpenFile::OpenFile(const std::filesystem::path& path)
    : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat status{};
  if (descriptor_ >= 0 && fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
    size_ = static_cast<size_t>(status.st_size);
  }
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::optional<size_t> ReadUpTo(int descriptor, std::span<std::byte> to) {
  size_t done = 0;
  while (done < to.size()) {
    const ssize_t count = read(descriptor, to.data() + done, to.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  return done;
}

void WriteTo(int descriptor, std::string_view text) {
  static_cast<void>(!write(descriptor, text.data(), text.size()));
}

bool ReplaceFile(const std::string& file, std::string_view text,
                 const std::function<void(const std::string&)>& beside) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(file, error);  // of a link
  const std::string place = error ? file : target.string();
  struct stat status{};
  const bool there = stat(place.c_str(), &status) == 0;
  if (there && (!S_ISREG(status.st_mode) || access(place.c_str(), W_OK) != 0)) {
    return WriteInPlace(place, text);
  }
  std::string name = place + "." + std::string(6, 'X');  // which mkstemp replaces
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) return WriteInPlace(place, text);
  beside(name);
  const mode_t mode = there ? status.st_mode & 07777U : UsualMode();
  const bool written = fchmod(descriptor, mode) == 0 && WriteAndClose(descriptor, text) &&
                       std::rename(name.c_str(), place.c_str()) == 0;
  if (!written) {
    const int reason = errno;
    unlink(name.c_str());
    errno = reason;
  }
  beside("");
  return written;
}

void SetVariable(const char* name, const char* value) {
  if (value == nullptr) {
    unsetenv(name);
  } else {
    setenv(name, value, 1);
  }
}

// A thread waits for the signals, so that nothing has to be done in a signal handler, where hardly
// anything is allowed, and so that no library's handler (Z3 installs one) gets them.
void WatchForEnd(void (*leave)(int signal)) {
  const sigset_t watched = SignalsToWatch();
  pthread_sigmask(SIG_BLOCK, &watched, nullptr);
  try {
    std::thread([watched, leave] {
      int signal = 0;
      if (sigwait(&watched, &signal) == 0) leave(signal);
    }).detach();
  } catch (const std::system_error&) {
    pthread_sigmask(SIG_UNBLOCK, &watched, nullptr);  // they end the process, without a word
  }
}

std::string BecomeNeighbour(const std::string& name, const std::vector<std::string>& words) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return name;  // no neighbour is known, and another folder's is none
  std::string other = (self.parent_path() / name).string();
  std::vector<std::string> all = words;
  all.insert(all.begin(), other);
  std::vector<char*> argv;
  argv.reserve(all.size() + 1);
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  // The signals stay blocked meanwhile: one that comes now waits for the other program's watch.
  execv(other.c_str(), argv.data());
  return other;
}

std::vector<std::string> LibraryFiles(const std::string& name, const std::string& version) {
#ifdef __APPLE__
  return {"lib" + name + "." + version + ".dylib", "lib" + name + ".dylib"};
#else
  return {"lib" + name + ".so." + version, "lib" + name + ".so"};
#endif
}

void* OpenLibrary(const std::string& name, std::string& problem) {
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  const char* why = dlerror();
  problem = why == nullptr ? "it cannot be opened" : why;
  return nullptr;
}

void* SymbolOf(void* library, const char* name) {
  return dlsym(library, name);
}

void CloseLibrary(void* library) {
  dlclose(library);
}

}  // namespace pteproof::os
#endif

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>
#undef ReplaceFile  // a macro that makes another name of ours

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include "base/file_name.h"
#include "runtime/os/os.h"

namespace pteproof::os {
namespace {

void (*leave_process)(int signal) = nullptr;  // set once, before there is a second thread

// Windows calls it on a thread of its own.
BOOL WINAPI OnConsoleEvent(DWORD event) {
  leave_process(event == CTRL_C_EVENT ? SIGINT : SIGTERM);
  return TRUE;
}

}  // namespace

void HoldClosedStreams() {
  // Bytes are bytes; a process without a console has streams that fail.
  for (const int stream : {kInput, kOutput, kErrors}) {
    if (_get_osfhandle(stream) >= 0) _setmode(stream, _O_BINARY);
  }
}

bool IsTerminal(int stream) {
  DWORD mode = 0;
  return GetConsoleMode(reinterpret_cast<HANDLE>(_get_osfhandle(stream)), &mode) != 0;
}

std::optional<size_t> OutputColumns() {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  const HANDLE output = GetStdHandle(STD_OUTPUT_HANDLE);
  if (GetConsoleScreenBufferInfo(output, &info) == 0) return std::nullopt;
  const int columns = info.srWindow.Right - info.srWindow.Left + 1;
  return columns > 0 ? std::optional<size_t>(static_cast<size_t>(columns)) : std::nullopt;
}

OpenFile::OpenFile(const std::filesystem::path& path)
    : descriptor_(_wopen(path.c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT)) {
  struct _stat64 status{};
  if (descriptor_ >= 0 && _fstat64(descriptor_, &status) == 0 &&
      (status.st_mode & _S_IFMT) == _S_IFREG) {
    size_ = static_cast<size_t>(status.st_size);
  }
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) _close(descriptor_);
}

std::optional<size_t> ReadUpTo(int descriptor, std::span<std::byte> to) {
  constexpr size_t kMostAtOnce = size_t{1} << 30U;
  size_t done = 0;
  while (done < to.size()) {
    const size_t next = std::min(to.size() - done, kMostAtOnce);
    const int count = _read(descriptor, to.data() + done, static_cast<unsigned>(next));
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  return done;
}

void WriteTo(int descriptor, std::string_view text) {
  static_cast<void>(_write(descriptor, text.data(), static_cast<unsigned>(text.size())));
}

bool ReplaceFile(const std::string& file, std::string_view text,
                 const std::function<void(const std::string&)>& beside) {
  const std::string name = file + "." + std::to_string(GetCurrentProcessId()) + ".part";
  const std::filesystem::path part = FilePath(name);
  beside(name);
  std::ofstream stream(part, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  std::error_code error;
  if (stream) std::filesystem::rename(part, FilePath(file), error);
  const bool written = stream && !error;
  if (!written) {
    errno = error ? error.default_error_condition().value() : EIO;
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
  }
  beside("");
  return written;
}

void SetVariable(const char* name, const char* value) {
  _putenv_s(name, value == nullptr ? "" : value);
}

void WatchForEnd(void (*leave)(int signal)) {
  leave_process = leave;
  SetConsoleCtrlHandler(OnConsoleEvent, TRUE);
}

// Only a source tree has such programs, and there is none for Windows.
std::string BecomeNeighbour(const std::string& name, const std::vector<std::string>& /*words*/) {
  return name;
}

// One that is ported keeps the prefix, and has no version.
std::vector<std::string> LibraryFiles(const std::string& name, const std::string& /*version*/) {
  return {"lib" + name + ".dll"};
}

void* OpenLibrary(const std::string& name, std::string& problem) {
  HMODULE library = LoadLibraryW(FilePath(name).c_str());
  if (library == nullptr) {
    problem = std::system_category().message(static_cast<int>(GetLastError()));
  }
  return reinterpret_cast<void*>(library);
}

void* SymbolOf(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(reinterpret_cast<HMODULE>(library), name));
}

void CloseLibrary(void* library) {
  FreeLibrary(reinterpret_cast<HMODULE>(library));
}

}  // namespace pteproof::os
#endif

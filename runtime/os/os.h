// What the operating system is asked for beyond the C++ library. posix.cc answers for Linux and
// macOS, windows.cc for Windows. Nothing else of the library knows a system's headers, but for the
// solver that runs beside it (properties/proofs/solver/child_process.h).
//
// Where it fails and says no more, errno holds the reason.
#ifndef PTEPROOF_RUNTIME_OS_OS_H_
#define PTEPROOF_RUNTIME_OS_OS_H_

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pteproof::os {

// A process's streams.
inline constexpr int kInput = 0;
inline constexpr int kOutput = 1;
inline constexpr int kErrors = 2;

// Takes the numbers of those that are closed, so that no file that is opened later gets them and is
// read or written in their stead. Using them fails as before.
void HoldClosedStreams();

[[nodiscard]] bool IsTerminal(int stream);

// Of the terminal that standard output is, if it is one and says it.
[[nodiscard]] std::optional<size_t> OutputColumns();

// A file that is open for reading until this goes out of scope. A pipe is not waited for.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }        // less than 0: it is not open
  [[nodiscard]] std::optional<size_t> size() const { return size_; }  // nothing: no regular file

 private:
  int descriptor_ = -1;
  std::optional<size_t> size_;
};

// Fills `to` as far as the file goes; the number of bytes read, or nothing on an error.
[[nodiscard]] std::optional<size_t> ReadUpTo(int descriptor, std::span<std::byte> to);

// As far as it can.
void WriteTo(int descriptor, std::string_view text);

// The file's contents are the old ones or the new ones, and never a part of them: they are written
// beside it, to a file that `beside` is told of, "" when it is no more, and put into its place. A
// device, a pipe, or a file whose folder takes no other one is written in place, except on Windows.
[[nodiscard]] bool ReplaceFile(const std::string& file, std::string_view text,
                               const std::function<void(const std::string&)>& beside);

// Of the environment; a null value takes it away.
void SetVariable(const char* name, const char* value);

// Calls `leave`, which ends the process, with SIGINT or SIGTERM when the process is asked to end;
// on a thread that may do anything. One that is ignored already stays so. Call it once, before
// other threads are started.
void WatchForEnd(void (*leave)(int signal));

// Goes on as a program that lies beside this one's, with these words behind its name. Returns its
// path if it cannot.
[[nodiscard]] std::string BecomeNeighbour(const std::string& name,
                                          const std::vector<std::string>& words);

// How the system calls the file of a library: that of this version, and that of any.
[[nodiscard]] std::vector<std::string> LibraryFiles(const std::string& name,
                                                    const std::string& version);

// A shared library; null, and why, if it cannot be opened.
[[nodiscard]] void* OpenLibrary(const std::string& name, std::string& problem);
[[nodiscard]] void* SymbolOf(void* library, const char* name);
void CloseLibrary(void* library);

}  // namespace pteproof::os

#endif  // PTEPROOF_RUNTIME_OS_OS_H_

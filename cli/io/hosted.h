// The command called from within a program (capi), on threads of its own: files that it
// names may lie in the caller's memory, and what it writes is kept for the caller.
#ifndef PTEPROOF_CLI_IO_HOSTED_H_
#define PTEPROOF_CLI_IO_HOSTED_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "pteproof/program.h"

namespace pteproof {

struct Hosted {
  std::map<std::string, Bytes> files;          // read in place of the files of these names
  std::map<std::string, std::string> results;  // the files of these names are kept here
  std::string output;
  std::string text;             // of a report in JSON: the same for people
  std::string complaints;       // lines that the command writes to standard error
  std::atomic<bool> wrong_manifest = false;  // a manifest is wrong, or of another program
  // Told how far it has come, on its thread: "checked" 3 of 12. May be empty.
  std::function<void(std::string_view what, size_t done, size_t of)> progress;
};

// The call that this thread works for; null: it is the command itself.
inline Hosted*& HostOfThread() {
  thread_local Hosted* host = nullptr;
  return host;
}

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_HOSTED_H_

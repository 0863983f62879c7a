// What the command's exit codes mean, and which of several counts.
#ifndef PTEPROOF_CLI_IO_EXIT_CODE_H_
#define PTEPROOF_CLI_IO_EXIT_CODE_H_

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

namespace pteproof {

// Memory that ran out, or a limit on it, with the reason: the command ends as a whole.
class MemoryRanOut : public std::bad_alloc {
 public:
  explicit MemoryRanOut(std::string reason) : reason_(std::move(reason)) {}
  [[nodiscard]] const char* what() const noexcept override { return reason_.c_str(); }

 private:
  std::string reason_;
};

enum class ExitCode : uint8_t {
  kSafe = 0,
  kUnsafe = 1,
  kMalformed = 2,
  kUndecided = 3,    // undecided, or depends on the loader
  kUsage = 64,       // wrong options, or a manifest that does not fit
  kUnreadable = 66,  // a file that cannot be read
  kInternal = 70,    // out of memory, or a mistake of the program's own
};

// Of two the worse: a file without a verdict (the larger code), then unsafe, then undecided, then
// safe.
[[nodiscard]] constexpr ExitCode Worse(ExitCode a, ExitCode b) {
  const auto rank = [](ExitCode code) {
    switch (code) {
      case ExitCode::kSafe:
        return 0;
      case ExitCode::kUndecided:
        return 1;
      case ExitCode::kUnsafe:
        return 2;
      default:
        return 3;
    }
  };
  if (rank(a) != rank(b)) return rank(a) > rank(b) ? a : b;
  return std::max(a, b);
}

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_EXIT_CODE_H_

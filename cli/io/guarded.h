// What ends the command as a whole, whichever verb runs: the same for the command's process and for
// a program that calls it.
#ifndef PTEPROOF_CLI_IO_GUARDED_H_
#define PTEPROOF_CLI_IO_GUARDED_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace pteproof {

// Something that the system lacks.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Failure {
  enum class Kind : uint8_t { kMemory, kWork, kUnavailable, kMistake };
  Kind kind = Kind::kMistake;
  std::string why;
};

// Runs `work`. Nothing: it came to its end. A stop (base/stop.h) passes through.
[[nodiscard]] std::optional<Failure> FailureOf(const std::function<void()>& work);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_GUARDED_H_

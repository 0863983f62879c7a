#include "tests/executorch/witness/runtime_error.h"

#include <executorch/runtime/platform/platform.h>
#include <fmt/format.h>

#include <utility>

namespace pteproof::witness {
namespace {

// The runtime's callback has no place for a context.
std::string& Log() {
  static std::string log;
  return log;
}

void Keep(et_timestamp_t, et_pal_log_level_t level, const char*, const char*, size_t,
          const char* message, size_t length) {
  if (level == kError || level == kFatal) Log().append(message, length).append("; ");
}

}  // namespace

void KeepLog() {
  using executorch::runtime::PalImpl;
  executorch::runtime::register_pal(PalImpl::create(Keep, __FILE__));
}

std::string SayError(std::string_view step, executorch::runtime::Error error) {
  if (error == executorch::runtime::Error::Ok) return {};
  return fmt::format("{}: error {:#x}: {}", step, static_cast<uint32_t>(error),
                     std::exchange(Log(), {}));
}

}  // namespace pteproof::witness

#include "cli/io/store_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "cli/io/interruption.h"
#include "cli/io/load_file.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "runtime/os/os.h"

namespace pteproof {

std::optional<std::string> LoadText(const std::string& file) {
  const auto bytes = LoadFile(file);
  if (!bytes) {
    Complain(fmt::format("{}: {}", QuotePath(file), bytes.error().why));
    return std::nullopt;
  }
  const Bytes& read = *bytes.value();
  return std::string(reinterpret_cast<const char*>(read.data()), read.size());
}

ExitCode StoreFile(const std::string& file, std::string_view text) {
  if (file.empty() || file == kStandardOutput) {
    WriteOutput(text);
    return ExitCode::kSafe;
  }
  if (Hosted* host = HostOfThread()) {
    if (const auto kept = host->results.find(file); kept != host->results.end()) {
      kept->second = text;
      return ExitCode::kSafe;
    }
  }
  const WholeWrite whole;
  if (os::ReplaceFile(file, text, RemoveIfInterrupted)) return ExitCode::kSafe;
  Complain(fmt::format("{}: the file cannot be written: {}", QuotePath(file),
                       std::generic_category().message(errno)));
  return ExitCode::kUnreadable;
}

ExitCode StoreFile(const std::string& file, std::span<const std::byte> bytes) {
  return StoreFile(file,
                   std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace pteproof

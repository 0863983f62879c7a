#include "cli/io/store_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "cli/io/load_file.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"

namespace pteproof {

std::optional<std::string> LoadText(const std::string& file) {
  const auto bytes = LoadFile(file);
  if (!bytes) {
    Complain(fmt::format("{}: {}", Quote(file), bytes.error().why));
    return std::nullopt;
  }
  return std::string(reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size());
}

ExitCode StoreFile(const std::string& file, std::string_view text) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  if (stream) return ExitCode::kSafe;
  const int reason = errno;
  Complain(fmt::format("{}: the file cannot be written: {}", Quote(file),
                       std::generic_category().message(reason)));
  return ExitCode::kUnreadable;
}

ExitCode StoreFile(const std::string& file, std::span<const std::byte> bytes) {
  return StoreFile(file,
                   std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace pteproof

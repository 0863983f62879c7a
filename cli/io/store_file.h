// Files that a verb reads as text and writes, with the complaint and exit code where that fails.
#ifndef PTEPROOF_CLI_IO_STORE_FILE_H_
#define PTEPROOF_CLI_IO_STORE_FILE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/io/exit_code.h"

namespace pteproof {

// The file's text; nothing, after a complaint, where it cannot be read (kUnreadable).
[[nodiscard]] std::optional<std::string> LoadText(const std::string& file);

inline constexpr std::string_view kStandardOutput = "-";

// Replaces the file as a whole; no name and "-" are standard output. kUnreadable, after a
// complaint, if that cannot be done.
[[nodiscard]] ExitCode StoreFile(const std::string& file, std::string_view text);
[[nodiscard]] ExitCode StoreFile(const std::string& file, std::span<const std::byte> bytes);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_STORE_FILE_H_

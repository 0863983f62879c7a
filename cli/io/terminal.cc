#include "cli/io/terminal.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>

#include "cli/io/hosted.h"
#include "runtime/os/os.h"

namespace pteproof {
namespace {

constexpr size_t kLeastColumns = 40;
constexpr size_t kMostColumns = 400;

// What the environment or the terminal says.
std::optional<size_t> KnownColumns() {
  if (HostOfThread() != nullptr) return std::nullopt;
  if (const char* stated = std::getenv("COLUMNS"); stated != nullptr) {
    const std::string_view text(stated);
    size_t columns = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
    if (error == std::errc() && end == text.data() + text.size() && columns > 0) {
      return std::clamp(columns, kLeastColumns, kMostColumns);
    }
  }
  const std::optional<size_t> columns = os::OutputColumns();
  if (!columns) return std::nullopt;
  return std::clamp(*columns, kLeastColumns, kMostColumns);
}

}  // namespace

size_t TerminalColumns() {
  return KnownColumns().value_or(kPlainColumns);
}

size_t TableColumns() {
  return KnownColumns().value_or(std::numeric_limits<size_t>::max());
}

}  // namespace pteproof

// Changes of a text file as a unified diff, which `patch -p0` and `git apply -p0` take.
#ifndef PTEPROOF_CLI_PATCH_UNIFIED_DIFF_H_
#define PTEPROOF_CLI_PATCH_UNIFIED_DIFF_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pteproof {

// Of one line of the old text.
struct LineEdit {
  std::optional<std::string> replaced;  // what the line becomes; none: it stays
  std::vector<std::string> added;       // lines behind it
};

// By index of a line, from 0. Lines have no line ends.
using LineEdits = std::map<size_t, LineEdit>;

// The lines of a text without their ends; a text that ends in a line end has no empty line behind.
[[nodiscard]] std::vector<std::string_view> LinesOf(std::string_view text);

// `text` before the edits. Three lines of context; empty without edits.
[[nodiscard]] std::string UnifiedDiff(std::string_view file, std::string_view text,
                                      const LineEdits& edits);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_PATCH_UNIFIED_DIFF_H_

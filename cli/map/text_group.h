// Panels of a map for a terminal, side by side over the same bytes.
#ifndef PTEPROOF_CLI_MAP_TEXT_GROUP_H_
#define PTEPROOF_CLI_MAP_TEXT_GROUP_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cli/io/paint.h"
#include "cli/map/text_letters.h"
#include "properties/picture/picture.h"

namespace pteproof {

struct TextGroup {
  std::vector<const picture::Panel*> panels;
  std::vector<size_t> widths;  // columns of each
};

// The panels of a bank in groups that fit into so many columns: of a bank that methods share as
// many as can stand beside each other, else each alone. They point into the bank.
[[nodiscard]] std::vector<TextGroup> TextGroups(const picture::Picture& picture,
                                                const picture::Bank& bank, size_t columns);

// The methods' names, a row for each range of bytes, and the instructions below.
[[nodiscard]] std::string GroupText(const picture::Picture& picture, const TextGroup& group,
                                    std::span<const Lettered> letters, const Paint& paint);

// A moved name's own place, which gets no letter.
[[nodiscard]] bool IsReserved(const picture::Storage& storage);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_TEXT_GROUP_H_

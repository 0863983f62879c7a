// Which storage of a row of panels gets which letter: state that methods share has one in all of
// them.
#ifndef PTEPROOF_CLI_MAP_TEXT_LETTERS_H_
#define PTEPROOF_CLI_MAP_TEXT_LETTERS_H_

#include <span>
#include <vector>

#include "cli/map/text_grid.h"
#include "properties/picture/picture.h"

namespace pteproof {

inline constexpr size_t kMostLetters = 62;

struct Lettered {
  char letter = '?';
  const picture::Panel* panel = nullptr;
  const picture::Storage* storage = nullptr;
};

// By panel, then first use: all of them where there are letters enough, else the largest.
[[nodiscard]] std::vector<Lettered> LettersOf(std::span<const picture::Panel* const> panels);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_TEXT_LETTERS_H_

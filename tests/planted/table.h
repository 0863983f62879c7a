// Scores as a table, in Markdown.
#ifndef PTEPROOF_TESTS_PLANTED_TABLE_H_
#define PTEPROOF_TESTS_PLANTED_TABLE_H_

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tests/planted/score.h"

namespace pteproof {

// How the row of a defect begins, whatever its score: "| stores-dead | 16 | I8 |".
[[nodiscard]] std::string StartOfRow(const DefectRow& defect);

// The head, a row each, and what they come to.
[[nodiscard]] std::string TableOf(std::span<const std::pair<DefectRow, Score>> scores);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_PLANTED_TABLE_H_

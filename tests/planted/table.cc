#include "tests/planted/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace pteproof {
namespace {

std::string RowOf(const DefectRow& defect, const Score& score) {
  std::string row = StartOfRow(defect);
  for (size_t w = 0; w < kCheckerCount; ++w) {
    if (!score.asked[w]) {
      row += " |";
    } else if (score.cases[w]) {
      row += fmt::format(" {} |", *score.cases[w]);
    } else {
      row += " - |";
    }
  }
  row += score.find ? fmt::format(" {} | {} |", score.find->nodes, score.find->calls) : " | |";
  return row + fmt::format(" {:.1f} |\n", score.seconds);
}

}  // namespace

std::string StartOfRow(const DefectRow& defect) {
  const std::string entry = defect.entry > 0 ? std::to_string(defect.entry) : "own";
  return fmt::format("| {} | {} | {} |", defect.name, entry, defect.invariant);
}

std::string TableOf(std::span<const std::pair<DefectRow, Score>> scores) {
  std::string table = "| defect | entry | breaks |";
  for (size_t w = 0; w < kCheckerCount; ++w)
    table += fmt::format(" {} |", NameOf(Checker{static_cast<uint8_t>(w)}));
  table += " nodes | calls | s |\n|---|---|---|";
  for (size_t w = 0; w < kCheckerCount + 3; ++w) table += "---|";
  table += "\n";
  for (const auto& [defect, score] : scores) table += RowOf(defect, score);
  const auto count = [&](auto is) { return std::ranges::count_if(scores, is); };
  table += fmt::format("\n{} defects: {} found, {} by two checkers or more", scores.size(),
                       count([](const auto& s) { return s.second.IsFound(); }),
                       count([](const auto& s) { return s.second.checkers() > 1; }));
  for (size_t w = 0; w < kCheckerCount; ++w) {
    const auto by = count([&](const auto& s) { return s.second.cases[w].has_value(); });
    table += fmt::format(", {} by {}", by, NameOf(Checker{static_cast<uint8_t>(w)}));
  }
  return table + ".\n";
}

}  // namespace pteproof

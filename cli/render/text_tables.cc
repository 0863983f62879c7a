#include "cli/render/text_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/io/quote.h"
#include "cli/io/terminal.h"
#include "properties/bank_waste.h"

namespace pteproof {

namespace {

constexpr size_t kGap = 2;             // between columns
constexpr size_t kNarrowestText = 10;  // a column of text is not made narrower

// Takes from the widest columns of text what a line is too long.
void Narrow(std::vector<size_t>& widths, size_t left, size_t columns) {
  const auto text = std::span(widths).first(std::min(left, widths.size()));
  size_t total = kGap * widths.size();
  for (const size_t width : widths) total += width;
  while (total > columns && !text.empty()) {
    size_t& widest = *std::ranges::max_element(text);
    if (widest <= kNarrowestText) return;
    --widest;
    --total;
  }
}

// The next line of a cell, which is taken from it: whole words where the width holds them.
std::string NextLine(std::string_view& cell, size_t width) {
  size_t end = cell.size();
  if (end > width) {
    end = cell.rfind(' ', width);
    if (end == std::string_view::npos || end == 0) end = width;
    while (end > 1 && (static_cast<unsigned char>(cell[end]) & 0xC0U) == 0x80U) --end;
  }
  std::string line(cell.substr(0, end));
  cell.remove_prefix(end);
  if (cell.starts_with(' ')) cell.remove_prefix(1);
  return line;
}

}  // namespace

std::string Aligned(std::span<const std::vector<std::string>> rows, size_t left,
                    const std::string& indent) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  Narrow(widths, left, TableColumns() - indent.size());
  std::string text;
  for (const auto& row : rows) {
    std::vector<std::string_view> cells(row.begin(), row.end());
    do {
      std::string line = indent;
      for (size_t i = 0; i < cells.size(); ++i) {
        const std::string part = NextLine(cells[i], widths[i]);
        if (i > 0) line.append(kGap, ' ');
        line += i < left ? fmt::format("{:<{}}", part, widths[i])
                         : fmt::format("{:>{}}", part, widths[i]);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    } while (std::ranges::any_of(cells, [](std::string_view cell) { return !cell.empty(); }));
  }
  return text;
}

namespace {

// The smallest that the bank's storages need: "optimal", a number, or bounds of it.
std::string BestWord(const BankUse& use, const BankOptimum& optimum) {
  if (optimum.at_most == 0 && use.peak > 0) return "unknown";
  if (optimum.at_least == use.peak) return "optimal";
  if (optimum.at_least == optimum.at_most) return fmt::format("{}", optimum.at_least);
  return fmt::format("{}..{}", optimum.at_least, optimum.at_most);
}

}  // namespace

std::string BankTable(std::span<const BankUse> banks, std::span<const BankOptimum> optima) {
  constexpr size_t kLongestMethod = 40;
  if (banks.empty()) return "";
  const bool has_early_stores =
      std::ranges::any_of(banks, [](const BankUse& use) { return use.early_stores > 0; });
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"bytes of method", "bank", "size", "peak", "peak live", "waste", "", "phantom"});
  if (has_early_stores) rows.back().push_back("early stores");
  if (!optima.empty()) rows.back().push_back("best");
  for (const BankUse& use : banks) {
    rows.push_back({Quote(use.method, kLongestMethod), fmt::format("{}", use.bank),
                    fmt::format("{}", use.size), fmt::format("{}", use.peak),
                    fmt::format("{}", use.load), fmt::format("{}", WasteOf(use)),
                    fmt::format("{}%", WastePercentOf(use)), fmt::format("{}", use.phantom)});
    if (has_early_stores) rows.back().push_back(fmt::format("{}", use.early_stores));
    if (optima.empty()) continue;
    rows.back().push_back(BestWord(use, optima[static_cast<size_t>(&use - banks.data())]));
  }
  return "\n" + Aligned(rows, 1, "  ");
}

std::string OverlayLines(std::span<const IoOverlay> overlays) {
  std::string text;
  for (const IoOverlay& overlay : overlays) {
    text += fmt::format("  method {}: output v{} may lie on the memory of input v{}\n",
                        Quote(overlay.method), overlay.output, overlay.input);
  }
  return text.empty() ? text : "\n" + text;
}

}  // namespace pteproof

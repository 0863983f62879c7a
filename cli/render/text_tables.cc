#include "cli/render/text_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/io/quote.h"
#include "properties/bank_waste.h"

namespace pteproof {

std::string Aligned(std::span<const std::vector<std::string>> rows, size_t left,
                    const std::string& indent) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = indent;
    for (size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      line += i < left ? fmt::format("{:<{}}", row[i], widths[i])
                       : fmt::format("{:>{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
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
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"bytes of method", "bank", "size", "peak", "live", "waste", "", "phantom"});
  if (!optima.empty()) rows.back().push_back("best");
  for (const BankUse& use : banks) {
    rows.push_back({Quote(use.method, kLongestMethod), fmt::format("{}", use.bank),
                    fmt::format("{}", use.size), fmt::format("{}", use.peak),
                    fmt::format("{}", use.load), fmt::format("{}", WasteOf(use)),
                    fmt::format("{}%", WastePercentOf(use)), fmt::format("{}", use.phantom)});
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

// The parts of the text form that are tables: banks, and outputs that may lie on inputs.
#ifndef PTEPROOF_CLI_RENDER_TEXT_TABLES_H_
#define PTEPROOF_CLI_RENDER_TEXT_TABLES_H_

#include <span>
#include <string>
#include <vector>

#include "cli/load/bank_optimum.h"
#include "pteproof/report.h"

namespace pteproof {

// One line for each method's bank, after an empty line and a heading; empty without banks. `optima`
// are those of the banks, or none.
[[nodiscard]] std::string BankTable(std::span<const BankUse> banks,
                                    std::span<const BankOptimum> optima = {});

// Which output's memory the caller may lay on which input's, one line for each.
[[nodiscard]] std::string OverlayLines(std::span<const IoOverlay> overlays);

// Rows of equally many cells, aligned in columns: the first `left` of them to the left, the others
// to the right. Each line begins with `indent`. Where a terminal is too narrow, the columns to the
// left go over several lines.
[[nodiscard]] std::string Aligned(std::span<const std::vector<std::string>> rows, size_t left,
                                  const std::string& indent);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_TEXT_TABLES_H_

// What is in use at the peak of each bank, as a tree: the model's lines, from those that were
// called first down to the storages that they made.
#ifndef PTEPROOF_CLI_RENDER_PEAK_TREE_H_
#define PTEPROOF_CLI_RENDER_PEAK_TREE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/load/source_lines.h"
#include "properties/picture/picture.h"

namespace pteproof {

struct PeakLine {
  size_t depth = 0;  // 0: below the bank itself
  uint64_t bytes = 0;
  std::string text;
};

struct BankPeak {
  std::string method;
  uint32_t bank = 0;
  int64_t instruction = -1;  // that runs then; -1: the call has not begun
  uint64_t bytes = 0;
  std::vector<PeakLine> lines;  // the largest first, below each
  size_t left_out = 0;          // lines beyond the limit
};

// Without lines of the model the operators that made the storages are told. O(n log n).
[[nodiscard]] std::vector<BankPeak> PeaksOf(const picture::Picture& picture,
                                            const SourceLines& lines, size_t most);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_PEAK_TREE_H_

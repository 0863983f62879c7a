// What is in use at the peak of each bank, what is not, and what constants take, each as a tree:
// the model's lines, from those that were called first down to the storages that they made.
#ifndef PTEPROOF_CLI_RENDER_PEAK_TREE_H_
#define PTEPROOF_CLI_RENDER_PEAK_TREE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/load/source_lines.h"
#include "properties/picture/picture.h"
#include "pteproof/program.h"

namespace pteproof {

struct PeakLine {
  size_t depth = 0;  // 0: below the bank itself
  uint64_t bytes = 0;
  std::string text;
};

struct ByteTree {
  uint64_t bytes = 0;
  std::vector<PeakLine> lines;  // the largest first, below each
  size_t left_out = 0;          // lines beyond the limit
};

struct BankPeak {
  std::string method;
  uint32_t bank = 0;
  int64_t instruction = -1;  // that runs then; -1: the call has not begun
  ByteTree in_use;
  ByteTree waste;  // bytes of the bank that are not in use then, by what lies there longest
  std::map<std::string, uint64_t> by_line;  // in use, by the innermost line of the model; or empty
};

// Without lines of the model the operators that made the storages are told. `most`: lines of a
// tree; nothing: there are no trees, and only what the innermost lines have. O(n log n).
[[nodiscard]] std::vector<BankPeak> PeaksOf(const picture::Picture& picture,
                                            const SourceLines& lines, std::optional<size_t> most);

// What is in use at a panel's peak.
[[nodiscard]] ByteTree PeakTreeOf(const picture::MethodAxis& method, const picture::Panel& panel,
                                  const SourceLines& lines, size_t most);

struct MethodConstants {
  std::string method;
  ByteTree tree;
};

// Of each method the constants of the program file, by the line that reads each first; each once,
// for the first method that has it. O(n log n).
[[nodiscard]] std::vector<MethodConstants> ConstantsIn(const Program& program,
                                                       const SourceLines& lines, size_t most);

// What the peaks of equal methods and banks have more of now, by the model's lines, at most so many
// for each: sentences. Programs without lines have none.
[[nodiscard]] std::vector<std::string> GrownLines(const std::vector<BankPeak>& olds,
                                                  const std::vector<BankPeak>& news, size_t most);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_PEAK_TREE_H_

// Inputs whose sizes vary, and sizes that are asked for in place of their bounds.
#ifndef PTEPROOF_CLI_LOAD_INPUT_SIZES_H_
#define PTEPROOF_CLI_LOAD_INPUT_SIZES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/load/source_lines.h"
#include "pteproof/datum.h"
#include "pteproof/program.h"
#include "pteproof/result.h"

namespace pteproof {

// An input of which a size varies.
struct BoundedInput {
  size_t position = 0;
  int32_t value = 0;
  std::string name;  // in the model; empty: not known
  Sizes bounds;

  [[nodiscard]] std::string Word() const;  // the name, else "v0"
};

[[nodiscard]] std::vector<BoundedInput> BoundedInputsOf(const Method& method,
                                                        const SourceLines& lines);

// Of one method: its inputs' sizes as they are asked for, else the file's. Empty: it has none of
// the inputs that are named.
struct AskedSizes {
  std::vector<Sizes> inputs;
};

// INPUT=1,512,512, each: of those methods, all if there are none, that have the input and admit the
// sizes. An error says why none of them does.
[[nodiscard]] Result<std::vector<AskedSizes>, std::string> AskedSizesOf(
    const Program& program, const SourceLines& lines, std::span<const std::string> methods,
    std::span<const std::string> asked);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_INPUT_SIZES_H_

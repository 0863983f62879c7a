// The peaks of a loaded program's banks, by the lines of its model.
#ifndef PTEPROOF_CLI_RENDER_PEAKS_IN_H_
#define PTEPROOF_CLI_RENDER_PEAKS_IN_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "cli/load/program_parts.h"
#include "cli/load/source_lines.h"
#include "cli/render/peak_tree.h"

namespace pteproof {

// `most`: as PeaksOf takes it.
[[nodiscard]] std::vector<BankPeak> PeaksIn(const ProgramParts& parts, const SourceLines& lines,
                                            std::optional<size_t> most);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_PEAKS_IN_H_

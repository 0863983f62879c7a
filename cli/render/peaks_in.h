// The peaks of a loaded program's banks, by the lines of its model.
#ifndef PTEPROOF_CLI_RENDER_PEAKS_IN_H_
#define PTEPROOF_CLI_RENDER_PEAKS_IN_H_

#include <cstddef>
#include <vector>

#include "cli/load/program_parts.h"
#include "cli/load/source_lines.h"
#include "cli/render/peak_tree.h"

namespace pteproof {

[[nodiscard]] std::vector<BankPeak> PeaksIn(const ProgramParts& parts, const SourceLines& lines,
                                            size_t most);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_PEAKS_IN_H_

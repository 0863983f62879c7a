// A comparison of two programs for a comment: what has changed in memory, findings and computation.
#ifndef PTEPROOF_CLI_FORMS_COMPARE_MARKDOWN_H_
#define PTEPROOF_CLI_FORMS_COMPARE_MARKDOWN_H_

#include <string>
#include <vector>

#include "cli/render/compare_text.h"

namespace pteproof {

// `failed`: the parts that fail the comparison. The whole text form follows, folded.
[[nodiscard]] std::string CompareMarkdown(const ComparedFiles& files,
                                          const compare::ProgramComparison& comparison,
                                          const std::vector<std::string>& failed);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_FORMS_COMPARE_MARKDOWN_H_

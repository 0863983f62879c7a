// The form for a job's page and for comments: Markdown with a table of files, one of their memory,
// and the findings folded.
#ifndef PTEPROOF_CLI_FORMS_MARKDOWN_H_
#define PTEPROOF_CLI_FORMS_MARKDOWN_H_

#include <span>
#include <string>
#include <vector>

#include "cli/load/file_report.h"

namespace pteproof {

// `remarks`: lines about the standard, for the end. At most ten findings of a rule are told of each
// file, unless `all`.
[[nodiscard]] std::string RenderMarkdown(std::span<const FileReport> reports,
                                         const std::vector<std::string>& remarks, bool all);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_FORMS_MARKDOWN_H_

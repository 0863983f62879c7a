// The form that GitHub shows beside files: workflow commands, one a line.
#ifndef PTEPROOF_CLI_FORMS_GITHUB_H_
#define PTEPROOF_CLI_FORMS_GITHUB_H_

#include <string>

#include "cli/load/file_report.h"

namespace pteproof {

// One annotation for each finding that counts, as an error if its file fails, and each demand that
// is not met, at most ten of a rule unless `all`; one notice for what is accepted; and the line of
// the verdict.
[[nodiscard]] std::string RenderGithub(const FileReport& report, bool all);

// "::notice file=FILE,line=3,title=pteproof::TEXT". No line: 0.
[[nodiscard]] std::string GithubNotice(const std::string& file, size_t line,
                                       const std::string& text);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_FORMS_GITHUB_H_

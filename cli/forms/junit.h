// The form that most CIs show as tests: JUnit's XML, one test for each file.
#ifndef PTEPROOF_CLI_FORMS_JUNIT_H_
#define PTEPROOF_CLI_FORMS_JUNIT_H_

#include <span>
#include <string>

#include "cli/load/file_report.h"

namespace pteproof {

// A test fails if its file fails, and is in error if there is no verdict. Its text is that of the
// text form.
[[nodiscard]] std::string RenderJunit(std::span<const FileReport> reports);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_FORMS_JUNIT_H_

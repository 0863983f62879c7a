// The form that code hosts and editors read: SARIF 2.1.0, one run over all files.
#ifndef PTEPROOF_CLI_RENDER_RENDER_SARIF_H_
#define PTEPROOF_CLI_RENDER_RENDER_SARIF_H_

#include <span>
#include <string>

#include "cli/load/file_report.h"

namespace pteproof {

// One artifact for each file; one result for each finding, or where a policy was chosen, for each
// that holds under it. Files without a verdict become notifications of the run. ASCII only, ending
// in a newline.
[[nodiscard]] std::string RenderSarif(std::span<const FileReport> reports);

// A path as a URI reference: relative paths stay relative, "-" is standard input, and what a URI
// may not hold is percent-encoded.
[[nodiscard]] std::string ToUri(const std::string& path);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_RENDER_SARIF_H_

// The machine's form of a report: one JSON object on one line for each file. Its fields are
// described in docs/reference/output.md.
#ifndef PTEPROOF_CLI_RENDER_RENDER_JSON_H_
#define PTEPROOF_CLI_RENDER_RENDER_JSON_H_

#include <string>

#include "cli/load/file_report.h"

namespace pteproof {

// ASCII only, ending in a newline. Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string RenderJson(const FileReport& report);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_RENDER_JSON_H_

// The machine's form of a report: one JSON object on one line for each file. Its fields are
// described in docs/reference/output.md.
#ifndef PTEPROOF_CLI_RENDER_RENDER_JSON_H_
#define PTEPROOF_CLI_RENDER_RENDER_JSON_H_

#include <string>

#include "cli/load/file_report.h"

namespace pteproof {

// ASCII only, ending in a newline. Bytes that are no UTF-8 become U+FFFD.
// `patches`: findings have their patch (cli/patch/clone_patch.h), for which source files are read.
[[nodiscard]] std::string RenderJson(const FileReport& report, bool patches = false);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_RENDER_JSON_H_

// The map of a file's memory plan as SVG.
#ifndef PTEPROOF_CLI_MAP_SVG_MAP_H_
#define PTEPROOF_CLI_MAP_SVG_MAP_H_

#include <string>

#include "cli/load/file_report.h"
#include "properties/picture/picture.h"

namespace pteproof {

// A file of its own, with title, colours and findings. `picture` is of the file that was judged, or
// a part of it. Well-formed XML without scripts or other files, whatever names the file holds. Up
// to some megabytes, however large the plan.
[[nodiscard]] std::string SvgMap(const FileReport& report, const picture::Picture& picture);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_SVG_MAP_H_

// The pictures of a page as its script reads them: one JSON object, of plans and words that are
// made elsewhere (properties/picture, cli/map/facts.h). Nothing is concluded here.
//
//   {"pictures": [{"name": "model.pte", "policy": "share-1-2",
//     "findings": [{"number": 1, "open": false, "rule": "plan-overlap",
//       "policies": ["private"], unless it holds under all}],
//     "methods": [{"name", "complete", "operators", "at": [per instruction], "shown": [lo, hi]}],
//     "banks": [{"id", "shared", "panels": [null | {"method", "size", "peak", "live", ...,
//       "storages": [{"kind", "label", "bytes": [lo, hi], "live": [[lo, hi]], ...}],
//       "marks": [{"finding", "storages", "bytes", "time", ...}]}]}]}]}
//
// Bytes are those of the bank, times are points (pteproof/program.h), instructions those of the
// method's listing. Scripts hold numbers above 2^53 rounded: the findings' text has them exactly.
#ifndef PTEPROOF_CLI_MAP_PAGE_DATA_H_
#define PTEPROOF_CLI_MAP_PAGE_DATA_H_

#include <nlohmann/json.hpp>
#include <string>

#include "cli/load/file_report.h"
#include "properties/picture/picture.h"

namespace pteproof {

// Names are as by Quote: no control characters, one line. O(size of the picture).
[[nodiscard]] nlohmann::ordered_json PictureJson(const FileReport& report,
                                                 const picture::Picture& picture);

// JSON as the content of a script element: ASCII, and nothing in it that HTML or XML reads as
// markup.
[[nodiscard]] std::string ScriptData(const nlohmann::ordered_json& json);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_PAGE_DATA_H_

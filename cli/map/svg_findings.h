// The findings that belong to a map: their numbers, and the list below it.
#ifndef PTEPROOF_CLI_MAP_SVG_FINDINGS_H_
#define PTEPROOF_CLI_MAP_SVG_FINDINGS_H_

#include <string>
#include <string_view>
#include <vector>

#include "cli/load/file_report.h"
#include "cli/map/svg_writer.h"

namespace pteproof {

// By index in the report: the number by which map and list call a finding, from 1 on; 0 if it does
// not hold under the picture's policy, or is a warning or note that a manifest suppresses.
[[nodiscard]] std::vector<int> FindingNumbers(const FileReport& report,
                                              const picture::Picture& picture);

// "2 findings under other loaders than share-1-2", or "2 more" where some are listed; empty where
// there are none.
[[nodiscard]] std::string FindingsElsewhere(const FileReport& report,
                                            const picture::Picture& picture, bool listed);

// "error" or "undecided", "warning", "note".
[[nodiscard]] std::string_view SeverityWord(const Finding& finding);

// "region-escape  [private]  method forward, instruction 7, v2, v8, bank 1 [0,32)", with that
// separator; then "accepted" if it is.
[[nodiscard]] std::string Headline(const Finding& finding, std::string_view separator);

// The class of a verdict's or severity's colour: "safe", "warning" or "error".
[[nodiscard]] std::string_view ColourClass(std::string_view word);

// Whether a finding is about the whole file, or about something in the picture.
[[nodiscard]] bool Concerns(const Finding& finding, const picture::Picture& picture);

// The list from `y` on of those that concern the picture, with the explanations of the first;
// returns where it ends.
double DrawFindings(const FileReport& report, const picture::Picture& picture, double y,
                    SvgWriter& out);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_SVG_FINDINGS_H_

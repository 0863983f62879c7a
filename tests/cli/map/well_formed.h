// Whether a text is well-formed XML of the plain kind that maps and pages are: a strict reader of
// elements, attributes in double quotes and the five entities.
#ifndef PTEPROOF_TESTS_CLI_MAP_WELL_FORMED_H_
#define PTEPROOF_TESTS_CLI_MAP_WELL_FORMED_H_

#include <string>
#include <string_view>

namespace pteproof {

// Empty, or what is wrong first.
[[nodiscard]] std::string XmlProblem(std::string_view text);

// The same of a page, whose scripts and styles are no XML. As in a browser, each ends at the first
// tag that closes it.
[[nodiscard]] std::string PageProblem(std::string_view page);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_CLI_MAP_WELL_FORMED_H_

// Text from files in SVG and HTML: harmless and well-formed, whatever its bytes.
#ifndef PTEPROOF_CLI_MAP_XML_H_
#define PTEPROOF_CLI_MAP_XML_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/io/quote.h"

namespace pteproof {

// `text` as Quote makes it, with characters that mean something in XML as entities: fit for content
// and for attributes in double quotes.
[[nodiscard]] std::string Xml(std::string_view text, size_t longest = kLongestName);

// Several lines, each as by Xml, with newlines between.
[[nodiscard]] std::string XmlLines(std::string_view text);

// Columns that a text of a fixed pitch takes: wide characters count twice, marks that combine not
// at all. Takes UTF-8.
[[nodiscard]] size_t TextColumns(std::string_view text);

// At most `columns` of it, ending in "…" where something was cut; empty where not even three fit.
[[nodiscard]] std::string Fitted(std::string_view text, size_t columns);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_XML_H_

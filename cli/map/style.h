// The colours and patterns of a map, for light and dark.
#ifndef PTEPROOF_CLI_MAP_STYLE_H_
#define PTEPROOF_CLI_MAP_STYLE_H_

#include <string>

namespace pteproof {

// Rules for all elements of a map; needs no other font or file.
[[nodiscard]] std::string MapStyle();

// Hatchings, which stand once in a document.
[[nodiscard]] std::string MapPatterns();

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_STYLE_H_

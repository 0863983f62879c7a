// Path patterns of a config: which files an entry is about.
#ifndef PTEPROOF_CLI_STANDARD_GLOB_H_
#define PTEPROOF_CLI_STANDARD_GLOB_H_

#include <string_view>

namespace pteproof {

// `*` is any characters of one name, `?` one of them, `**` any number of folders. A pattern without
// a slash fits the file's name in whatever folder; any other fits the whole path. Cost: the product
// of both lengths.
[[nodiscard]] bool GlobFits(std::string_view glob, std::string_view path);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_STANDARD_GLOB_H_

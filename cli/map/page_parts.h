// The script and the style of a page: the files of cli/map/page, joined when the project is built
// (cmake/PteproofEmbed.cmake).
#ifndef PTEPROOF_CLI_MAP_PAGE_PARTS_H_
#define PTEPROOF_CLI_MAP_PAGE_PARTS_H_

#include <string>
#include <string_view>

namespace pteproof {

struct PagePart {
  std::string_view text;
  std::string_view sha256;  // of the text, in hexadecimal digits
};

[[nodiscard]] PagePart PageScript();
[[nodiscard]] PagePart PageStyle();

// "sha256-..." in base 64: how a page's policy names the one script that it runs.
[[nodiscard]] std::string SourceHash(const PagePart& part);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_PAGE_PARTS_H_

// Links of Markdown pages: which a page has, and whether their targets exist.
#ifndef PTEPROOF_TESTS_STRUCTURE_LINKS_H_
#define PTEPROOF_TESTS_STRUCTURE_LINKS_H_

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pteproof {

struct Link {
  size_t line = 0;     // from 1
  std::string path;    // as written, without the anchor; empty: the page itself
  std::string anchor;  // without '#'; empty: none
};

// Links to files and anchors, outside of code. Links with a scheme ("https:") are left out.
[[nodiscard]] std::vector<Link> LinksIn(std::string_view page);

// The page without code: fenced blocks are empty lines, and code spans are blanks.
[[nodiscard]] std::string WithoutCode(std::string_view page);

// The anchors of a page's headings, as GitHub and the site make them: lower case, blanks as '-',
// without punctuation, and with "-1" and so on for repeated headings.
[[nodiscard]] std::set<std::string> AnchorsIn(std::string_view page);

// The text of a file by its path from the root, or nothing if it does not exist; a folder is an
// empty text.
using ReadFile = std::function<std::optional<std::string>(const std::string&)>;

// "docs/index.md:3: docs/gone.md does not exist", for each link of the page at `path` whose file or
// anchor does not exist.
[[nodiscard]] std::vector<std::string> BrokenLinks(const std::string& path, const ReadFile& read);

// `link` of the page at `path`, as a path from the root.
[[nodiscard]] std::string TargetOf(const std::string& path, const Link& link);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_STRUCTURE_LINKS_H_

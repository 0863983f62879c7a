// Where the documentation lies, for forms that hold a link to it.
#ifndef PTEPROOF_CLI_RENDER_DOCUMENTATION_URI_H_
#define PTEPROOF_CLI_RENDER_DOCUMENTATION_URI_H_

#include <string>
#include <string_view>

namespace pteproof {

// No site serves the documentation yet. SARIF asks for absolute URIs, so that a path in the
// repository gets a scheme of its own; a site needs nothing but its address in this one place.
inline constexpr std::string_view kDocumentationBase = "pteproof:";

// `place` is a path in the repository, with an anchor: "docs/reference/rules.md#state-split".
[[nodiscard]] inline std::string DocumentationUri(std::string_view place) {
  return std::string(kDocumentationBase) + std::string(place);
}

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_DOCUMENTATION_URI_H_

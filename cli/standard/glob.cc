#include "cli/standard/glob.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/name_fits.h"

namespace pteproof {
namespace {

std::vector<std::string_view> PartsOf(std::string_view path) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    path.remove_prefix(slash + 1);
  }
}

// `fits[p]`: the parts of the pattern so far fit the first p parts of the path.
bool PartsFit(std::span<const std::string_view> globs, std::span<const std::string_view> parts) {
  std::vector<bool> fits(parts.size() + 1);
  fits[0] = true;
  for (const std::string_view glob : globs) {
    std::vector<bool> next(parts.size() + 1);
    for (size_t p = 0; p <= parts.size(); ++p) {
      if (glob == "**") {
        next[p] = fits[p] || (p > 0 && next[p - 1]);
      } else {
        next[p] = p > 0 && fits[p - 1] && NameFits(glob, parts[p - 1]);
      }
    }
    fits = std::move(next);
  }
  return fits[parts.size()];
}

}  // namespace

bool GlobFits(std::string_view glob, std::string_view path) {
  const std::vector<std::string_view> parts = PartsOf(path);
  if (glob.find('/') == std::string_view::npos) return NameFits(glob, parts.back());
  return PartsFit(PartsOf(glob), parts);
}

}  // namespace pteproof

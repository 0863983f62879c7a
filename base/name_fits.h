// Patterns of names: `*` stands for any characters, `?` for one.
#ifndef PTEPROOF_BASE_NAME_FITS_H_
#define PTEPROOF_BASE_NAME_FITS_H_

#include <cstddef>
#include <string_view>

namespace pteproof {

// The last `*` takes one character more whenever the rest does not fit.
[[nodiscard]] inline bool NameFits(std::string_view glob, std::string_view name) {
  size_t g = 0;
  size_t n = 0;
  size_t star = std::string_view::npos;
  size_t taken = 0;
  while (n < name.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      taken = n;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == name[n])) {
      ++g;
      ++n;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

}  // namespace pteproof

#endif  // PTEPROOF_BASE_NAME_FITS_H_

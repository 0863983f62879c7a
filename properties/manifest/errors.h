// A list of manifest errors that stays small, and the wording that its entries share. Knows no
// format.
#ifndef PTEPROOF_PROPERTIES_MANIFEST_ERRORS_H_
#define PTEPROOF_PROPERTIES_MANIFEST_ERRORS_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/manifest.h"

namespace pteproof {

// Keeps the first kKept errors and counts the others, so that a hostile text cannot make a long
// list.
struct ManifestErrors {
  static constexpr size_t kKept = 1000;

  std::vector<ManifestError> kept;
  size_t dropped = 0;

  void Add(std::string where, std::string what);
  [[nodiscard]] bool full() const { return kept.size() >= kKept; }
  [[nodiscard]] bool empty() const { return kept.empty(); }

  // The kept errors, with a last one that counts those dropped.
  [[nodiscard]] std::vector<ManifestError> Take();
};

// The JSON pointer of a member: pointer + "/" + key, escaped as RFC 6901 asks.
[[nodiscard]] std::string PointerTo(std::string_view pointer, std::string_view key);
// The JSON pointer of an item of a member: pointer + "/" + list + "/" + index.
[[nodiscard]] std::string PointerTo(std::string_view pointer, std::string_view list, size_t index);

// The text in quotes, cut to about 60 bytes, else as it is: what prints it makes it harmless, once.
[[nodiscard]] std::string Quoted(std::string_view text);

// "a, b, c"
[[nodiscard]] std::string Listed(std::span<const std::string_view> words);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_MANIFEST_ERRORS_H_

// The protocol of a manifest, `"calls"`: parses the regular expression over method names. What can
// follow what is the question of each checker, and nothing here answers it.
//
//   choice   = sequence { "|" sequence }
//   sequence = repeated { repeated }
//   repeated = ( NAME | "(" choice ")" ) { "*" | "+" | "?" }
//
// A name is a run of characters that are neither blanks nor one of | * + ? ( ).
#ifndef PTEPROOF_PROPERTIES_MANIFEST_CALLS_H_
#define PTEPROOF_PROPERTIES_MANIFEST_CALLS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/result.h"

namespace pteproof {

// So many names, and so many parentheses within each other, are read.
inline constexpr size_t kMostCallNames = 256;
inline constexpr int kDeepestCalls = 64;

struct CallsFault {
  size_t at = 0;  // in the text
  std::string what;
};

// O(n). Each part of the tree has at least one word.
[[nodiscard]] Result<CallPattern, CallsFault> ParseCalls(std::string_view text);

// The calls of the tree, from left to right.
[[nodiscard]] std::vector<const CallPattern*> CallsOf(const CallPattern& pattern);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_MANIFEST_CALLS_H_

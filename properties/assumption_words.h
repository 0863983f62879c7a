// The standing assumptions that a verdict may rest on, in words. Each checker derives for itself
// the ones that a verdict rests on.
#ifndef PTEPROOF_PROPERTIES_ASSUMPTION_WORDS_H_
#define PTEPROOF_PROPERTIES_ASSUMPTION_WORDS_H_

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace pteproof::assumption {

inline constexpr std::string_view kUnknownOperators =
    "an unknown operator returns the last argument that equals its return slot, updates others "
    "that equal it, and reads the rest";
inline constexpr std::string_view kDelegates =
    "a delegate's trailing arguments that nothing defined before are its outputs";
inline constexpr std::string_view kRows = "loops fill all rows of the values that they collect";
inline constexpr std::string_view kEqualSizes =
    "where a result lies over an operand whose sizes vary, no other operand is larger in a call";
inline constexpr std::string_view kCallersMemory =
    "before each call the caller sets the memory of inputs and outputs that are not planned";
// Where one unplanned value is both.
inline constexpr std::string_view kCallersMemoryTwice =
    "before each call the caller sets the memory of outputs that are not planned, and then that of "
    "such inputs, as Module does";

// That calls come as the manifest says, and which methods are never called then.
[[nodiscard]] inline std::string Calls(std::string_view protocol,
                                       std::span<const std::string_view> never) {
  std::string words = "the calls since loading begin a word of '";
  words.append(protocol).append("', as the manifest says");
  constexpr size_t kMostNamed = 8;
  for (size_t m = 0; m < std::min(never.size(), kMostNamed); ++m) {
    words.append(m == 0 ? ": no call of '" : "', '").append(never[m]);
  }
  if (!never.empty()) words += "'";
  if (never.size() > kMostNamed) {
    words += " and " + std::to_string(never.size() - kMostNamed) + " more";
  }
  return words;
}

// That all stores are there: in these methods, or without any in all of them.
[[nodiscard]] inline std::string Stores(std::span<const std::string_view> methods) {
  constexpr size_t kMostNamed = 8;
  std::string words = "the program has all stores of the source model";
  for (size_t m = 0; m < std::min(methods.size(), kMostNamed); ++m) {
    words.append(m == 0 ? " in '" : "', '").append(methods[m]);
  }
  if (!methods.empty()) words += "'";
  if (methods.size() > kMostNamed) {
    words += " and " + std::to_string(methods.size() - kMostNamed) + " more";
  }
  return words;
}

}  // namespace pteproof::assumption

#endif  // PTEPROOF_PROPERTIES_ASSUMPTION_WORDS_H_

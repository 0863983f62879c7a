// Fixes of findings about buffers that methods share, chosen by what the export did already: a fix
// never says what the file shows to be done.
#ifndef PTEPROOF_PROPERTIES_RULES_FIX_WORDS_H_
#define PTEPROOF_PROPERTIES_RULES_FIX_WORDS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "properties/rules/shared_state.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {

// How a method that only reads a buffer was exported, and the one that stores to it.
struct ReadOnlyCopy {
  bool has_writer = true;         // the file has the method that stores to the buffer
  bool is_planned_there = false;  // and that holds the buffer in planned memory
  bool is_for_sharing = false;    // in a bank that holds nothing but state
};
[[nodiscard]] std::string_view FixOf(const ReadOnlyCopy& copy);

// A buffer that has another place, type or size in another method.
struct OtherLayout {
  bool has_other_type = false;  // or size
  bool is_for_sharing = false;  // in both methods the bank holds nothing but state
};
[[nodiscard]] std::string_view FixOf(const OtherLayout& layout);

// State that another method writes over.
[[nodiscard]] std::string FixOfClobbered(std::string_view victim, std::string_view writer,
                                         bool is_for_sharing);

// A first value that the file does not hold for a method.
[[nodiscard]] std::string FixOfUnstored(std::string_view buffer, std::string_view holder);

// Whether the bank of a method holds nothing but state: it was planned for sharing.
[[nodiscard]] bool IsForSharing(const ProgramFacts& facts, const StateInstance& instance);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_FIX_WORDS_H_

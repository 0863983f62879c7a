// The form of a table of somebody else's schema: all that its fields say, as text. Tables say the
// same if their forms are equal, wherever their parts lie.
//
// A schema's table is described by a letter for each of its fields:
//
//   1 2 4 8   a number of so many bytes
//   s         a text
//   .         nothing that counts: a number of its own, a name
//
// Other letters are the caller's (values inside, tables, constants). `[` makes a list of a letter.
//
// Invariant: with one description, tables of equal forms have equal fields; an absent field is not
// the same as one that has the default. Cost: O(bytes of the fields).
#ifndef PTEPROOF_RUNTIME_DELEGATES_FLAT_FORM_H_
#define PTEPROOF_RUNTIME_DELEGATES_FLAT_FORM_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/delegates/flat_table.h"

namespace pteproof::delegates {

void AppendCount(uint64_t count, std::string& form);
void AppendText(std::string_view text, std::string& form);

// One of the letters above.
void AppendField(const FlatTable& table, uint32_t field, char letter, bool is_list,
                 std::string& form);

// `own(letter, is_list, field)` appends what the caller's letters stand for. False: the table has a
// field that is not described, or one of the caller's fields is not understood (`own` says so).
template <class Own>
[[nodiscard]] bool AppendForm(const FlatTable& table, std::string_view letters, std::string& form,
                              const Own& own) {
  constexpr std::string_view kShared = "1248s.";
  form += table ? '{' : '-';
  if (!table) return true;
  bool known = true;
  uint32_t field = 0;
  for (size_t i = 0; i < letters.size(); ++i, ++field) {
    const bool is_list = letters[i] == '[';
    if (is_list) ++i;
    if (kShared.find(letters[i]) != kShared.npos) {
      AppendField(table, field, letters[i], is_list, form);
    } else {
      known &= own(letters[i], is_list, field);
    }
  }
  return known && !table.HasFrom(field);
}

// Of a table that has shared letters alone.
[[nodiscard]] bool AppendForm(const FlatTable& table, std::string_view letters, std::string& form);

}  // namespace pteproof::delegates

#endif  // PTEPROOF_RUNTIME_DELEGATES_FLAT_FORM_H_

// What the picture says of a storage in words: the same in all its forms.
#ifndef PTEPROOF_CLI_MAP_FACTS_H_
#define PTEPROOF_CLI_MAP_FACTS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "properties/picture/picture.h"

namespace pteproof {

// "state", "input", "output", "intermediate", "reserved".
[[nodiscard]] std::string_view KindWord(picture::Kind kind);

// The buffer's name, else what makes it with the value's number ("add v3", "input v1"). As it
// stands in the file: not quoted.
[[nodiscard]] std::string LabelOf(const picture::Storage& storage, const picture::MethodAxis& axis);

// What makes one of its values, with the value's number: "add v3".
[[nodiscard]] std::string LabelOf(const picture::Part& part, const picture::MethodAxis& axis);

// Lines on the storage as a whole and each value in it: numbers, name, type and sizes, bank, bytes,
// lifetime in instructions, the operators at both ends. As it stands in the file: not quoted.
[[nodiscard]] std::string FactsOf(const picture::Storage& storage, uint32_t bank,
                                  const picture::MethodAxis& axis);

// The same of one value in a storage.
[[nodiscard]] std::string FactsOf(const picture::Part& part, const picture::MethodAxis& axis);

// "float32 [1, 4]", with "at most" where the sizes are bounds.
[[nodiscard]] std::string TypeText(const picture::Part& part);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_FACTS_H_

// The first letter of a sentence, for sentences that begin with an assembled phrase such as
// "instruction 4 (aten::add.out)".
#ifndef PTEPROOF_BASE_CAPITAL_H_
#define PTEPROOF_BASE_CAPITAL_H_

#include <string>

namespace pteproof {

// "Instruction 4 (aten::add.out)". Names of values such as "v3" stay as they are.
[[nodiscard]] inline std::string Capital(std::string phrase) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool is_word = phrase.size() > 1 && is_lower(phrase[0]) && is_lower(phrase[1]);
  if (is_word) phrase[0] = static_cast<char>(phrase[0] - 'a' + 'A');
  return phrase;
}

}  // namespace pteproof

#endif  // PTEPROOF_BASE_CAPITAL_H_

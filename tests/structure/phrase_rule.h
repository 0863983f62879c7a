// Phrases that must not come back into sources, messages and documents. The list is
// tests/structure/unwanted_phrases.txt.
#ifndef PTEPROOF_TESTS_STRUCTURE_PHRASE_RULE_H_
#define PTEPROOF_TESTS_STRUCTURE_PHRASE_RULE_H_

#include <string>
#include <string_view>
#include <vector>

#include "tests/structure/source_rules.h"

namespace pteproof {

struct UnwantedPhrase {
  std::string words;    // lower case, one space between words
  std::string instead;  // what to write
};

// One "phrase => what to write instead" a line, the phrase in quotes if it ends in blanks; empty
// lines and lines that begin with '#' say nothing. A line without "=>" becomes a phrase without
// advice.
[[nodiscard]] std::vector<UnwantedPhrase> ReadPhrases(std::string_view text);

// Each place of a phrase in the file, as "path:line: 'phrase', write 'instead'". Upper and lower
// case are equal, and so are line breaks and spaces; breaks of comments and of string literals
// count as spaces or as nothing. O(text x phrases).
[[nodiscard]] std::vector<std::string> PhraseViolations(const SourceFile& file,
                                                        const std::vector<UnwantedPhrase>& phrases);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_STRUCTURE_PHRASE_RULE_H_

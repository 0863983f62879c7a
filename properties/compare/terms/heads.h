// Terms of what a loop holds at its head, in any round: made of what it holds there in the rounds
// that were followed. Equal histories are equal terms.
#ifndef PTEPROOF_PROPERTIES_COMPARE_TERMS_HEADS_H_
#define PTEPROOF_PROPERTIES_COMPARE_TERMS_HEADS_H_

#include <span>
#include <vector>

#include "properties/compare/terms/forms.h"

namespace pteproof::compare {

[[nodiscard]] TermId HeadOfBytes(TermTable& table, std::span<const ContentId> history);
[[nodiscard]] TermId HeadOfNumber(TermTable& table, std::span<const SymbolicNumber> history);
[[nodiscard]] TermId HeadOfEffect(TermTable& table, std::span<const TermId> history);

// What a term of kind kHead is made of.
[[nodiscard]] std::vector<ContentId> ContentsOfHead(const TermTable& table, TermId head);
[[nodiscard]] std::vector<TermId> TermsOfHead(const TermTable& table, TermId head);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_TERMS_HEADS_H_

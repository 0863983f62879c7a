// Random cases for RapidCheck, with shrinking.
#ifndef PTEPROOF_TESTS_SUPPORT_ARBITRARY_CASE_H_
#define PTEPROOF_TESTS_SUPPORT_ARBITRARY_CASE_H_

#include <rapidcheck.h>

#include "properties/generators/draft.h"

namespace pteproof::generators {

// The default distribution. Shrinks by the cuts of shrink.h.
[[nodiscard]] rc::Gen<CaseDraft> ArbitraryCase();

// Prints the Module that the draft becomes; found by RapidCheck.
void showValue(const CaseDraft& draft, std::ostream& stream);  // NOLINT: RapidCheck's name

}  // namespace pteproof::generators

#endif  // PTEPROOF_TESTS_SUPPORT_ARBITRARY_CASE_H_

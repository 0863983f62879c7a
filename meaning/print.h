// The meaning of a program as text (docs/reference/meaning.md), for people and for tests.
#ifndef PTEPROOF_MEANING_PRINT_H_
#define PTEPROOF_MEANING_PRINT_H_

#include <string>
#include <string_view>

#include "meaning/program_meaning.h"

namespace pteproof::meaning {

// Of all methods, or of the one of that name. The first line has the version of the form.
[[nodiscard]] std::string Print(const ProgramMeaning& meant, std::string_view method = {});

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_PRINT_H_

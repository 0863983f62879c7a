// An explanation in words: comments in the Module's text, and a line with the essential parts.
#ifndef PTEPROOF_PROPERTIES_EXPLAIN_WORDS_H_
#define PTEPROOF_PROPERTIES_EXPLAIN_WORDS_H_

#include <string>

#include "properties/explain/explain.h"
#include "properties/generators/build_module.h"
#include "reference/graph/print.h"

namespace pteproof::explain {

// Beside each part that may be anything; for graph::Print.
[[nodiscard]] graph::Notes NotesOf(const generators::RandomCase& failing,
                                   const Explanation& explanation);

// Lines, each with its end: "Essential: ...; all else may be anything, ...". Empty if nothing was
// tried.
[[nodiscard]] std::string SummaryOf(const generators::RandomCase& failing,
                                    const Explanation& explanation);

}  // namespace pteproof::explain

#endif  // PTEPROOF_PROPERTIES_EXPLAIN_WORDS_H_

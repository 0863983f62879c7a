// The findings about stores that the program lost (lost_stores.h), and about constants that are
// stored to.
#ifndef PTEPROOF_PROPERTIES_RULES_WRITE_BACK_H_
#define PTEPROOF_PROPERTIES_RULES_WRITE_BACK_H_

#include <vector>

#include "properties/rules/shared_state.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// write-back-missing, from the file and the manifest; mutability-mismatch of constants with names.
[[nodiscard]] std::vector<Finding> CheckWriteBack(const ProgramFacts& facts);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_WRITE_BACK_H_

// Stores that the file lost: state that is read and never written, stores caught by an argument of
// the same name.
#ifndef PTEPROOF_PROPERTIES_CHECKS_WRITE_BACK_H_
#define PTEPROOF_PROPERTIES_CHECKS_WRITE_BACK_H_

#include <vector>

#include "base/finding.h"
#include "properties/checks/shared_state.h"

namespace pteproof::checks {

// write-back-missing, and mutability-mismatch of external constants, from the file alone.
[[nodiscard]] std::vector<Finding> CheckWriteBack(const ProgramFacts& facts);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_WRITE_BACK_H_

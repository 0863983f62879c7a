// The tensors whose sizes are those of the file, whatever a call brings.
#ifndef PTEPROOF_PROPERTIES_RULES_RESIZED_H_
#define PTEPROOF_PROPERTIES_RULES_RESIZED_H_

#include <vector>

#include "pteproof/program.h"

namespace pteproof::checks {

// By value: whether a caller or an instruction may give it other sizes. Never a static one. Rows
// that et_copy_index adds are told apart: they change the first size alone.
struct Resized {
  std::vector<bool> any;
  std::vector<bool> rows;
};

[[nodiscard]] Resized ResizedOf(const Method& method);  // O(arguments)

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_RESIZED_H_

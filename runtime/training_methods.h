// Methods that train, as the exporter marks them: beside such a method it writes one that returns
// the position of the first gradient among the outputs.
#ifndef PTEPROOF_RUNTIME_TRAINING_METHODS_H_
#define PTEPROOF_RUNTIME_TRAINING_METHODS_H_

#include <algorithm>
#include <string_view>

#include "pteproof/program.h"

namespace pteproof {

// Whether the method returns gradients and trained parameters besides its own outputs. O(methods).
[[nodiscard]] inline bool IsTrainingMethod(const Program& program, std::string_view name) {
  constexpr std::string_view kMark = "__et_training_gradients_index_";
  return std::ranges::any_of(program.methods, [&](const Method& method) {
    const std::string_view other = method.name;
    return other.starts_with(kMark) && other.substr(kMark.size()) == name;
  });
}

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_TRAINING_METHODS_H_

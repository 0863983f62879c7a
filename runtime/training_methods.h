// Methods that train, as the exporter marks them: beside such a method it writes methods without
// instructions that return the positions of the first gradient and of the first trained parameter
// among its outputs.
#ifndef PTEPROOF_RUNTIME_TRAINING_METHODS_H_
#define PTEPROOF_RUNTIME_TRAINING_METHODS_H_

#include <algorithm>
#include <string_view>

#include "pteproof/program.h"

namespace pteproof {

constexpr std::string_view kGradientsIndex = "__et_training_gradients_index_";
constexpr std::string_view kParametersIndex = "__et_training_parameters_index_";

// Whether the method returns gradients and trained parameters besides its own outputs. O(methods).
[[nodiscard]] inline bool IsTrainingMethod(const Program& program, std::string_view name) {
  return std::ranges::any_of(program.methods, [&](const Method& method) {
    const std::string_view other = method.name;
    return other.starts_with(kGradientsIndex) && other.substr(kGradientsIndex.size()) == name;
  });
}

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_TRAINING_METHODS_H_

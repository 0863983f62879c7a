// What a method's caller gives and gets.
#include <algorithm>
#include <array>

#include "fuzz/mutate/plan/change.h"
#include "fuzz/mutate/plan/parts.h"

namespace pteproof::fuzz::plan {
namespace {

// What packs them says how many there are; flat tuples always fit.
bool Flatten(Method& method) {
  method.input_structure.clear();
  method.output_structure.clear();
  return true;
}

// One of the two lists, the outputs more often: they are what a mistake is seen by.
std::vector<int32_t>& EitherList(Method& method, Random& random) {
  return random.OneIn(3) ? method.inputs : method.outputs;
}

bool SwapBoundary(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  return method != nullptr && SwapTwo(EitherList(*method, random), random);
}

bool DropBoundary(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  std::vector<int32_t>& list = EitherList(*method, random);
  if (list.empty()) return false;
  list.erase(list.begin() + static_cast<ptrdiff_t>(random.Below(list.size())));
  return Flatten(*method);
}

bool RepeatBoundary(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  std::vector<int32_t>& list = EitherList(*method, random);
  if (list.empty()) return false;
  list.push_back(int32_t{random.Of(list)});
  return Flatten(*method);
}

// Any value may be given out.
bool ChangeOutput(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr || method->outputs.empty()) return false;
  int32_t& output = random.Of(method->outputs);
  const int32_t before = output;
  output = random.OneIn(4) ? static_cast<int32_t>(random.Below(method->values.size()))
                           : LikeValue(*method, output, random);
  return output != before;
}

bool ChangeInput(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr || method->inputs.empty()) return false;
  int32_t& input = random.Of(method->inputs);
  const int32_t other = LikeValue(*method, input, random);
  const Tensor* tensor = method->TensorOf(other);
  // A constant cannot be given.
  const bool constant =
      tensor != nullptr && !tensor->planned && (tensor->external || tensor->data_index > 0);
  if (other == input || constant) return false;
  input = other;
  return true;
}

constexpr std::array kBoundaryChanges = {
    Change{"swap-inputs-or-outputs", SwapBoundary},
    Change{"drop-input-or-output", DropBoundary},
    Change{"repeat-input-or-output", RepeatBoundary},
    Change{"change-output", ChangeOutput},
    Change{"change-input", ChangeInput},
};

}  // namespace

std::span<const Change> BoundaryChanges() {
  return kBoundaryChanges;
}

}  // namespace pteproof::fuzz::plan

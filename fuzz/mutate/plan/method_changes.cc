// Whole methods.
#include <array>

#include "fuzz/mutate/plan/change.h"
#include "fuzz/mutate/plan/parts.h"

namespace pteproof::fuzz::plan {
namespace {

constexpr size_t kMostMethods = 6;

bool CopyMethod(Program& program, Random& random) {
  const Method* method = AnyMethod(program, random);
  if (method == nullptr || program.methods.size() >= kMostMethods) return false;
  Method copy = *method;
  copy.name += "_";
  for (const Method& other : program.methods) {
    if (other.name == copy.name) return false;
  }
  program.methods.push_back(std::move(copy));
  return true;
}

bool DropMethod(Program& program, Random& random) {
  if (program.methods.size() < 2) return false;
  const size_t at = random.Below(program.methods.size());
  program.methods.erase(program.methods.begin() + static_cast<ptrdiff_t>(at));
  return true;
}

bool SwapMethods(Program& program, Random& random) {
  return SwapTwo(program.methods, random);
}

bool RenameMethod(Program& program, Random& random) {
  static constexpr std::array<std::string_view, 4> kNames = {"forward", "et_init", "decode", "m"};
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  const std::string_view name = random.Of(kNames);
  for (const Method& other : program.methods) {
    if (other.name == name) return false;
  }
  method->name = name;
  return true;
}

constexpr std::array kMethodChanges = {
    Change{"copy-method", CopyMethod},
    Change{"drop-method", DropMethod},
    Change{"swap-methods", SwapMethods},
    Change{"rename-method", RenameMethod},
};

}  // namespace

std::span<const Change> MethodChanges() {
  return kMethodChanges;
}

}  // namespace pteproof::fuzz::plan

// What the runtime can compute beside what the reference can: the same operators.
#include <gtest/gtest.h>

#include "reference/op_meaning.h"
#include "reference/op_schema.h"
#include "runtime/kernels/base/kernel.h"

namespace pteproof {
namespace {

bool HasKernel(std::string_view name) {
  const Kernel* kernel = FindKernel(name);
  return kernel != nullptr && kernel->run != nullptr;
}

TEST(KernelTable, HoldsEveryOperatorWithAMeaning) {
  int operators = 0;
  for (const OpSchema& schema : AllOperators()) {
    if (FindMeaning(schema) == nullptr) continue;
    ++operators;
    EXPECT_TRUE(HasKernel(schema.name)) << schema.name;
  }
  EXPECT_GE(operators, 320);
}

TEST(KernelTable, HoldsNoOperatorWithoutAMeaning) {
  for (const OpSchema& schema : AllOperators()) {
    if (FindMeaning(schema) == nullptr) EXPECT_FALSE(HasKernel(schema.name)) << schema.name;
  }
}

}  // namespace
}  // namespace pteproof

// What a verdict takes for granted: the stores that the manifest does not state.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;

constexpr std::string_view kStores = "the program has all stores of the source model";

// Stores its input to buffer 'memory'.
Method PutMemory(const std::string& name) {
  MethodBuilder b(name);
  const int32_t memory = b.Planned(2, 0, {4}, "memory");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.Copy(memory, x);
  b.Output(x);
  return b.Build();
}

// Computes something, and keeps nothing.
Method Doubling(const std::string& name) {
  MethodBuilder b(name);
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t out = b.Planned(1, 16, {4});
  b.Add(x, x, out);
  b.Output(out);
  return b.Build();
}

std::vector<std::string> AssumptionsWith(std::vector<Method> methods, std::string_view manifest) {
  return CheckWith(ProgramOf(std::move(methods)), manifest).assumptions;
}

TEST(AssumedStores, NameAFewMethodsOnly) {
  std::vector<Method> methods = {PutMemory("put")};
  for (int i = 0; i < 10; ++i) methods.push_back(Doubling("m" + std::to_string(i)));
  EXPECT_THAT(AssumptionsWith(std::move(methods),
                              R"({"pteproof": 1, "methods": {"put": {"mutates": ["memory"]}}})"),
              ElementsAre(std::string(kStores) +
                          " in 'm0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7' and 2 more"));
}

}  // namespace
}  // namespace pteproof

// How much of what is drawn has a functional form: the law about functionalizing says nothing of
// the rest.
#include "reference/graph/functionalize.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"

namespace pteproof::generators {
namespace {

TEST(Functionalizing, IsRefusedForFewMutatingModules) {
  int mutating = 0;
  int refused = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const graph::Module module = BuildModule(DrawCase(seed));
    if (std::ranges::none_of(module.methods, graph::HasMutation, &graph::Method::body)) continue;
    ++mutating;
    if (!graph::Functionalize(module).ok()) ++refused;
  }
  EXPECT_GT(mutating, 900);
  EXPECT_LT(refused * 20, mutating) << "a twentieth or more of " << mutating;
}

}  // namespace
}  // namespace pteproof::generators

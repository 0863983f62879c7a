#include "tests/support/plan_text.h"

#include <gtest/gtest.h>

#include <utility>

#include "reference/graph/parse.h"

namespace pteproof::planner {

graph::Module ModuleOf(const std::string& text) {
  auto module = graph::Parse(text);
  EXPECT_TRUE(module.ok()) << module.error().message;
  return std::move(module).value();
}

Planned PlanOf(const std::string& text, const PlanOptions& options) {
  auto planned = Plan(ModuleOf(text), options);
  EXPECT_TRUE(planned.ok()) << planned.error().what;
  return std::move(planned).value();
}

std::string ErrorOf(const std::string& text, const PlanOptions& options) {
  const auto planned = Plan(ModuleOf(text), options);
  return planned.ok() ? "" : planned.error().what;
}

}  // namespace pteproof::planner

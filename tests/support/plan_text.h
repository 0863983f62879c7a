// Plans of Modules that are written as text.
#ifndef PTEPROOF_TESTS_SUPPORT_PLAN_TEXT_H_
#define PTEPROOF_TESTS_SUPPORT_PLAN_TEXT_H_

#include <string>

#include "planner/plan.h"

namespace pteproof::planner {

// Each adds a failure where the text is no Module.
[[nodiscard]] graph::Module ModuleOf(const std::string& text);
// Also where it has no plan.
[[nodiscard]] Planned PlanOf(const std::string& text, const PlanOptions& options = {});
// Why there is no plan; empty: there is one.
[[nodiscard]] std::string ErrorOf(const std::string& text, const PlanOptions& options);

}  // namespace pteproof::planner

#endif  // PTEPROOF_TESTS_SUPPORT_PLAN_TEXT_H_

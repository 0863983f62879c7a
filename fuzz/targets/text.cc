// A text of a program: a program or the first reasons why not; printed and read again it is the
// same. A Module's text: a Module or the first reason why not; printed and read again it is the
// same. A Module that can be planned has a plan in which the check finds no error. Data that it
// refers to are zeros.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/bounds.h"
#include "fuzz/require.h"
#include "fuzz/targets/targets.h"
#include "fuzz/vocabulary.h"
#include "planner/plan.h"
#include "pteproof/check.h"
#include "reference/graph/parse.h"
#include "reference/graph/print.h"
#include "reference/graph/validate.h"
#include "runtime/pteasm/assemble.h"
#include "runtime/pteasm/print.h"
#include "runtime/same_program.h"

namespace pteproof::fuzz {
namespace {

void RequireSoundPlan(const Program& program, Policy policy) {
  for (const Finding& finding : Check(program).findings) {
    if (finding.severity != Severity::kError || !finding.policies.Has(policy)) continue;
    Fail("a plan of our own is safe", fmt::format("{}: {}", finding.rule, finding.explanation));
  }
}

Result<std::optional<TensorBytes>, std::string> ZerosOf(const graph::DataRef& ref) {
  constexpr int64_t kMost = 1 << 16;
  if (ref.bytes > kMost) return std::string("too many");
  return std::optional(TensorBytes(std::vector<std::byte>(static_cast<size_t>(ref.bytes))));
}

void RequireReasons(const std::vector<pteasm::TextError>& errors) {
  Require(!errors.empty(), "a refusal has a reason");
  for (const pteasm::TextError& error : errors) {
    Require(error.line >= 1 && error.column >= 1 && !error.message.empty(),
            "a refusal says what and where");
  }
}

Stage FuzzAssembly(std::string_view text) {
  const auto made = pteasm::Assemble(text, ZerosOf);
  if (!made.ok()) {
    RequireReasons(made.error());
    return Stage::kRefused;
  }
  const Program& program = made.value().text.program;
  const std::string printed = pteasm::Print(program);
  const auto again = pteasm::Assemble(printed, text::NoData);
  if (!again.ok()) Fail("what was printed can be read", again.error().front().message);
  const std::string difference = ProgramDifference(program, again.value().text.program);
  if (!difference.empty()) Fail("a text reads back as the same program", difference);
  Require(pteasm::Print(again.value().text.program) == printed, "printing changes nothing");
  return Stage::kRead;
}

}  // namespace

Stage FuzzText(Bytes input) {
  const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  if (IsAssemblyText(text)) return FuzzAssembly(text);
  const auto module = graph::Parse(text, ZerosOf);
  if (!module.ok()) {
    const graph::ParseError& error = module.error();
    Require(error.line >= 1 && error.column >= 1 && !error.message.empty(),
            "a refusal says what and where");
    return Stage::kRefused;
  }
  Require(graph::Validate(module.value()).empty(), "what was parsed is well-formed");
  const std::string printed = graph::Print(module.value());
  const auto again = graph::Parse(printed, ZerosOf);
  if (!again.ok()) Fail("what was printed can be parsed", again.error().message);
  Require(graph::Print(again.value()) == printed, "printing changes nothing");
  planner::PlanOptions options;
  options.algorithm = placement::Algorithm::kFirstFit;
  const auto planned = planner::Plan(module.value(), options);
  if (!planned.ok()) {
    Require(!planned.error().what.empty(), "a refusal has a reason");
    return Stage::kRead;
  }
  RequireSoundPlan(planned.value().program, options.policy);
  return Stage::kJudged;
}

}  // namespace pteproof::fuzz

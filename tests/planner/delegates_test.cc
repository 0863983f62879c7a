// Buffers that delegates have to do with: one that a delegate owns, one that is passed in and out,
// one that it uses beside operators; and what is told of a delegate that hides a write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/manifest/of_module.h"
#include "pteproof/check.h"
#include "tests/support/plan_text.h"

namespace pteproof::planner {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// Per argument of the method's only delegate call: the buffer's name, else "input", "output" or "".
std::vector<std::string> DelegateArguments(const Method& method) {
  std::vector<std::string> arguments;
  for (const Instruction& instruction : method.instructions) {
    if (instruction.kind != InstructionKind::kDelegateCall) continue;
    for (const int32_t v : method.Ints(instruction.args)) {
      arguments.emplace_back(method.NameOf(v));
      if (std::ranges::find(method.inputs, v) != method.inputs.end()) arguments.back() = "input";
      if (std::ranges::find(method.outputs, v) != method.outputs.end()) arguments.back() = "output";
    }
  }
  return arguments;
}

// Rule names of errors and of notes that something is not provable, with the Module's manifest or
// from the file alone.
std::vector<std::string> TroubleOf(const Program& program, const graph::Module* module) {
  Manifest manifest;
  if (module != nullptr) manifest = ManifestOf(*module, {.policy = Policy::kShare12}).value();
  std::vector<std::string> rules;
  const CheckOptions options = {.manifest = module == nullptr ? nullptr : &manifest};
  for (const Finding& finding : Check(program, options).findings) {
    const bool counts = finding.severity == Severity::kError || finding.rule == rule::kNotProvable;
    if (counts && finding.policies.Has(Policy::kShare12)) rules.emplace_back(finding.rule);
  }
  return rules;
}

constexpr const char* kOwner = R"(
buffer @own: float32[8]
method run(%x: float32[4]) {
  %0: float32[4] = delegate "Accelerator"(%x) owns(@own writes)
  return %0
}
)";

TEST(DelegateTest, WhatItOwnsIsNotInTheFile) {
  const graph::Module module = ModuleOf(kOwner);
  const Planned planned = PlanOf(kOwner);
  EXPECT_THAT(DelegateArguments(planned.program.methods[0]), ElementsAre("input", "output"));
  EXPECT_EQ(planned.program.methods[0].bank_sizes.size(), 2U);
  EXPECT_THAT(TroubleOf(planned.program, &module), IsEmpty());
}

constexpr const char* kPasser = R"(
buffer @passed: float32[4] shared
method run(%x: float32[4]) {
  %0: float32[4] = delegate "Accelerator"(%x) shares(@passed writes)
  return %0
}
method get() {
  %0 = entry @passed
  return %0
}
)";

TEST(DelegateTest, WhatIsPassedInComesOutAndIsStored) {
  const graph::Module module = ModuleOf(kPasser);
  const Planned planned = PlanOf(kPasser);
  const Method& run = planned.program.methods[0];
  EXPECT_THAT(DelegateArguments(run), ElementsAre("input", "passed", "output", ""));
  ASSERT_EQ(run.instructions.size(), 2U);
  const auto store = run.Ints(run.instructions[1].args);
  EXPECT_EQ(run.NameOf(store.front()), "passed");
  EXPECT_THAT(TroubleOf(planned.program, &module), IsEmpty());
}

constexpr const char* kUser = R"(
buffer @common: float32[4] shared
method run(%x: float32[4]) {
  %0 = entry @common
  %1: float32[4] = delegate "Accelerator"(%x) uses(@common)
  %2: float32[4] = aten::add.out(%1, %0, 1)
  return %2
  store @common = %2
}
method get() {
  %0 = entry @common
  return %0
}
)";

TEST(DelegateTest, WhatItUsesBesideOperatorsIsOneBuffer) {
  const graph::Module module = ModuleOf(kUser);
  const Planned planned = PlanOf(kUser);
  const Method& run = planned.program.methods[0];
  EXPECT_THAT(DelegateArguments(run), ElementsAre("input", "common", ""));
  const auto named = [&](const Tensor& tensor) { return run.Text(tensor.name) == "common"; };
  EXPECT_EQ(std::ranges::count_if(run.tensors, named), 1);
  EXPECT_THAT(TroubleOf(planned.program, &module), IsEmpty());
}

// The program is made as if the delegate left the buffer alone: its new contents come out of it and
// nobody stores them.
Planned WithHiddenWrite() {
  Planned planned = PlanOf(kPasser);
  planned.program.methods[0].instructions.pop_back();
  return planned;
}

TEST(DelegateTest, AHiddenWriteIsNotProvableFromTheFile) {
  EXPECT_THAT(TroubleOf(WithHiddenWrite().program, nullptr), Contains(rule::kNotProvable));
}

TEST(DelegateTest, AHiddenWriteIsAnErrorWithAManifest) {
  const graph::Module module = ModuleOf(kPasser);
  EXPECT_THAT(TroubleOf(WithHiddenWrite().program, &module), Contains(rule::kWriteBackMissing));
}

// XNNPACK reads up to 64 bytes behind its operands.
std::string WithDelegate(const std::string& id) {
  return R"(
buffer @kept: float32[4] shared
method run(%x: float32[4]) {
  %0: float32[4] = delegate ")" +
         id + R"("(%x) shares(@kept writes)
  return %0
}
method get() {
  %0 = entry @kept
  return %0
}
)";
}

TEST(DelegateTest, BanksEndWithRoomForXnnpack) {
  const Program with = PlanOf(WithDelegate("XnnpackBackend")).program;
  const Program without = PlanOf(WithDelegate("Accelerator")).program;
  for (const uint32_t bank : {1U, 2U}) {
    const uint64_t before = without.methods[0].bank_sizes[bank];
    EXPECT_GT(before, 0U);
    EXPECT_EQ(with.methods[0].bank_sizes[bank], before + 64) << bank;
  }
  EXPECT_EQ(with.methods[1].bank_sizes[2], with.methods[0].bank_sizes[2]);
  for (const BankUse& use : Check(with).banks) {
    if (use.method == "run") EXPECT_EQ(use.guard, 64U) << use.bank;
  }
}

TEST(DelegateTest, ABankOfSoManyBytesHasRoomForXnnpackToo) {
  const std::string text = WithDelegate("XnnpackBackend");
  PlanOptions options;
  options.banks = {{{"only", 112, 16}, 1}};
  EXPECT_LE(PlanOf(text, options).program.methods[0].bank_sizes[1], 112U);
  options.banks[0].bank.capacity = 64;
  EXPECT_THAT(ErrorOf(text, options), testing::HasSubstr("bank 'only' of 64 bytes"));
}

}  // namespace
}  // namespace pteproof::planner

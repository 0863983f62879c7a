// What callers may choose, each choice worked by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "planner/plan.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "runtime/devices.h"
#include "tests/support/plan_text.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> OperatorsOf(const Method& method) {
  std::vector<std::string> names;
  for (const Instruction& instruction : method.instructions) {
    names.push_back(method.operators[static_cast<size_t>(instruction.target)].name);
  }
  return names;
}

// "bank:offset", or "nowhere".
std::string PlaceOf(const Method& method, int32_t value) {
  const Tensor& tensor = *method.TensorOf(value);
  if (!tensor.planned) return "nowhere";
  return std::to_string(tensor.bank) + ":" + std::to_string(tensor.offset);
}

TEST(StoreOperatorTest, IsChosenPerBank) {
  const std::string text = R"(
buffer @own: float32[4]
buffer @common: float32[4] shared
method put(%x: float32[4]) {
  return
  store @own = %x
  store @common = %x
}
method get() {
  %0 = entry @common
  return %0
}
)";
  PlanOptions options;
  options.store_operators = {{kSharedBank, "vendor::upload"}};
  const Planned planned = PlanOf(text, options);
  EXPECT_THAT(OperatorsOf(planned.program.methods[0]),
              testing::UnorderedElementsAre("vendor::upload", "aten::copy_"));
}

// A loader that shares all banks sets the memory of outputs after that of inputs: what comes back
// in an input that is not planned would be lost.
TEST(UnplannedInputs, AreNotOutputsOfALoaderThatSharesAllBanks) {
  PlanOptions options;
  options.plan_inputs = false;
  for (const std::string text : {
           "method f(%x: float32[4]) {\n  return %x\n}\n",
           "method f(%x: float32[4]) {\n  %0: float32[2,2] = aten::view_copy.out(%x, [2, 2])\n"
           "  return %0\n}\n",
           "method f(%x: float32[4] in_place) {\n  %0: float32[4] = aten::relu.out(%x)\n"
           "  return %0\n}\n",
       }) {
    const auto share_memory = [&](Policy policy) {
      options.policy = policy;
      const Planned planned = PlanOf(text, options);
      const Method& method = planned.program.methods.front();
      EXPECT_EQ(PlaceOf(method, method.inputs.front()), "nowhere");
      return PlaceOf(method, method.outputs.front()) == "nowhere";
    };
    EXPECT_TRUE(share_memory(Policy::kShare12)) << text;
    EXPECT_FALSE(share_memory(Policy::kShareAll)) << text;
  }
}

constexpr const char* kPools = R"(
method f(%x: float32[1024]) {
  %0: float32[1024] = aten::neg.out(%x) pool("fast")
  %1: float32[1024] = aten::exp.out(%0)
  %2: float32[1024] = aten::mul.out(%1, %0)
  return %2
}
)";

PlanOptions TwoBankOptions() {
  PlanOptions options;
  options.passes.in_place = false;
  options.banks = {{{"slow", 1 << 20, 16}, 1}, {{"quick", 4096, 16}, 4}};
  return options;
}

TEST(PoolTest, ABankOfItsNameIsPreferred) {
  PlanOptions options = TwoBankOptions();
  options.banks[1].bank.name = "fast";
  EXPECT_EQ(PlanOf(kPools, options).program.methods[0].bank_sizes[4], 4096U);
}

TEST(PoolTest, WhatDoesNotFitItsBankGoesToOthers) {
  PlanOptions options = TwoBankOptions();
  options.banks[1].bank = {"fast", 1024, 16};
  EXPECT_EQ(PlanOf(kPools, options).program.methods[0].bank_sizes.size(), 2U);
}

TEST(PoolTest, WithoutSuchABankTheOrderOfBanksDecides) {
  EXPECT_EQ(PlanOf(kPools, TwoBankOptions()).program.methods[0].bank_sizes.size(), 2U);
}

// The values between the copies lie there, and the delegate is made for it.
TEST(PoolTest, ABankMayLieOnADevice) {
  PlanOptions options;
  options.banks = {{{"host"}, 1}, {.bank = {"there"}, .memory_id = 4, .on_device = true}};
  const Planned planned = PlanOf(R"(
method f(%x: float32[4]) {
  %0: float32[4] = et_copy::_h2d_copy.out(%x) pool("there")
  %1: float32[4] = delegate "npu"(%0) pool("there")
  %2: float32[4] = et_copy::_d2h_copy.out(%1)
  return %2
}
method g(%x: float32[4]) {
  %0: float32[4] = delegate "npu"(%x)
  return %0
}
)",
                                 options);
  const Method& f = planned.program.methods[0];
  ASSERT_EQ(f.bank_devices.size(), 1U);
  EXPECT_EQ(f.bank_devices[0].bank, 4);
  EXPECT_EQ(f.bank_devices[0].device_type, 1);
  ASSERT_EQ(f.delegates.at(0).specs.size(), 1U);
  EXPECT_EQ(f.delegates[0].specs[0].key, "target_device");
  EXPECT_EQ(DeviceOfDelegate(f.delegates[0]), (Device{.type = 1, .index = 0}));
  const Method& g = planned.program.methods[1];
  EXPECT_TRUE(g.bank_devices.empty());
  EXPECT_TRUE(g.delegates.at(0).specs.empty());
}

TEST(PoolTest, ABankOfValuesWithoutElementsExists) {
  PlanOptions options;
  options.banks = {{{"slow"}, 1}, {{"fast"}, 4}};
  const Planned planned = PlanOf(R"(
method f(%x: float32[0]) {
  %0: float32[0] = aten::neg.out(%x) pool("fast")
  return %0
}
)",
                                 options);
  EXPECT_THAT(planned.program.methods[0].bank_sizes, ElementsAre(0, 0, 0, 0, 0));
}

TEST(PoolTest, ACallbackSaysWhatAPoolStandsFor) {
  PlanOptions options = TwoBankOptions();
  std::string known = "fast";
  options.pools = [&](const std::string& pool) -> std::optional<placement::Preference> {
    return pool == known ? std::optional(placement::Preference{1, 0}) : std::nullopt;
  };
  EXPECT_EQ(PlanOf(kPools, options).program.methods[0].bank_sizes[4], 4096U);
  known = "other";
  EXPECT_THAT(ErrorOf(kPools, options), HasSubstr("pool"));
}

// One behind the other from the end: what nobody's algorithm gives.
placement::Layout<int64_t> Stacked(std::span<const placement::Item<int64_t>> items) {
  placement::Layout<int64_t> layout;
  layout.offsets.resize(items.size());
  for (size_t i = items.size(); i-- > 0;) {
    layout.offsets[i] = layout.peak;
    layout.peak += (items[i].size + 63) / 64 * 64;
  }
  return layout;
}

TEST(PlacerTest, MayBeTheCallers) {
  PlanOptions options;
  options.passes.in_place = false;
  options.placer = Stacked;
  const Planned planned = PlanOf(kPools, options);
  EXPECT_EQ(planned.report[0].peak, 4 * 4096);
  EXPECT_EQ(PlaceOf(planned.program.methods[0], planned.program.methods[0].outputs[0]), "1:0");
}

TEST(PlacerTest, IsNotTrusted) {
  PlanOptions options;
  options.placer = [](std::span<const placement::Item<int64_t>> items) {
    return placement::Layout<int64_t>{std::vector<int64_t>(items.size(), 0), 4096};
  };
  options.passes.in_place = false;
  EXPECT_THAT(ErrorOf(kPools, options), HasSubstr("share"));
}

constexpr const char* kNegated = R"(
method f(%x: float32[4], %y: float32[4]) {
  %0: float32[4] = aten::neg.out(%y)
  %1: float32[4] = aten::mul.out(%x, %0)
  return %1
}
)";

TEST(OverlayTest, AnOutputLiesOverAnInput) {
  PlanOptions options;
  options.passes.in_place = false;
  options.overlays = {{"f", 0, 0}};
  const Method method = PlanOf(kNegated, options).program.methods[0];
  EXPECT_EQ(PlaceOf(method, method.outputs[0]), PlaceOf(method, method.inputs[0]));
}

TEST(OverlayTest, OfUnplannedOnesThereIsNoPlaceAndNobodyElseHasIt) {
  PlanOptions options;
  options.plan_inputs = options.plan_outputs = false;
  options.overlays = {{"f", 0, 0}};
  const Method method = PlanOf(kNegated, options).program.methods[0];
  EXPECT_EQ(PlaceOf(method, method.outputs[0]), "nowhere");
  int64_t unplanned = 0;
  for (const Tensor& tensor : method.tensors) unplanned += tensor.planned ? 0 : 1;
  EXPECT_EQ(unplanned, 3);  // two inputs and the output
}

TEST(OverlayTest, IsRefusedWhereTheInputIsReadLater) {
  PlanOptions options;
  options.overlays = {{"f", 0, 0}};
  EXPECT_THAT(ErrorOf(R"(
method f(%x: float32[4], %y: float32[4]) {
  %0: float32[4] = aten::neg.out(%y)
  %1: float32[4] = aten::mul.out(%x, %0)
  return %0, %1
}
)",
                      options),
              HasSubstr("output 0 cannot have the memory of input 0"));
}

TEST(OverlayTest, PositionsMustBeThere) {
  PlanOptions options;
  options.overlays = {{"f", 1, 0}};
  EXPECT_THAT(ErrorOf(kNegated, options), HasSubstr("the method has no output 1"));
  options.overlays = {{"g", 0, 0}};
  EXPECT_THAT(ErrorOf(kNegated, options), HasSubstr("the method does not exist"));
  options.overlays = {{"f", 0, 0}};
  options.plan_inputs = false;
  EXPECT_THAT(ErrorOf(kNegated, options), HasSubstr("if both are planned or neither is"));
}

// et_module_init would be a second user of what the policy keeps apart.
TEST(ModuleInitTest, CannotBeHadUnderThePolicyPrivate) {
  PlanOptions options;
  options.policy = Policy::kPrivate;
  options.module_init = true;
  const std::string text = R"(
buffer @k: float32[1] shared = [2.0]
method f(%x: float32[1]) {
  %0 = entry @k
  return %0
  store @k = %x
}
)";
  EXPECT_THAT(ErrorOf(text, options), HasSubstr("Under the policy private"));
  options.policy = Policy::kShare12;
  options.initial = InitialState::kFile;
  EXPECT_THAT(ErrorOf(text, options), HasSubstr("choose one"));
}

TEST(PlanTest, AModuleWithoutMethodsHasNoProgram) {
  EXPECT_THAT(ErrorOf("buffer @k: float32[1]", PlanOptions()), HasSubstr("no method"));
}

const std::string kMutatesInput = R"(
method f(%x: float32[2]) {
  %1: float32[2] = aten::add.out(%x, %x, 1)
  return %1
  store %x = %1
}
)";

TEST(MutatedInputsTest, AreRefusedWhereALoaderReplacesTheirMemory) {
  PlanOptions options;
  options.plan_inputs = options.plan_outputs = false;
  options.policy = Policy::kShareAll;
  EXPECT_THAT(ErrorOf(kMutatesInput, options), HasSubstr("input %x is mutated"));
}

TEST(MutatedInputsTest, ArePlannedForOtherLoadersAndInBanks) {
  PlanOptions options;
  options.policy = Policy::kShareAll;
  EXPECT_EQ(PlanOf(kMutatesInput, options).program.methods.size(), 1U);
  options.plan_inputs = options.plan_outputs = false;
  options.policy = Policy::kShare12;
  EXPECT_EQ(PlanOf(kMutatesInput, options).program.methods.size(), 1U);
}

TEST(UnplannedBuffersTest, HaveANameAndNoPlaceNorValue) {
  PlanOptions options;
  options.plan_buffers = false;
  const Planned planned = PlanOf(R"(
buffer @own: float32[2] = [3.0, 4.0]
method f(%x: float32[2]) {
  %0 = entry @own
  %1: float32[2] = aten::add.out(%0, %x, 1)
  return %1
  store @own = %1
}
)",
                                 options);
  ASSERT_EQ(planned.warnings.size(), 1U);
  EXPECT_THAT(planned.warnings.front(), HasSubstr("buffer 'own' is not planned"));
  const auto bytes = WriteProgram(planned.program);
  ASSERT_TRUE(bytes.ok()) << bytes.error();
  const auto read = ReadProgram(bytes.value());
  ASSERT_TRUE(read.ok());
  const Method& method = read.value().methods[0];
  const auto own = std::ranges::find(
      method.tensors, "own", [&](const Tensor& tensor) { return method.Text(tensor.name); });
  ASSERT_NE(own, method.tensors.end());
  EXPECT_FALSE(own->planned);
  EXPECT_EQ(own->data_index, 0U);
}

// data_buffer_idx and allocation: none, one of them, both.
TEST(InitialDataTest, AllFourCasesAreWrittenAndReadBack) {
  PlanOptions options;
  options.plan_inputs = false;
  const Planned planned = PlanOf(R"(
buffer @weight: float32[2] = [5.0, 6.0]
buffer @own: float32[2] = [3.0, 4.0]
method f(%x: float32[2]) {
  %0 = entry @own
  %1 = entry @weight
  %2: float32[2] = aten::add.out(%0, %1, 1)
  %3: float32[2] = aten::mul.out(%2, %x)
  return %3
  store @own = %2
}
)",
                                 options);
  const auto bytes = WriteProgram(planned.program);
  ASSERT_TRUE(bytes.ok()) << bytes.error();
  const auto read = ReadProgram(bytes.value());
  ASSERT_TRUE(read.ok());
  std::map<std::pair<bool, bool>, int> tensors;  // by: has data, is planned
  for (const Tensor& t : read.value().methods[0].tensors) ++tensors[{t.data_index > 0, t.planned}];
  EXPECT_EQ((tensors[{false, false}]), 1) << "the input";
  EXPECT_GE((tensors[{false, true}]), 1) << "the output";
  EXPECT_EQ((tensors[{true, false}]), 1) << "the weight";
  EXPECT_EQ((tensors[{true, true}]), 1) << "the state";
}

}  // namespace
}  // namespace pteproof::planner

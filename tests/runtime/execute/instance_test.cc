#include "runtime/execute/instance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <cstring>
#include <vector>

#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr uint64_t kBytes = 16;  // of a buffer, and of an argument

std::vector<std::byte> Pattern(uint8_t first) {
  std::vector<std::byte> bytes(kBytes);
  for (size_t b = 0; b < kBytes; ++b) bytes[b] = std::byte{static_cast<uint8_t>(first + b)};
  return bytes;
}

// put stores its input in the buffer; get gives it back. The buffer is in bank 2, from `offset` on.
Method Put(uint64_t offset = 0) {
  MethodBuilder b("put");
  const int32_t state = b.Planned(2, offset, {4}, "state");
  const int32_t input = b.Planned(1, 0, {4});
  b.Input(input);
  b.Copy(state, input);
  return b.Build();
}
Method Get(uint64_t offset = 0) {
  MethodBuilder b("get");
  const int32_t state = b.Planned(2, offset, {4}, "state");
  b.Output(state);
  return b.Build();
}

// Both methods have a stored value for the buffer.
Program WithInitialValue(const std::vector<std::byte>& value) {
  Program program = ProgramOf({Put(), Get()});
  program.initial_values = {{}, value};
  for (Method& method : program.methods) method.tensors[0].data_index = 1;
  return program;
}

void CallPut(Instance& instance, std::vector<std::byte> value) {
  LoadedMethod& put = *instance.MethodAt(0).value();
  const std::array<int64_t, 1> sizes = {4};
  RunInput input;
  input.kind = ValueKind::kTensor;
  input.dtype = ScalarType::kFloat32;
  input.sizes = sizes;
  input.data = value;
  ASSERT_FALSE(put.SetInput(0, input));
  ASSERT_FALSE(put.Execute(100));
}

std::vector<std::byte> CallGet(Instance& instance) {
  LoadedMethod& get = *instance.MethodAt(1).value();
  EXPECT_FALSE(get.Execute(100));
  const TensorRef& out = *get.Output(0).tensor;
  const auto bytes = out.memory().bytes().first(kBytes);
  return {bytes.begin(), bytes.end()};
}

TEST(InstanceTest, MethodsShareStateAsThePolicySays) {
  const Program program = ProgramOf({Put(), Get()});
  const std::vector<std::byte> zeros(kBytes);
  for (const Policy policy : {Policy::kPrivate, Policy::kShare12, Policy::kShareAll}) {
    const auto instance = Instance::Load(program, {.policy = policy});
    ASSERT_TRUE(instance.ok());
    EXPECT_EQ(CallGet(*instance.value()), zeros);
    CallPut(*instance.value(), Pattern(1));
    EXPECT_EQ(CallGet(*instance.value()), policy == Policy::kPrivate ? zeros : Pattern(1));
  }
}

TEST(InstanceTest, TwoInstancesDoNotTouchEachOther) {
  const Program program = ProgramOf({Put(), Get()});
  const auto one = Instance::Load(program, {.policy = Policy::kShareAll});
  const auto two = Instance::Load(program, {.policy = Policy::kShareAll});
  CallPut(*one.value(), Pattern(1));
  CallPut(*two.value(), Pattern(7));
  EXPECT_EQ(CallGet(*one.value()), Pattern(1));
  EXPECT_EQ(CallGet(*two.value()), Pattern(7));
}

TEST(InstanceTest, AppliesStoredStateOnceOrAtEachLoad) {
  const std::vector<std::byte> stored = Pattern(40);
  const Program program = WithInitialValue(stored);
  const auto after_late_load = [&](ApplyState apply) {
    const auto instance =
        Instance::Load(program, {.policy = Policy::kShareAll, .apply = apply, .lazy = true});
    CallPut(*instance.value(), Pattern(1));
    return CallGet(*instance.value());  // loads the method that reads
  };
  EXPECT_EQ(after_late_load(ApplyState::kOnce), Pattern(1));
  EXPECT_EQ(after_late_load(ApplyState::kEachLoad), stored);
}

TEST(InstanceTest, ResetGivesTheFirstStateAgain) {
  const std::vector<std::byte> stored = Pattern(40);
  const Program program = WithInitialValue(stored);
  const auto instance = Instance::Load(program, {.policy = Policy::kShareAll});
  EXPECT_EQ(CallGet(*instance.value()), stored);
  CallPut(*instance.value(), Pattern(1));
  instance.value()->ResetState();
  EXPECT_EQ(CallGet(*instance.value()), stored);
}

TEST(InstanceTest, ResetGivesWrittenConstantsTheirFirstContents) {
  const std::vector<std::byte> stored = Pattern(40);
  MethodBuilder put("put");
  const int32_t written = put.Constant(1, {4});
  const int32_t input = put.Planned(1, 0, {4});
  put.Input(input);
  put.Copy(written, input);
  MethodBuilder get("get");
  get.Output(get.Constant(1, {4}));
  Program program = ProgramOf({put.Build(), get.Build()});
  program.constants.emplace_back(stored);
  const auto instance = Instance::Load(program, {.writable_constants = true});
  CallPut(*instance.value(), Pattern(1));
  EXPECT_EQ(CallGet(*instance.value()), Pattern(1));
  instance.value()->ResetState();
  EXPECT_EQ(CallGet(*instance.value()), stored);
}

TEST(InstanceTest, StateWithoutAStoredValueIsZeroUnlessPoisoned) {
  const Program program = ProgramOf({Put(), Get()});
  const auto zeros = Instance::Load(program);
  EXPECT_EQ(CallGet(*zeros.value()), std::vector<std::byte>(kBytes));
  const auto poisoned = Instance::Load(program, {.fill = StateFill::kPoison});
  EXPECT_NE(CallGet(*poisoned.value()), std::vector<std::byte>(kBytes));
}

// Memory that no processor instruction may touch while the program is loaded.
TEST(InstanceTest, BringsInitialStateThroughTheBankAlone) {
  const std::vector<std::byte> stored = Pattern(40);
  const Program program = WithInitialValue(stored);
  constexpr size_t kPage = 4096;
  void* page = mmap(nullptr, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  const std::span device(static_cast<std::byte*>(page), kPage);
  std::vector<std::pair<ptrdiff_t, size_t>> filled;
  std::vector<std::pair<ptrdiff_t, size_t>> copied;
  InstanceOptions options;
  options.policy = Policy::kShareAll;
  options.provide = [&](const BankRequest& request) -> std::optional<Bank> {
    if (request.memory_id != 2) return std::nullopt;
    Bank bank;
    bank.bytes = device;
    bank.copy_in = [&](std::byte* to, const std::byte* from, size_t count) {
      EXPECT_EQ(std::memcmp(from, stored.data(), count), 0);
      copied.emplace_back(to - device.data(), count);
    };
    bank.fill = [&](std::byte* to, std::byte, size_t count) {
      filled.emplace_back(to - device.data(), count);
    };
    return bank;
  };
  EXPECT_TRUE(Instance::Load(program, options).ok());
  EXPECT_THAT(filled, ElementsAre(std::pair<ptrdiff_t, size_t>(0, kBytes)));
  EXPECT_THAT(copied, ElementsAre(std::pair<ptrdiff_t, size_t>(0, kBytes)));
  munmap(page, kPage);
}

// Also where the sizes of a result depend on what a bank holds.
TEST(InstanceTest, LoadingReadsNoBank) {
  MethodBuilder b;
  const int32_t self = b.Planned(1, 0, {4});
  const int32_t mask = b.Planned(1, 16, {4}, {}, ScalarType::kBool);
  const int32_t chosen = b.Planned(1, 32, {4});
  b.Input(self);
  b.Input(mask);
  b.Output(chosen);
  b.Call("aten::index.Tensor_out", {self, b.OptionalTensorList({mask}), chosen, chosen});
  const Program program = ProgramOf({b.Build()});
  constexpr size_t kPage = 4096;
  void* page = mmap(nullptr, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  InstanceOptions options;
  options.provide = [&](const BankRequest&) -> std::optional<Bank> {
    Bank bank;
    bank.bytes = std::span(static_cast<std::byte*>(page), kPage);
    bank.fill = [](std::byte*, std::byte, size_t) {};
    return bank;
  };
  EXPECT_TRUE(Instance::Load(program, options).ok());
  munmap(page, kPage);
}

TEST(InstanceTest, TakesTheLargestOfUnequalBanksUnlessToldToRefuse) {
  MethodBuilder wide("wide");
  wide.Planned(2, 0, {4}, "state");
  wide.Planned(2, 16, {4}, "other");
  const Program program = ProgramOf({wide.Build(), Get()});
  const auto largest = Instance::Load(program, {.policy = Policy::kShareAll});
  ASSERT_TRUE(largest.ok());
  EXPECT_EQ(largest.value()->BankOf(1, 2)->bytes.size(), 32U);
  const auto refused =
      Instance::Load(program, {.policy = Policy::kShareAll, .unequal = UnequalBanks::kRefuse});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().explanation, HasSubstr("16 bytes here and 32 in another"));
}

TEST(InstanceTest, RefusesABufferAtTwoPlacesWhereItIsToldTo) {
  MethodBuilder moved("moved");
  moved.Planned(2, 0, {4}, "other");
  moved.Planned(2, 16, {4}, "state");
  MethodBuilder first("first");
  first.Planned(2, 0, {4}, "state");
  first.Planned(2, 16, {4}, "other");
  const Program program = ProgramOf({first.Build(), moved.Build()});
  const InstanceOptions strict = {.policy = Policy::kShare12, .unequal = UnequalBanks::kRefuse};
  const auto refused = Instance::Load(program, strict);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().explanation, HasSubstr("has another place"));
  EXPECT_TRUE(Instance::Load(program, {.policy = Policy::kShare12}).ok());
}

TEST(InstanceTest, AnotherDevicesMemoryIsTheCallersToGive) {
  Program program = ProgramOf({Get()});
  program.methods[0].bank_devices = {{.bank = 2, .device_type = 1, .device_index = 0}};
  const auto refused = Instance::Load(program);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().explanation, HasSubstr("another device"));
  std::vector<std::byte> memory(kBytes);
  InstanceOptions options;
  options.provide = [&](const BankRequest& request) -> std::optional<Bank> {
    if (request.device_type != 1) return std::nullopt;
    Bank bank;
    bank.bytes = memory;
    return bank;
  };
  EXPECT_TRUE(Instance::Load(program, options).ok());
}

TEST(InstanceTest, RefusesBanksThatAreTooLargeOrTooSmall) {
  Program program = ProgramOf({Get()});
  program.methods[0].bank_sizes[2] = uint64_t{1} << 40;
  const auto large = Instance::Load(program);
  ASSERT_FALSE(large.ok());
  EXPECT_THAT(large.error().explanation, HasSubstr("1099511627776 bytes"));
  program.methods[0].bank_sizes[2] = kBytes - 1;
  const auto small = Instance::Load(program);
  ASSERT_FALSE(small.ok());
  EXPECT_THAT(small.error().explanation, HasSubstr("outside of bank 2"));
}

}  // namespace
}  // namespace pteproof

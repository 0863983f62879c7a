#include "runtime/execute/delegate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "meaning/opaque_calls.h"
#include "runtime/execute/instance.h"
#include "tests/support/method_builder.h"
#include "tests/support/real_file.h"
#include "tests/support/whole_call.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::optional<std::string> Succeed(const DelegateCall&) {
  return std::nullopt;
}

// Every byte of the last tensor becomes the same.
DelegateFunction FillingLast(std::byte value) {
  return [value](const DelegateCall& call) -> std::optional<std::string> {
    const TensorRef& last = *call.args.back()->tensor;
    std::ranges::fill(last.memory().writable_bytes().first(ByteCount(last)), value);
    return std::nullopt;
  };
}

// state = in; a delegate makes out of in; state = out.
Method WithDelegate() {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  const int32_t out = b.Planned(1, 16, {4});
  const int32_t state = b.Planned(2, 0, {4}, "state");
  b.Input(in);
  b.Output(out);
  b.Copy(state, in);
  b.Delegate({in, out});
  b.Copy(state, out);
  return b.Build();
}

// With the operands and results of calls as the file tells them.
Result<std::unique_ptr<Instance>, RunFault> Load(const Program& program, InstanceOptions options) {
  options.opaque_calls = meaning::OpaqueCallsOf(program, nullptr);
  return Instance::Load(program, options);
}

TEST(DelegateTest, IsNotLoadedIfItsOperandsAndResultsAreNotGiven) {
  const Program program = ProgramOf({WithDelegate()});
  for (const KernelSet kernels : {KernelSet::kReal, KernelSet::kHash}) {
    const InstanceOptions options = {.kernels = kernels, .delegates = {{"TestBackend", Succeed}}};
    const auto refused = Instance::Load(program, options);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, RunFault::Kind::kRefused);
    EXPECT_EQ(refused.error().instruction, 1);
    EXPECT_THAT(refused.error().explanation, HasSubstr("not given for the call of 'TestBackend'"));
    EXPECT_TRUE(Load(program, options).ok());
  }
}

TEST(DelegateTest, RealRunsNeedEveryBackend) {
  const Program program = ProgramOf({WithDelegate()});
  for (const std::string registered : {"", "OtherBackend"}) {
    const auto refused = Instance::Load(program, {.delegates = {{registered, Succeed}}});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, RunFault::Kind::kUnknown);
    EXPECT_EQ(refused.error().op, "TestBackend");
    EXPECT_EQ(refused.error().instruction, 1);
    EXPECT_THAT(refused.error().explanation, HasSubstr("delegate 'TestBackend' is not registered"));
  }
  EXPECT_FALSE(Instance::Load(program, {.delegates = {{"TestBackend", nullptr}}}).ok());
  EXPECT_TRUE(Load(program, {.delegates = {{"TestBackend", Succeed}}}).ok());
}

TEST(DelegateTest, IsGivenWhatTheProgramHasForIt) {
  Method method = WithDelegate();
  const std::vector<std::byte> blob(3, std::byte{7});
  const std::vector<std::byte> spec(2, std::byte{8});
  method.delegates[0].blob = blob;
  method.delegates[0].specs = {{"threads", spec}};
  const Program program = ProgramOf({method});
  int calls = 0;
  const auto look = [&](const DelegateCall& call) -> std::optional<std::string> {
    ++calls;
    EXPECT_EQ(call.id, "TestBackend");
    EXPECT_EQ(call.blob.data(), blob.data());
    EXPECT_EQ(call.blob.size(), blob.size());
    EXPECT_EQ(call.specs.size(), 1U);
    EXPECT_EQ(call.specs[0].key, "threads");
    EXPECT_EQ(call.args.size(), 2U);
    std::ranges::copy(call.args[0]->tensor->memory().bytes().first(16),
                      call.args[1]->tensor->memory().writable_bytes().begin());
    return std::nullopt;
  };
  const auto instance = Load(program, {.delegates = {{"TestBackend", look}}});
  LoadedMethod& loaded = *instance.value()->MethodAt(0).value();
  WholeCall call(method, 3);
  ASSERT_FALSE(call.Make(loaded));
  EXPECT_EQ(calls, 1);
  EXPECT_THAT(OutputBytes(loaded), ElementsAre(call.bytes(0)));
}

TEST(DelegateTest, OneThatFailsEndsTheCall) {
  const Program program = ProgramOf({WithDelegate()});
  const auto fail = [](const DelegateCall&) { return std::optional<std::string>("it is broken"); };
  const auto instance = Load(program, {.delegates = {{"TestBackend", fail}}});
  LoadedMethod& loaded = *instance.value()->MethodAt(0).value();
  WholeCall call(program.methods[0], 3);
  const auto fault = call.Make(loaded);
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, RunFault::Kind::kRefused);
  EXPECT_EQ(fault->instruction, 1);
  EXPECT_EQ(fault->explanation, "TestBackend: it is broken");
  EXPECT_EQ(BankBytes(*instance.value(), 0)[1], call.bytes(0));
}

TEST(DelegateTest, OneWithoutMemoryIsAFaultOfThatKind) {
  const Program program = ProgramOf({WithDelegate()});
  const auto fail = [](const DelegateCall&) -> std::optional<std::string> {
    throw std::bad_alloc();
  };
  const auto instance = Load(program, {.delegates = {{"TestBackend", fail}}});
  const auto fault = WholeCall(program.methods[0], 3).Make(*instance.value()->MethodAt(0).value());
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, RunFault::Kind::kMemory);
}

TEST(DelegateTest, UnderHashItIsMixedLikeAllElse) {
  const Program program = ProgramOf({WithDelegate()});
  const auto outputs = [&](const DelegateRegistry& delegates) {
    const auto instance = Load(program, {.kernels = KernelSet::kHash, .delegates = delegates});
    LoadedMethod& loaded = *instance.value()->MethodAt(0).value();
    WholeCall call(program.methods[0], 3);
    EXPECT_FALSE(call.Make(loaded));
    return OutputBytes(loaded);
  };
  EXPECT_EQ(outputs({{"TestBackend", FillingLast(std::byte{1})}}), outputs({}));
}

// Exported programs, whose backends' blobs nobody here can run: the test's own one shows where its
// results go, and that it is called with the blob of its call.
TEST(DelegateTest, RunsExportedPrograms) {
  const auto root = OwnRealRoot();
  for (const char* name :
       {"models/xnnpack_methods/xnnpack_methods.pte", "models/xnnpack_partial/xnnpack_partial.pte",
        "models/xnnpack_state/xnnpack_state.pte", "bugs/reader-delegated/reader-delegated.pte"}) {
    SCOPED_TRACE(name);
    const auto file = ReadReal(root, root / name);
    const Program& program = *file->program;
    ASSERT_TRUE(HasDelegate(program));
    EXPECT_FALSE(Instance::Load(program).ok());
    size_t calls = 0;
    const auto fill = [&](const DelegateCall& call) -> std::optional<std::string> {
      ++calls;
      EXPECT_FALSE(call.blob.empty());
      return FillingLast(std::byte{0x3F})(call);
    };
    InstanceOptions options;
    for (const Method& method : program.methods) {
      for (const Delegate& delegate : method.delegates) options.delegates[delegate.id] = fill;
    }
    const auto instance = Load(program, options);
    ASSERT_TRUE(instance.ok()) << instance.error().explanation;
    std::vector<std::vector<std::vector<std::byte>>> rounds;
    for (int round = 0; round < 2; ++round) {
      instance.value()->ResetState();
      for (size_t m = 0; m < program.methods.size(); ++m) {
        LoadedMethod& loaded = *instance.value()->MethodAt(m).value();
        WholeCall call(loaded.method(), 3);
        const auto fault = call.Make(loaded);
        ASSERT_FALSE(fault) << fault->explanation;
        rounds.push_back(OutputBytes(loaded));
      }
    }
    EXPECT_GT(calls, 0U);
    for (size_t m = 0; m < program.methods.size(); ++m) {
      EXPECT_EQ(rounds[m], rounds[m + program.methods.size()]);
    }
  }
}

}  // namespace
}  // namespace pteproof

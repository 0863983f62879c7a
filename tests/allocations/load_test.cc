// Loading programs while memory runs out: every allocation fails once.
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "meaning/opaque_calls.h"
#include "runtime/execute/instance.h"
#include "tests/allocations/failing_new.h"
#include "tests/support/method_builder.h"
#include "tests/support/real_file.h"
#include "tests/support/whole_call.h"

namespace pteproof {
namespace {

std::unique_ptr<const RealFile> LoadedModel(const std::string& name) {
  const auto root = OwnRealRoot() / "models";
  return ReadReal(root, root / name / (name + ".pte"));
}

constexpr const char* kLoadedModels[] = {"counter_initialized", "cond_state", "quantized_mlp",
                                         "initialized_pair", "mapping"};

using Outputs = std::vector<std::vector<std::byte>>;

Outputs OutputsOfCall(Instance& instance, size_t method, uint32_t seed) {
  LoadedMethod& loaded = *instance.MethodAt(method).value();
  WholeCall call(loaded.method(), seed);
  const auto fault = call.Make(loaded);
  EXPECT_FALSE(fault) << fault->explanation;
  return OutputBytes(loaded);
}

TEST(AllocationLoadTest, AnInstanceIsLoadedOrMemoryRanOut) {
  for (const char* name : kLoadedModels) {
    SCOPED_TRACE(name);
    const auto file = LoadedModel(name);
    for (const KernelSet kernels : {KernelSet::kReal, KernelSet::kHash}) {
      const InstanceOptions options = {
          .policy = Policy::kShareAll,
          .kernels = kernels,
          .writable_constants = true,
          .opaque_calls = meaning::OpaqueCallsOf(*file->program, nullptr)};
      const auto load = [&] { return Instance::Load(*file->program, options); };
      for (const Fails which : {Fails::kOne, Fails::kAllFrom}) {
        bool reached = true;
        for (int64_t n = 1; reached; ++n) {
          const auto instance = WithFailure(which, n, reached, load);
          ASSERT_EQ(instance.ok(), !reached) << n;
          if (reached) ASSERT_EQ(instance.error().kind, RunFault::Kind::kMemory) << n;
        }
      }
      EXPECT_TRUE(load().ok());
    }
  }
}

// What was loaded before goes on as if nothing had been.
TEST(AllocationLoadTest, AMethodIsLoadedLaterOrMemoryRanOut) {
  const auto file = LoadedModel("initialized_shared");
  const InstanceOptions options = {.policy = Policy::kShareAll, .lazy = true};
  const auto undisturbed = Instance::Load(*file->program, options);
  OutputsOfCall(*undisturbed.value(), 0, 1);
  const Outputs expected = OutputsOfCall(*undisturbed.value(), 1, 2);
  for (const Fails which : {Fails::kOne, Fails::kAllFrom}) {
    bool reached = true;
    for (int64_t n = 1; reached; ++n) {
      const auto instance = Instance::Load(*file->program, options);
      OutputsOfCall(*instance.value(), 0, 1);
      const auto before = BankBytes(*instance.value(), 0);
      const auto late =
          WithFailure(which, n, reached, [&] { return instance.value()->MethodAt(1); });
      ASSERT_EQ(late.ok(), !reached) << n;
      if (reached) {
        ASSERT_EQ(late.error().kind, RunFault::Kind::kMemory) << n;
        ASSERT_EQ(BankBytes(*instance.value(), 0), before) << n;
      }
      ASSERT_EQ(OutputsOfCall(*instance.value(), 1, 2), expected) << n;
    }
  }
}

TEST(AllocationLoadTest, ResettingStateAllocatesNothing) {
  const auto file = LoadedModel("initialized_shared");
  for (const ApplyState apply : {ApplyState::kOnce, ApplyState::kEachLoad}) {
    const auto instance =
        Instance::Load(*file->program, {.policy = Policy::kShareAll, .apply = apply});
    EXPECT_EQ(AllocationsIn([&] { instance.value()->ResetState(); }), 0);
  }
}

TEST(AllocationLoadTest, BanksThatNoMemoryHoldsAreRefused) {
  MethodBuilder b;
  b.Planned(1, 0, {4});
  Program program = ProgramOf({b.Build()});
  program.methods[0].bank_sizes[1] = uint64_t{1} << 60;
  const auto instance =
      Instance::Load(program, {.limits = {.memory = std::numeric_limits<uint64_t>::max()}});
  ASSERT_FALSE(instance.ok());
  EXPECT_EQ(instance.error().kind, RunFault::Kind::kMemory);
}

}  // namespace
}  // namespace pteproof

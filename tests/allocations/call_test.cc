// Calls while memory runs out, and calls that need none.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "meaning/opaque_calls.h"
#include "properties/oracles/planned_run.h"
#include "properties/oracles/random_inputs.h"
#include "runtime/execute/instance.h"
#include "tests/allocations/failing_new.h"
#include "tests/support/method_builder.h"
#include "tests/support/real_file.h"
#include "tests/support/whole_call.h"

namespace pteproof {
namespace {

std::unique_ptr<const RealFile> CalledModel(const std::string& name) {
  const auto root = OwnRealRoot() / "models";
  return ReadReal(root, root / name / (name + ".pte"));
}

// Whether kernels of the method are lent memory: they order elements, list a mask's places, or pack
// operands of products and convolutions.
bool UsesScratch(const Method& method) {
  constexpr std::array kNames = {"aten::sort",  "aten::topk", "aten::index",       "aten::mm",
                                 "aten::addmm", "aten::bmm",  "aten::convolution", "aten::linear"};
  return std::ranges::any_of(method.operators, [&](const Operator& op) {
    return std::ranges::any_of(kNames, [&](const char* name) { return op.name.starts_with(name); });
  });
}

// Inputs, outputs' memory and all instructions, of every program: only the first call of a method
// may allocate, and only if it uses scratch memory.
TEST(AllocationCallTest, CallsAllocateNothing) {
  int methods = 0;
  for (const auto& file : ReadAllReal(OwnRealRoot() / "models")) {
    for (const KernelSet kernels : {KernelSet::kReal, KernelSet::kHash}) {
      const auto instance = Instance::Load(
          *file->program,
          {.kernels = kernels, .opaque_calls = meaning::OpaqueCallsOf(*file->program, nullptr)});
      if (!instance.ok()) continue;  // delegates, data in other files
      for (size_t m = 0; m < file->program->methods.size(); ++m) {
        SCOPED_TRACE(file->name + " " + file->program->methods[m].name);
        LoadedMethod& loaded = *instance.value()->MethodAt(m).value();
        WholeCall call(loaded.method(), 1);
        std::optional<RunFault> fault;
        const int64_t first = AllocationsIn([&] { fault = call.Make(loaded); });
        if (fault) continue;
        const int64_t second = AllocationsIn([&] { fault = call.Make(loaded); });
        if (!UsesScratch(loaded.method())) EXPECT_EQ(first, 0);
        EXPECT_EQ(second, 0);
        ++methods;
      }
    }
  }
  EXPECT_GT(methods, 200);
}

// Adds the input to the state, sorts it, and adds it once more.
Method Ordering() {
  MethodBuilder b("order");
  const int32_t in = b.Planned(1, 0, {8});
  const int32_t sorted = b.Planned(1, 32, {8});
  const int32_t places = b.Planned(1, 64, {8}, {}, ScalarType::kInt64);
  const int32_t state = b.Planned(2, 0, {8}, "state");
  b.Input(in);
  b.Output(state);
  b.Add(state, in, state);
  b.Call("aten::sort.values",
         {in, b.Int(0), b.Bool(false), sorted, places, b.TensorList({sorted, places})});
  b.Add(state, sorted, state);
  return b.Build();
}

TEST(AllocationCallTest, AKernelWithoutMemoryIsAFaultAndTheNextCallIsRight) {
  const Program program = ProgramOf({Ordering()});
  const auto undisturbed = Instance::Load(program);
  WholeCall call(program.methods[0], 1);
  LoadedMethod& whole = *undisturbed.value()->MethodAt(0).value();
  ASSERT_FALSE(call.Make(whole));
  const auto expected = OutputBytes(whole);
  for (const Fails which : {Fails::kOne, Fails::kAllFrom}) {
    bool reached = true;
    int64_t n = 1;
    for (; reached; ++n) {
      const auto instance = Instance::Load(program);
      LoadedMethod& loaded = *instance.value()->MethodAt(0).value();
      const auto fault = WithFailure(which, n, reached, [&] { return call.Make(loaded); });
      ASSERT_EQ(fault.has_value(), reached);
      if (!reached) break;
      EXPECT_EQ(fault->kind, RunFault::Kind::kMemory);
      // The first addition is done, the second one is not.
      const auto banks = BankBytes(*instance.value(), 0);
      EXPECT_TRUE(std::ranges::equal(banks[1], call.bytes(0)));
      instance.value()->ResetState();
      ASSERT_FALSE(call.Make(loaded));
      EXPECT_EQ(OutputBytes(loaded), expected);
    }
    EXPECT_GT(n, 2);
  }
}

TEST(AllocationCallTest, ScratchThatNoMemoryHoldsIsNotLent) {
  Scratch scratch;
  for (const size_t bytes : {size_t{1} << 60, std::numeric_limits<size_t>::max()}) {
    EXPECT_TRUE(scratch.Lend(bytes).empty());
    EXPECT_EQ(scratch.Lend(16).size(), 16U);
    scratch.TakeBack();
  }
}

// With no memory left, not even a fault's explanation can be told: it is another fault, and no
// exception.
TEST(AllocationCallTest, FaultsNeedNoMemory) {
  MethodBuilder b("a method whose name does not fit into a string itself");
  const int32_t in = b.Planned(1, 0, {4});
  const int32_t out = b.Unplanned({4});
  b.Input(in);
  b.Output(out);
  b.Copy(out, in);
  const Program program = ProgramOf({b.Build()});
  const auto instance = Instance::Load(program);
  LoadedMethod& loaded = *instance.value()->MethodAt(0).value();
  const auto fails = [&](const auto& call) {
    bool reached = false;
    const auto without = WithFailure(Fails::kAllFrom, 1, reached, call);
    const auto with = call();
    return reached && without && without->kind == RunFault::Kind::kMemory && with &&
           with->kind != RunFault::Kind::kMemory && with->method == program.methods[0].name;
  };
  EXPECT_TRUE(fails([&] { return loaded.SetInput(0, {.kind = ValueKind::kInt}); }));
  EXPECT_TRUE(fails([&] { return loaded.SetInput(1, {}); }));
  EXPECT_TRUE(fails([&] { return loaded.SetOutput(0, {}); }));
  EXPECT_TRUE(fails([&] { return loaded.Execute(10); }));  // no input was given
  WholeCall call(program.methods[0], 1);
  EXPECT_TRUE(fails([&] { return call.Make(loaded, 0); }));  // no fuel
  EXPECT_FALSE(call.Make(loaded));
}

// The oracle's calls copy inputs and outputs: each copy may fail.
TEST(AllocationCallTest, APlannedRunGivesTheOutputsOrMemoryRanOut) {
  for (const char* name : {"counter_initialized", "cond_state", "quantized_mlp", "orderings"}) {
    SCOPED_TRACE(name);
    const auto file = CalledModel(name);
    const Program& program = *file->program;
    Random random(7);
    const auto inputs = RandomInputs(program.methods[0], random);
    const auto load = [&] { return PlannedRun::Load(program, {.semantics = Semantics::kHash}); };
    auto undisturbed = load();
    const auto expected = undisturbed.value().Call(0, inputs);
    ASSERT_TRUE(expected.ok()) << expected.error().explanation;
    bool reached = true;
    for (int64_t n = 1; reached; ++n) {
      const auto run = WithFailure(Fails::kAllFrom, n, reached, load);
      ASSERT_EQ(run.ok(), !reached) << n;
      if (reached) ASSERT_EQ(run.error().kind, RunFault::Kind::kMemory) << n;
    }
    reached = true;
    auto run = load();
    for (int64_t n = 1; reached; ++n) {
      run.value().instance().ResetState();
      const auto got =
          WithFailure(Fails::kAllFrom, n, reached, [&] { return run.value().Call(0, inputs); });
      ASSERT_EQ(got.ok(), !reached) << n;
      if (reached) ASSERT_EQ(got.error().kind, RunFault::Kind::kMemory) << n;
      if (!reached) EXPECT_EQ(got.value(), expected.value());
    }
  }
}

}  // namespace
}  // namespace pteproof

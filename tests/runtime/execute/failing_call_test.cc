// Calls that fail half way: banks hold what the instructions before wrote, and nothing torn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "runtime/execute/instance.h"
#include "tests/support/method_builder.h"
#include "tests/support/real_file.h"
#include "tests/support/whole_call.h"

namespace pteproof {
namespace {

// How many instructions of a call ran without a fault. `call` begins with the state after a reset.
int64_t StepsBeforeFault(Instance& instance, LoadedMethod& loaded, WholeCall& call) {
  int64_t runs = 0;  // with so little fuel it runs dry
  int64_t fails = kPlentyOfFuel;
  while (runs + 1 < fails) {
    const int64_t fuel = (runs + fails) / 2;
    instance.ResetState();
    const auto fault = call.Make(loaded, fuel);
    const bool ran_dry = fault && fault->kind == RunFault::Kind::kFuel;
    (ran_dry ? runs : fails) = fuel;
  }
  return runs;
}

// The banks after a call that fails, and after one that stops for want of fuel before the
// instruction at fault.
void ExpectNothingTorn(Instance& instance, size_t method, WholeCall& call) {
  LoadedMethod& loaded = *instance.MethodAt(method).value();
  const int64_t steps = StepsBeforeFault(instance, loaded, call);
  instance.ResetState();
  const auto stopped = call.Make(loaded, steps);
  ASSERT_TRUE(stopped && stopped->kind == RunFault::Kind::kFuel);
  const auto before = BankBytes(instance, method);
  instance.ResetState();
  const auto failed = call.Make(loaded);
  ASSERT_TRUE(failed && failed->kind != RunFault::Kind::kFuel);
  EXPECT_EQ(failed->instruction, stopped->instruction);
  EXPECT_EQ(BankBytes(instance, method), before) << failed->explanation;
}

// Sets all integers of the inputs: 0 is a good index everywhere.
void SetIntegers(const Method& method, WholeCall& call, int64_t number, size_t from) {
  for (size_t n = 0; n < method.inputs.size(); ++n) {
    const Tensor* tensor = method.TensorOf(method.inputs[n]);
    if (tensor == nullptr || tensor->dtype != ScalarType::kInt64) continue;
    auto& bytes = call.bytes(n);
    for (size_t at = from * sizeof number; at < bytes.size(); at += sizeof number) {
      std::memcpy(bytes.data() + at, &number, sizeof number);
    }
  }
}

struct FailingCase {
  const char* name;
  // Adds a call that writes to `target` where `index`, of four, says.
  void (*add)(MethodBuilder& b, int32_t target, int32_t source, int32_t index);
};

constexpr FailingCase kFailingCases[] = {
    {"index_put_", [](MethodBuilder& b, int32_t target, int32_t source,
                      int32_t index) { b.IndexPut(target, index, source); }},
    {"index_put",
     [](MethodBuilder& b, int32_t target, int32_t source, int32_t index) {
       b.Call("aten::index_put.out",
              {source, b.OptionalTensorList({index}), source, b.Bool(false), target, target});
     }},
    {"index",
     [](MethodBuilder& b, int32_t target, int32_t source, int32_t index) {
       b.Call("aten::index.Tensor_out", {source, b.OptionalTensorList({index}), target, target});
     }},
    {"gather",
     [](MethodBuilder& b, int32_t target, int32_t source, int32_t index) {
       b.Call("aten::gather.out", {source, b.Int(0), index, b.Bool(false), target, target});
     }},
    {"scatter",
     [](MethodBuilder& b, int32_t target, int32_t source, int32_t index) {
       b.Call("aten::scatter.src_out", {source, b.Int(0), index, source, target, target});
     }},
    {"scatter a number",
     [](MethodBuilder& b, int32_t target, int32_t source, int32_t index) {
       b.Call("aten::scatter.value_out", {source, b.Int(0), index, b.Int(9), target, target});
     }},
    {"scatter_add",
     [](MethodBuilder& b, int32_t target, int32_t source, int32_t index) {
       b.Call("aten::scatter_add.out", {source, b.Int(0), index, source, target, target});
     }},
    {"index_select",
     [](MethodBuilder& b, int32_t target, int32_t source, int32_t index) {
       b.Call("aten::index_select.out", {source, b.Int(0), index, target, target});
     }},
    {"embedding",
     [](MethodBuilder& b, int32_t, int32_t, int32_t index) {
       const int32_t table = b.Planned(1, 128, {4, 1});
       const int32_t rows = b.Planned(2, 0, {4, 1});  // where the state is
       b.Call("aten::embedding.out",
              {table, index, b.Int(-1), b.Bool(false), b.Bool(false), rows, rows});
     }},
};

// state = source; the call at hand; state = source once more.
Method AroundCall(const FailingCase& failing) {
  MethodBuilder b;
  const int32_t source = b.Planned(1, 0, {4});
  const int32_t index = b.Planned(1, 32, {4}, {}, ScalarType::kInt64);
  const int32_t state = b.Planned(2, 0, {4}, "state");
  const int32_t count = b.Planned(2, 32, {4}, "count");
  b.Input(source);
  b.Input(index);
  b.Output(state);
  b.Add(count, source, count);
  failing.add(b, state, source, index);
  b.Add(count, source, count);
  return b.Build();
}

TEST(FailingCallTest, AnIndexOutOfRangeLeavesItsResultAsItWas) {
  for (const FailingCase& failing : kFailingCases) {
    SCOPED_TRACE(failing.name);
    const Program program = ProgramOf({AroundCall(failing)});
    const auto loaded = Instance::Load(program, {.fill = StateFill::kPoison});
    ASSERT_TRUE(loaded.ok()) << loaded.error().explanation;
    Instance& instance = *loaded.value();
    LoadedMethod& method = *instance.MethodAt(0).value();
    WholeCall good(program.methods[0], 1);
    ASSERT_FALSE(good.Make(method));
    const auto expected = BankBytes(instance, 0);
    // The first two indices are good: what they name would be written first.
    WholeCall bad(program.methods[0], 1);
    SetIntegers(program.methods[0], bad, 4, 2);
    ExpectNothingTorn(instance, 0, bad);
    instance.ResetState();
    ASSERT_FALSE(good.Make(method));
    EXPECT_EQ(BankBytes(instance, 0), expected);
  }
}

// How many elements a mask selects is found out in each call, not once: a result of another static
// size is an error.
TEST(FailingCallTest, AMaskThatSelectsTooManyIsRefused) {
  for (const int32_t room : {0, 2}) {
    MethodBuilder b;
    const int32_t self = b.Planned(1, 0, {4});
    const int32_t mask = b.Planned(1, 16, {4}, {}, ScalarType::kBool);
    const int32_t chosen = b.Planned(1, 32, {room});
    b.Planned(1, 32, {8});
    b.Input(self);
    b.Input(mask);
    b.Output(chosen);
    b.Call("aten::index.Tensor_out", {self, b.OptionalTensorList({mask}), chosen, chosen});
    const Program program = ProgramOf({b.Build()});
    const auto instance = Instance::Load(program);
    LoadedMethod& loaded = *instance.value()->MethodAt(0).value();
    WholeCall call(program.methods[0], 1);
    for (const int32_t selected : {0, 2, 4}) {
      for (int32_t i = 0; i < 4; ++i) {
        call.bytes(1)[static_cast<size_t>(i)] = std::byte{i < selected};
      }
      instance.value()->ResetState();
      EXPECT_EQ(call.Make(loaded).has_value(), selected != room);
      const auto bank = BankBytes(*instance.value(), 0)[0];
      const bool chose = selected == room && room > 0;
      EXPECT_EQ(std::ranges::all_of(std::span(bank).subspan(32),
                                    [](std::byte byte) { return byte == std::byte{0}; }),
                !chose);
    }
  }
}

// Every exported program, with indices that lie outside of anything.
TEST(FailingCallTest, ExportedProgramsLeaveNothingTorn) {
  int failed = 0;
  for (const auto& file : ReadAllReal(OwnRealRoot() / "models")) {
    const auto loaded = Instance::Load(*file->program, {.policy = Policy::kShareAll});
    if (!loaded.ok()) continue;
    Instance& instance = *loaded.value();
    for (size_t m = 0; m < file->program->methods.size(); ++m) {
      const Method& method = file->program->methods[m];
      SCOPED_TRACE(file->name + " " + method.name);
      WholeCall bad(method, 1);
      SetIntegers(method, bad, 1'000'000, 0);
      const auto fault = bad.Make(*instance.MethodAt(m).value());
      if (!fault || fault->instruction < 0) continue;
      ++failed;
      ExpectNothingTorn(instance, m, bad);
    }
  }
  EXPECT_GE(failed, 5);
}

}  // namespace
}  // namespace pteproof

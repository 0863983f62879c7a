// Exported programs in memory: what instances, calls and callers may expect of one another.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "meaning/opaque_calls.h"
#include "reference/op_schema.h"
#include "runtime/execute/instance.h"
#include "tests/support/real_file.h"
#include "tests/support/whole_call.h"

namespace pteproof {
namespace {

InstanceOptions OptionsFor(const Program& program, KernelSet kernels) {
  InstanceOptions options;
  options.kernels = kernels;
  options.opaque_calls = meaning::OpaqueCallsOf(program, nullptr);
  return options;
}

using Outputs = std::vector<std::vector<std::byte>>;

// Calls each(program, kernels) for the programs that can be loaded so: those without delegates, and
// without data in other files, under both meanings.
template <class Each>
int ForEachExported(const Each& each) {
  int programs = 0;
  for (const auto& file : ReadAllReal(OwnRealRoot() / "models")) {
    for (const KernelSet kernels : {KernelSet::kReal, KernelSet::kHash}) {
      if (!Instance::Load(*file->program, OptionsFor(*file->program, kernels)).ok()) continue;
      SCOPED_TRACE(file->name);
      each(*file->program, kernels);
      ++programs;
    }
  }
  return programs;
}

constexpr int kLeastPrograms = 150;  // counted once by each meaning

std::unique_ptr<Instance> LoadedFrom(const Program& program, KernelSet kernels) {
  InstanceOptions options = OptionsFor(program, kernels);
  options.policy = Policy::kShareAll;
  auto instance = Instance::Load(program, options);
  EXPECT_TRUE(instance.ok());
  return std::move(instance).value();
}

// Nothing where the call cannot be made: made-up inputs need not fit together.
Outputs CallWith(Instance& instance, size_t method, uint32_t seed) {
  LoadedMethod& loaded = *instance.MethodAt(method).value();
  WholeCall call(loaded.method(), seed);
  return call.Make(loaded) ? Outputs() : OutputBytes(loaded);
}

// Every method in turn.
std::vector<Outputs> Round(Instance& instance, size_t methods, uint32_t seed) {
  std::vector<Outputs> outputs;
  for (size_t m = 0; m < methods; ++m) outputs.push_back(CallWith(instance, m, seed));
  return outputs;
}

TEST(ExportedCallsTest, TwoInstancesDoNotTouchEachOther) {
  const int programs = ForEachExported([](const Program& program, KernelSet kernels) {
    const auto alone = LoadedFrom(program, kernels);
    const auto one = LoadedFrom(program, kernels);
    const auto two = LoadedFrom(program, kernels);
    for (size_t m = 0; m < program.methods.size(); ++m) {
      const Outputs expected = CallWith(*alone, m, 1);
      CallWith(*two, m, 2);
      EXPECT_EQ(CallWith(*one, m, 1), expected);
      EXPECT_EQ(BankBytes(*one, m), BankBytes(*alone, m));
      CallWith(*two, m, 3);
      EXPECT_EQ(BankBytes(*one, m), BankBytes(*alone, m));
    }
  });
  EXPECT_GT(programs, kLeastPrograms);
}

TEST(ExportedCallsTest, WithStateResetCallsGiveTheSame) {
  int changing = 0;  // programs whose state shows in the next outputs
  ForEachExported([&](const Program& program, KernelSet kernels) {
    const auto instance = LoadedFrom(program, kernels);
    const size_t methods = program.methods.size();
    const auto first = Round(*instance, methods, 1);
    if (Round(*instance, methods, 1) != first) ++changing;
    instance->ResetState();
    EXPECT_EQ(Round(*instance, methods, 1), first);
  });
  EXPECT_GT(changing, 10);
}

// Whether an instruction may write to the value. One that nobody knows may write to any.
bool IsWritten(const Method& method, int32_t v) {
  for (const Instruction& instruction : method.instructions) {
    if (instruction.kind == InstructionKind::kDelegateCall) return true;
    if (instruction.kind != InstructionKind::kKernelCall) continue;
    const OpSchema* schema = method.operators[static_cast<size_t>(instruction.target)].schema;
    if (schema == nullptr) return true;
    const auto args = method.Ints(instruction.args);
    for (size_t a = 0; a < schema->args.size(); ++a) {
      if (args[a] == v && schema->args[a].access != Access::kRead) return true;
    }
  }
  return false;
}

TEST(ExportedCallsTest, InputsAreNotWrittenToUnlessTheProgramMutatesThem) {
  int unplanned = 0;
  ForEachExported([&](const Program& program, KernelSet kernels) {
    const auto instance = LoadedFrom(program, kernels);
    for (size_t m = 0; m < program.methods.size(); ++m) {
      const Method& method = program.methods[m];
      WholeCall call(method, 1);
      std::vector<std::vector<std::byte>> before;
      for (size_t n = 0; n < method.inputs.size(); ++n) before.push_back(call.bytes(n));
      if (call.Make(*instance->MethodAt(m).value())) continue;
      for (size_t n = 0; n < method.inputs.size(); ++n) {
        const Tensor* tensor = method.TensorOf(method.inputs[n]);
        if (tensor == nullptr) continue;
        unplanned += tensor->planned ? 0 : 1;
        if (tensor->planned || !IsWritten(method, method.inputs[n])) {
          EXPECT_EQ(call.bytes(n), before[n]);
        }
      }
    }
  });
  EXPECT_GT(unplanned, 0);
}

// With banks of their own, methods do not touch what another one gave.
TEST(ExportedCallsTest, OutputsStayUntilTheirBankIsWrittenTo) {
  int compared = 0;
  ForEachExported([&](const Program& program, KernelSet kernels) {
    auto loaded = Instance::Load(program, OptionsFor(program, kernels));
    Instance& instance = *loaded.value();
    WholeCall call(program.methods[0], 1);
    LoadedMethod& first = *instance.MethodAt(0).value();
    if (program.methods.size() < 2 || call.Make(first)) return;
    const Outputs given = OutputBytes(first);
    for (size_t m = 1; m < program.methods.size(); ++m) CallWith(instance, m, 2);
    EXPECT_EQ(OutputBytes(first), given);
    ++compared;
  });
  EXPECT_GT(compared, 20);
}

// A stretch of addresses that no instruction may touch.
class Untouchable {
 public:
  explicit Untouchable(size_t bytes)
      : bytes_(std::max<size_t>(bytes, 1)),
        start_(mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~Untouchable() { munmap(start_, bytes_); }
  Untouchable(const Untouchable&) = delete;
  Untouchable& operator=(const Untouchable&) = delete;

  [[nodiscard]] std::span<std::byte> Bytes(size_t count) const {
    return {static_cast<std::byte*>(start_), count};
  }

 private:
  size_t bytes_;
  void* start_;
};

// Copies into a bank: which bank, from where on, how many bytes, of what.
using Copied = std::tuple<uint32_t, uint64_t, size_t, const std::byte*>;

int ExpectInitialStateThroughCallbacks(KernelSet kernels) {
  int stored = 0;
  for (const auto& file : ReadAllReal(OwnRealRoot() / "models")) {
    const Program& program = *file->program;
    SCOPED_TRACE(file->name);
    std::vector<std::unique_ptr<Untouchable>> memory;
    std::vector<Copied> copied;
    std::vector<std::pair<uint32_t, size_t>> filled;
    std::vector<std::pair<uint32_t, size_t>> asked;
    InstanceOptions options = OptionsFor(program, kernels);
    options.apply = ApplyState::kEachLoad;
    options.provide = [&](const BankRequest& request) -> std::optional<Bank> {
      const uint32_t id = request.memory_id;
      Bank bank;
      bank.bytes = memory.emplace_back(std::make_unique<Untouchable>(request.nbytes + 64))
                       ->Bytes(request.nbytes + 64);
      std::byte* start = bank.bytes.data();
      bank.copy_in = [&copied, id, start](std::byte* to, const std::byte* from, size_t count) {
        copied.emplace_back(id, static_cast<uint64_t>(to - start), count, from);
      };
      bank.fill = [&filled, id, start](std::byte* to, std::byte, size_t count) {
        EXPECT_EQ(to, start);
        filled.emplace_back(id, count);
      };
      if (request.nbytes > 0) asked.emplace_back(id, request.nbytes);
      return bank;
    };
    const auto instance = Instance::Load(program, options);
    if (!instance.ok()) continue;  // delegates, data in other files
    std::vector<Copied> expected;
    for (size_t m = 0; m < program.methods.size(); ++m) {
      for (const StoredBuffer& buffer : StoredBuffers(program, m)) {
        expected.emplace_back(buffer.bank, buffer.offset, buffer.value.size(), buffer.value.data());
      }
    }
    stored += static_cast<int>(expected.size());
    EXPECT_EQ(copied, expected);
    EXPECT_EQ(filled, asked);
    // Once more, in the same order.
    copied.clear();
    filled.clear();
    instance.value()->ResetState();
    EXPECT_EQ(copied, expected);
    EXPECT_EQ(filled, asked);
  }
  return stored;
}

TEST(ExportedCallsTest, InitialStateGoesThroughTheBanksCallbacksAlone) {
  EXPECT_GE(ExpectInitialStateThroughCallbacks(KernelSet::kHash), 10);
  EXPECT_GE(ExpectInitialStateThroughCallbacks(KernelSet::kReal), 10);
}

}  // namespace
}  // namespace pteproof

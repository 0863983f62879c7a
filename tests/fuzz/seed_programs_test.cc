// What the fuzzers begin with holds whatever a program can call.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/calls/operands.h"
#include "pteproof/read.h"
#include "reference/op_schema.h"
#include "runtime/execute/instance.h"
#include "tests/support/files.h"
#include "tests/support/whole_call.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

constexpr int kProgramsEach = 3;

struct Occurrences {
  int programs = 0;
  bool is_static = false;   // in a call whose tensors have fixed sizes
  bool is_bounded = false;  // in a call with a tensor whose sizes may vary
  int ran = 0;              // programs in which it ran, with made-up inputs
};

struct SeedsRead {
  std::map<std::string, Occurrences, std::less<>> operators;
  std::map<InstructionKind, int> kinds;
};

bool HasBoundedTensor(const Method& method, const Instruction& instruction) {
  std::vector<int32_t> listed;
  for (const int32_t v : method.Ints(instruction.args)) {
    listed.push_back(v);
    const Value& value = method.values[static_cast<size_t>(v)];
    if (value.kind == ValueKind::kTensor || !IsTensorLike(value.kind)) continue;
    const auto items = method.Ints(value.items);
    listed.insert(listed.end(), items.begin(), items.end());
  }
  return std::ranges::any_of(listed, [&](int32_t v) {
    const Tensor* tensor = v < 0 ? nullptr : method.TensorOf(v);
    return tensor != nullptr && tensor->dynamism == Dynamism::kBounded;
  });
}

// Instructions that a first call with made-up inputs gets past.
int32_t PassedOf(const Program& program, size_t m) {
  const Method& method = program.methods[m];
  const auto count = static_cast<int32_t>(method.instructions.size());
  const auto instance = Instance::Load(program);
  if (!instance.ok()) return 0;
  const auto loaded = instance.value()->MethodAt(m);
  if (!loaded.ok()) return 0;
  const auto fault = WholeCall(method, 1).Make(*loaded.value());
  return fault ? fault->instruction : count;
}

void CountProgram(const Program& program, SeedsRead& seeds) {
  std::set<std::string_view> called;
  std::set<std::string_view> ran;
  std::set<InstructionKind> kinds;
  for (size_t m = 0; m < program.methods.size(); ++m) {
    const Method& method = program.methods[m];
    const int32_t passed = PassedOf(program, m);
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      const Instruction& instruction = method.instructions[i];
      kinds.insert(instruction.kind);
      if (instruction.kind != InstructionKind::kKernelCall) continue;
      const std::string& name = method.operators[static_cast<size_t>(instruction.target)].name;
      called.insert(name);
      if (static_cast<int32_t>(i) < passed) ran.insert(name);
      const bool bounded = HasBoundedTensor(method, instruction);
      (bounded ? seeds.operators[name].is_bounded : seeds.operators[name].is_static) = true;
    }
  }
  for (const std::string_view name : called) ++seeds.operators.find(name)->second.programs;
  for (const std::string_view name : ran) ++seeds.operators.find(name)->second.ran;
  for (const InstructionKind kind : kinds) ++seeds.kinds[kind];
}

SeedsRead ReadSeeds() {
  SeedsRead seeds;
  for (const fs::path& file : FilesBelow(fs::path(PTEPROOF_CORPUS_DIR) / "seeds" / "program")) {
    const auto bytes = ReadBytes(file);
    const auto program = ReadProgram(bytes);
    if (program.ok()) CountProgram(program.value(), seeds);
  }
  return seeds;
}

TEST(SeedPrograms, CallEachOperatorWithAKernelWithFixedAndWithVaryingSizes) {
  const SeedsRead seeds = ReadSeeds();
  for (const OpSchema* op : fuzz::OperatorsWithKernels()) {
    const auto found = seeds.operators.find(op->name);
    ASSERT_NE(found, seeds.operators.end()) << op->name;
    EXPECT_GE(found->second.programs, kProgramsEach) << op->name;
    EXPECT_GE(found->second.ran, 1) << op->name;
    EXPECT_TRUE(found->second.is_static) << op->name;
    const bool has_tensors = std::ranges::any_of(op->args, [](const ArgSchema& arg) {
      return arg.kind == ArgKind::kTensor || arg.kind == ArgKind::kTensorList;
    });
    if (has_tensors) EXPECT_TRUE(found->second.is_bounded) << op->name;
  }
}

TEST(SeedPrograms, HaveEachKindOfInstruction) {
  const SeedsRead seeds = ReadSeeds();
  for (const InstructionKind kind :
       {InstructionKind::kKernelCall, InstructionKind::kDelegateCall, InstructionKind::kMove,
        InstructionKind::kJumpFalse, InstructionKind::kFree}) {
    const auto found = seeds.kinds.find(kind);
    ASSERT_NE(found, seeds.kinds.end()) << static_cast<int>(kind);
    EXPECT_GE(found->second, kProgramsEach) << static_cast<int>(kind);
  }
}

// A checkout stays small, and each stays below what campaigns take.
TEST(SeedPrograms, AreSmall) {
  constexpr uintmax_t kLargest = 8192;
  constexpr uintmax_t kAll = 1'500'000;
  uintmax_t all = 0;
  for (const fs::path& file :
       FilesBelow(fs::path(PTEPROOF_CORPUS_DIR) / "seeds" / "program" / "kernels")) {
    EXPECT_LE(fs::file_size(file), kLargest) << file;
    all += fs::file_size(file);
  }
  EXPECT_LE(all, kAll);
}

}  // namespace
}  // namespace pteproof

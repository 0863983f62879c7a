#include "properties/lifetimes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "properties/checks/clobbers.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "tests/support/files.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

const std::filesystem::path kReal = std::filesystem::path(PTEPROOF_CORPUS_DIR) / "real";

// "first..last", "always" or "-"; -1 is the entry.
std::string TextOf(const Lifetime& life) {
  if (life.always) return "always";
  if (life.empty()) return "-";
  return std::to_string(life.first) + ".." + std::to_string(life.last);
}

class LifetimesOfMethod : public ::testing::Test {
 protected:
  LifetimesOfMethod() : x_(b_.Planned(2, 0, {4})) { b_.Input(x_); }

  int32_t Planned() { return b_.Planned(1, 16 * next_++, {4}); }
  int32_t Made() {
    const int32_t v = Planned();
    b_.Mul(x_, x_, v);
    return v;
  }
  void Use(int32_t v) { b_.Mul(v, v, Planned()); }
  // A Bool that nothing folds.
  int32_t Unknown() {
    const int32_t flag = b_.Bool(false);
    b_.Move(b_.Bool(true), flag);
    return flag;
  }
  [[nodiscard]] std::string Of(int32_t v) const {
    return TextOf(LifetimesOf(b_.Build()).at(static_cast<size_t>(v)));
  }

  MethodBuilder b_;
  int32_t x_;
  uint64_t next_ = 0;
};

TEST_F(LifetimesOfMethod, GoFromTheFirstWriteToTheLastRead) {
  const int32_t v = Made();  // 0
  Made();                    // 1
  Use(v);                    // 2
  Made();                    // 3
  EXPECT_EQ(Of(v), "0..2");
}

TEST_F(LifetimesOfMethod, BeginAtTheEntryForInputs) {
  const int32_t unused = b_.Planned(2, 16, {4});
  b_.Input(unused);
  Made();  // 0
  Made();  // 1
  EXPECT_EQ(Of(x_), "-1..1");
  EXPECT_EQ(Of(unused), "-1..-1");
}

TEST_F(LifetimesOfMethod, ReachTheEndForOutputs) {
  Made();                    // 0
  const int32_t v = Made();  // 1
  const int32_t own = b_.Unplanned({4});
  b_.Mul(v, v, own);  // 2
  b_.Output(v);
  b_.Output(own);
  EXPECT_EQ(Of(v), "1..3");
  EXPECT_EQ(Of(own), "2..3");
}

TEST_F(LifetimesOfMethod, AreAlwaysForBuffersAndConstants) {
  const int32_t buffer = b_.Planned(1, 256, {4}, "buffer");
  const int32_t constant = b_.Constant(1, {4});
  b_.Mul(buffer, constant, Planned());
  EXPECT_EQ(Of(buffer), "always");
  EXPECT_EQ(Of(constant), "always");
}

TEST_F(LifetimesOfMethod, AreOneInstructionForAResultThatNobodyReads) {
  Made();                    // 0
  const int32_t v = Made();  // 1
  Made();                    // 2
  EXPECT_EQ(Of(v), "1..1");
}

TEST_F(LifetimesOfMethod, AreEmptyForWhatHoldsNothing) {
  const int32_t reserved = Planned();
  const int32_t number = b_.Int(3);
  Made();
  EXPECT_EQ(Of(reserved), "-");
  EXPECT_EQ(Of(number), "-");
}

TEST_F(LifetimesOfMethod, AreThoseOfTheStorageForAViewWithoutInstruction) {
  const int32_t base = b_.Planned(1, 512, {4});
  b_.Mul(x_, x_, base);  // 0
  Made();                // 1
  const int32_t view = b_.Planned(1, 512, {2, 2});
  Made();     // 2
  Use(view);  // 3
  EXPECT_EQ(Of(base), "0..3");
  EXPECT_EQ(Of(view), "0..3");
}

// whole = [left, right] without an instruction.
TEST_F(LifetimesOfMethod, LastForThePartsAsLongAsForTheWhole) {
  const int32_t left = b_.Planned(1, 512, {4});
  const int32_t right = b_.Planned(1, 528, {4});
  b_.Mul(x_, x_, left);   // 0
  b_.Mul(x_, x_, right);  // 1
  const int32_t whole = b_.Planned(1, 512, {8});
  const int32_t twice = b_.Planned(1, 576, {8});
  b_.Mul(whole, whole, twice);  // 2
  b_.Mul(whole, whole, twice);  // 3
  EXPECT_EQ(Of(left), "0..3");
  EXPECT_EQ(Of(right), "1..3");
  EXPECT_EQ(Of(whole), "2..3");
}

TEST_F(LifetimesOfMethod, GoOnThroughAMoveInTheBranchThatMakesIt) {
  const int32_t jump = b_.JumpFalse(Unknown(), 0);  // 1
  const int32_t a = Made();                         // 2
  const int32_t moved = Planned();
  b_.Move(a, moved);                                     // 3
  const int32_t skip = b_.JumpFalse(b_.Bool(false), 0);  // 4
  b_.SetTarget(jump, b_.Next());
  const int32_t b = Made();  // 5
  b_.Move(b, moved);         // 6
  b_.SetTarget(skip, b_.Next());
  Made();      // 7
  Use(moved);  // 8
  EXPECT_EQ(Of(a), "2..8");
  EXPECT_EQ(Of(b), "5..8");
  EXPECT_EQ(Of(moved), "3..8");
}

TEST_F(LifetimesOfMethod, SpanALoopThatReadsWhatWasMadeBeforeIt) {
  const int32_t v = Made();        // 0
  const int32_t flag = Unknown();  // 1
  const int32_t begin = b_.Next();
  Use(v);                         // 2
  const int32_t within = Made();  // 3
  Use(within);                    // 4
  Made();                         // 5
  b_.JumpFalse(flag, begin);      // 6
  Made();                         // 7
  EXPECT_EQ(Of(v), "0..6");
  EXPECT_EQ(Of(within), "3..4");
}

TEST(Lifetimes, OfARealProgramWithTwoBranchesInARow) {
  const auto bytes = ReadBytes(kReal / "bugs/cond-siblings/cond-siblings.pte");
  const auto program = ReadProgram(bytes);
  ASSERT_TRUE(program.ok());
  std::vector<std::string> lives;
  for (const Lifetime& life : LifetimesOf(program.value().methods.at(0))) {
    lives.push_back(TextOf(life));
  }
  // By hand from the listing: v2 is v3 or v4, v7 is v8 or v10; instruction 12 reads both.
  EXPECT_THAT(lives, ::testing::ElementsAre("-1..6", "-1..10", "2..12", "1..12", "4..12", "-", "-",
                                            "8..12", "7..12", "-", "10..12", "-", "12..13", "-"));
}

// Bytes in use at an instruction, each placement rounded up as the load is, and no byte twice.
uint64_t BytesInUse(const Method& method, const std::vector<Lifetime>& lives, uint32_t bank,
                    int32_t at, uint64_t alignment) {
  std::vector<std::pair<uint64_t, uint64_t>> pieces;
  for (size_t v = 0; v < lives.size(); ++v) {
    const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
    const bool lives_here = lives[v].always || (lives[v].first <= at && at <= lives[v].last);
    if (tensor == nullptr || !tensor->planned || tensor->bank != bank || !lives_here) continue;
    const uint64_t end = tensor->offset + tensor->nbytes;
    pieces.emplace_back(tensor->offset, (end + alignment - 1) / alignment * alignment);
  }
  std::ranges::sort(pieces);
  uint64_t sum = 0;
  uint64_t reached = 0;
  for (const auto& [lo, hi] : pieces) {
    if (hi > std::max(lo, reached)) sum += hi - std::max(lo, reached);
    reached = std::max(reached, hi);
  }
  return sum;
}

uint64_t MostInUse(const Method& method, uint32_t bank) {
  const std::vector<Lifetime> lives = LifetimesOf(method);
  const uint64_t alignment = checks::PlanAlignment(method);
  const auto count = static_cast<int32_t>(method.instructions.size());
  uint64_t most = 0;
  for (int32_t at = Lifetime::kEntry; at <= count; ++at) {
    most = std::max(most, BytesInUse(method, lives, bank, at, alignment));
  }
  return most;
}

// Every value is made once, by an operator with an out argument, or is state: then no lifetime has
// a gap.
bool IsPlain(const Method& method) {
  const std::vector<Lifetime> lives = LifetimesOf(method);
  return std::ranges::all_of(method.instructions, [&](const Instruction& i) {
    if (i.kind != InstructionKind::kKernelCall) return false;
    const std::string& name = method.operators[static_cast<size_t>(i.target)].name;
    const auto first = static_cast<size_t>(method.Ints(i.args).front());
    return name.find("out") != std::string::npos || (name == "aten::copy_" && lives[first].always);
  });
}

// The check finds the load another way: from names that are live at points, on each path.
TEST(Lifetimes, ExplainTheLoadOfEveryRealPlanThatIsSafe) {
  int plain = 0;
  for (const auto& file : FilesBelow(kReal)) {
    if (file.extension() != ".pte") continue;
    const auto bytes = ReadBytes(file);
    const auto program = ReadProgram(bytes);
    if (!program.ok()) continue;
    const Report report = Check(program.value());
    if (report.verdicts[static_cast<size_t>(Policy::kPrivate)] != Verdict::kSafe) continue;
    for (const BankUse& use : report.banks) {
      const auto method = std::ranges::find(program.value().methods, use.method, &Method::name);
      const uint64_t most = MostInUse(*method, use.bank);
      if (IsPlain(*method)) {
        EXPECT_EQ(most, use.load) << file << " " << use.method << " bank " << use.bank;
        ++plain;
      }
      EXPECT_GE(most, use.load) << file << " " << use.method << " bank " << use.bank;
    }
  }
  EXPECT_GT(plain, 50);
}

}  // namespace
}  // namespace pteproof

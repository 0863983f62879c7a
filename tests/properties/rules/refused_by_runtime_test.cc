// Calls of the runtime's own operators that ExecuTorch 1.5.1 refuses, as recorded: the check tells
// of each, of no other, and leaves the verdict; the reference refuses the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "base/rule_names.h"
#include "properties/oracles/replay.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"
#include "tests/support/runtime_calls.h"

namespace pteproof {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::string NameOfRow(const testing::TestParamInfo<RecordedAnswer>& info) {
  std::string name = info.param.file;
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class RecordedRuntimeCalls : public testing::TestWithParam<RecordedAnswer> {};

TEST_P(RecordedRuntimeCalls, AreToldOfIfTheyAreRefused) {
  const auto read = ReadProgramFile(RuntimeCallsFolder() + GetParam().file);
  ASSERT_TRUE(read.ok());
  const Report report = Check(read.value().program);
  const bool told = GetParam().check == rule::kCallRefused;
  EXPECT_THAT(LinesOf(report, rule::kCallRefused), SizeIs(told ? 1 : 0));
  // The plan is right, or open: that view places an input, too.
  const bool open = GetParam().file == "view-in-a-tensor-of-another-type-after-a-move.pte";
  EXPECT_EQ(VerdictRow(report), open ? "undecided undecided undecided" : "safe safe safe");
  const proofs::Proof proof = proofs::Prove(read.value().program, {}, {});
  for (const Verdict verdict : proof.verdicts) {
    EXPECT_EQ(verdict, open ? Verdict::kUndecided : Verdict::kSafe);
  }
  if (!told) return;
  const std::string explanation = ExplanationOf(report, rule::kCallRefused);
  EXPECT_THAT(explanation, HasSubstr(GetParam().executorch.starts_with("signal")
                                         ? "The call ends the process."
                                         : "The call ends with an error at run time."));
}

INSTANTIATE_TEST_SUITE_P(Own, RecordedRuntimeCalls, testing::ValuesIn(RecordedAnswers()),
                         NameOfRow);

TEST(RuntimeCallCases, AreRecorded) {
  const std::vector<RecordedAnswer> rows = RecordedAnswers();
  const std::vector<RuntimeCallCase> cases = RuntimeCallCases();
  ASSERT_EQ(rows.size(), cases.size());
  for (size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(rows[i].file, cases[i].name + ".pte");
  const auto taken =
      std::ranges::count(rows, "taken", [](const RecordedAnswer& row) { return row.executorch; });
  EXPECT_GE(taken, 40);
  EXPECT_GE(static_cast<std::ptrdiff_t>(rows.size()) - taken, 60);
}

// The sizes that the caller brings decide, too.
TEST(RuntimeCallCases, OfTensorsAreRefusedByTheReferenceToo) {
  const std::vector<RecordedAnswer> rows = RecordedAnswers();
  const std::vector<RuntimeCallCase> cases = RuntimeCallCases();
  for (size_t i = 0; i < std::min(rows.size(), cases.size()); ++i) {
    const std::string& name = cases[i].name;
    if (!name.starts_with("view") && !name.starts_with("jump")) continue;
    // The kernel cuts off what a size has beyond 32 bits. The reference moves only what is alike.
    if (name == "view-with-a-size-of-33-bits") continue;
    if (name == "view-of-the-right-type-after-a-move") continue;
    const auto outputs = Replay(cases[i].program, {}).Call(0, InputsOf(cases[i]));
    EXPECT_EQ(outputs.ok(), rows[i].executorch == "taken") << name;
  }
}

// A view of a float32[4, 8] as one of sizes that are computed.
class RefusedByRuntime : public testing::Test {
 protected:
  RefusedByRuntime()
      : self_(b_.Planned(1, 0, {4, 8})),
        out_(b_.Planned(1, 128, {8, 4})),
        condition_(b_.Planned(1, 256, {1}, {}, ScalarType::kBool)),
        size_(b_.Int(8)) {
    b_.Input(self_);
    b_.Input(condition_);
  }

  void Add(int64_t a, int64_t b, int32_t to) {
    b_.Call("executorch_prim::add.Scalar", {b_.Int(a), b_.Int(b), to});
  }
  void View() {
    b_.Call("executorch_prim::et_view.default", {self_, b_.IntList({size_, b_.Int(4)}), out_});
    b_.Output(out_);
  }
  [[nodiscard]] std::vector<std::string> Lines() const {
    return LinesOf(Check(ProgramOf({b_.Build()})), rule::kCallRefused);
  }

  MethodBuilder b_;
  int32_t self_;
  int32_t out_;
  int32_t condition_;
  int32_t size_;
};

}  // namespace
}  // namespace pteproof
